"""Estimated recall: the share of the reachable targets that a crawl has found so far.

Five quantities say something about the targets still missing:

* **The frontier.** The expected number of targets among the links that wait,
  from the links that were followed (`lycosa.crawler.recall_yield`).
* **Untried links.** The share of the links that wait in groups of which no link was
  followed yet, and the number of targets there if such a group is like those tried.
* **The growth.** The recent number of new URLs per page: while it is large,
  many URLs are not known yet.
* **Capture and recapture.** The links of pages with odd and with even step
  numbers are two samples. The targets in both, against those in one, give the
  number in neither (Chapman 1951).
* **The skill of the order.** How well scores tell targets from other pages
  (`lycosa.crawler.recall_skill`).

The logarithm of missing to found targets is modelled as a linear function of
their logarithms, one for each of three quantiles (Koenker and Bassett 1978). The outer
two are moved until the intervals of families of sites that were left out contain the
truth as often as they should (conformalised quantile regression, Romano, Patterson and
Candès 2019). The coefficients were learned from crawls of recorded and generated sites.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, floor, log
from typing import NamedTuple, TypeAlias

import numpy as np

from lycosa.content import Strings
from lycosa.core import Step
from lycosa.crawler.recall_skill import OrderSkill
from lycosa.crawler.recall_yield import FrontierYield
from lycosa.errors import ContractError
from lycosa.snapshots import StateReader, StateWriter

# Marks of a URL: pages with even or odd step numbers link to it; it was fetched.
BY_EVEN, BY_ODD, FETCHED = 1, 2, 4

Coefficients: TypeAlias = tuple[tuple[float, ...], ...]
"""The coefficients of `RecallEvidence.row` for each of three quantiles."""

QUANTILES = (0.05, 0.5, 0.95)

_INITIAL_URLS = 1024

MAX_KNOWN_WIDTH = 0.9  # of an interval: a wider one says nothing

EPSILON = 1e-9  # per cent: 100 * 0.55 is a little more than 55

# Learned by `python -m bench.recall`; the outer two lines were moved so that of the intervals of
# families left out 6 % lie above the true share and 4 % below it.
COEFFICIENTS: Coefficients = (
    (-0.034, 0.472, -0.125, 0.190, -1.137, -1.711, 0.276),
    (0.864, 0.901, 0.061, 0.151, -0.339, -0.660, 0.028),
    (4.217, 0.632, 0.248, 0.346, -0.306, -2.308, 0.339),
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated recall: targets found, likely total, and bounds of the share (90 %).

    While nothing was found the bounds are 0 and 1. An interval of nearly all shares is
    printed as what it is: the share is not known.

    >>> print(Estimate(73, 100.0, 0.552, 0.88))
    between 55 and 88 % found (likely 73 %)
    >>> print(Estimate(3, 4.0, 0.02, 1.0))
    share found not known yet (between 2 and 100 %)
    """

    found: int
    total: float
    """The likely number of targets, found ones included."""
    low: float
    """The lower end of the interval of the share that was found."""
    high: float
    """The upper end of the interval of the share that was found."""

    @property
    def share(self) -> float:
        """The likely share of the targets that was found."""
        return self.found / self.total if self.found else 0.0

    @property
    def is_known(self) -> bool:
        """Whether the interval says more than that the share is somewhere between 0 and 1."""
        return self.found > 0 and self.high - self.low <= MAX_KNOWN_WIDTH

    def __str__(self) -> str:
        if not self.found:
            return "nothing found yet: the share is not known"
        if self.low == 1:
            return "all found"
        # Rounded outwards: the printed interval contains the computed one.
        low, high = floor(100 * self.low + EPSILON), ceil(100 * self.high - EPSILON)
        if not self.is_known:
            return f"share found not known yet (between {low} and {high} %)"
        return f"between {low} and {high} % found (likely {round(100 * self.share)} %)"


class RecallEvidence(NamedTuple):
    """The quantities from which the number of missing targets is estimated."""

    found: int
    """Targets found so far."""
    waiting: int
    """URLs that wait or are in flight; with 0, no target can be missing."""
    frontier: float
    """Targets expected among the links that wait."""
    growth: float
    """Recent number of new URLs per page."""
    uncaught: float
    """Estimated targets in neither of the two samples."""
    untried: float
    """The share of the links that wait in groups of which none was followed."""
    untried_targets: float
    """Targets expected there, one for each link if a group has any."""
    skill: float
    """The probability that a target is scored above another page."""

    def row(self) -> tuple[float, ...]:
        """Return the regressors; they are ratios, so they hold at any scale."""
        found = self.found + 0.5
        return (
            1.0,
            log((self.frontier + 0.5) / found),
            log(self.growth + 0.05),
            log((self.uncaught + 0.5) / found),
            self.untried,
            self.skill,
            log((self.untried_targets + 0.5) / found),
        )

    def estimate(self, lines: Coefficients) -> Estimate:
        """Return the estimate by these coefficients."""
        if not self.found:
            return Estimate(0, 0.0, 0.0, 1.0)
        if not self.waiting:
            return Estimate(self.found, float(self.found), 1.0, 1.0)
        return estimate(self.found, self.row(), lines)


def estimate(found: int, row: Sequence[float], lines: Coefficients) -> Estimate:
    """Return the estimate of the quantile regressions for one row, while links wait."""
    odds = [sum(x * c for x, c in zip(row, line, strict=True)) for line in lines]
    missing = [max(0.0, exp(min(each, 50.0)) * (found + 0.5) - 0.5) for each in odds]
    few, likely, many = sorted(missing)
    # Targets are whole: bounds are rounded outwards. A link that waits may always be a target.
    low, high = found / (found + max(1, ceil(many))), found / (found + floor(few))
    return Estimate(found, found + likely, low, high)


class Recall:
    """Estimates the share of the reachable targets that a crawl has found.

    It observes every step, with the number of URLs that wait or are in flight:
    `crawl.waiting + crawl.in_flight`. It costs some microseconds for a new link,
    and five bytes for a known URL. A crawl may stop, for example, as soon as
    `estimate().low` is at least 0.8.

    A small site: a list of ten papers of which four were fetched.

    >>> from lycosa.content import Table, Tables
    >>> from lycosa.core import Page
    >>> urls = Table(["http://a.example/", *(f"http://a.example/{k}.ps" for k in range(10))])
    >>> tables = Tables(Table(), urls, Table())
    >>> recall = Recall()
    >>> home = Page(0, tables, np.arange(1, 11, dtype=np.int32))
    >>> recall.observe(Step(1, home, 0.0), waiting=10)
    >>> print(recall.estimate())
    nothing found yet: the share is not known
    >>> for k in range(1, 5):
    ...     recall.observe(Step(k + 1, Page(k, tables), 1.0, 0), waiting=10 - k)
    >>> print(recall.estimate())
    between 21 and 100 % found (likely 41 %)
    """

    __slots__ = ("_found", "_growth", "_links", "_marks", "_n", "_skill", "_waiting", "_weights")

    def __init__(self) -> None:
        self._n = 0
        self._waiting = 0
        self._found = array("i")
        self._marks = np.zeros(_INITIAL_URLS, np.uint8)
        self._links: FrontierYield | None = None
        self._skill = OrderSkill()
        self._growth = 0.0  # new URLs, by the weight of their page
        self._weights = 0.0

    def observe(self, step: Step, waiting: int) -> None:
        """Observe one step of the crawl; `waiting` URLs wait or are in flight."""
        page, hit = step.page, step.reward > 0
        number, targets = page.number, page.targets
        self._make_room(max(number, max(targets.tolist(), default=0)))
        marks = self._marks
        if marks[number] & FETCHED:
            raise ContractError(
                f"Page {number} was observed twice: observe each step of one crawl once, "
                "and start another crawl with a new Recall."
            )
        if self._links is None:
            self._links = FrontierYield(page.tables.urls)
        self._n += 1
        self._waiting = waiting
        self._links.fetch(number, hit=hit)
        self._skill.observe(step.score, hit=hit)
        marks[number] |= FETCHED
        if hit:
            self._found.append(number)
        weight = float(self._n) ** 3
        self._weights += weight
        if len(targets):
            known = marks[targets]
            new = list(dict.fromkeys(targets[known == 0].tolist()))
            marks[targets] = known | (BY_ODD if self._n % 2 else BY_EVEN)
            self._links.discover(new)
            self._growth += weight * len(new)

    def save(self, state: StateWriter) -> None:
        """Save the evidence so far."""
        state.value("totals", [self._n, self._waiting, self._growth, self._weights])
        state.log("found", self._found)
        state.array("marks", self._marks)
        self._skill.save(state.part("skill"))
        state.value("has_links", self._links is not None)
        if self._links is not None:
            self._links.save(state.part("links"))

    def restore(self, state: StateReader, urls: Strings) -> None:
        """Take over saved evidence about a crawl of these URLs."""
        self._n, self._waiting, self._growth, self._weights = state.value("totals")
        state.fill_log("found", self._found)
        self._marks = state.array("marks", self._marks)
        self._skill.restore(state.part("skill"))
        self._links = FrontierYield(urls) if state.value("has_links") else None
        if self._links is not None:
            self._links.restore(state.part("links"))

    def estimate(self) -> Estimate:
        """Return the share found so far, with its bounds."""
        return self.evidence().estimate(COEFFICIENTS)

    def evidence(self) -> RecallEvidence:
        """Return the evidence for the estimate."""
        found = len(self._found)
        if self._links is None:
            return RecallEvidence(0, self._waiting, 0.0, 0.0, 0.0, 1.0, 0.0, 0.5)
        frontier, known = self._links.expected(), self._links.waiting
        # Seeds wait that no page linked to, and a crawl may refuse links: scale to those that wait.
        frontier = frontier * self._waiting / known if known else self._links.rate * self._waiting
        untried = self._links.untried()
        return RecallEvidence(
            found,
            self._waiting,
            frontier,
            growth=self._growth / self._weights,
            uncaught=self._uncaught(),
            untried=untried.share,
            untried_targets=untried.share * untried.chance * self._waiting,
            skill=self._skill.value,
        )

    def _uncaught(self) -> float:
        marks = self._marks[np.array(self._found, np.intp)]
        even = int(np.count_nonzero(marks & BY_EVEN))
        odd = int(np.count_nonzero(marks & BY_ODD))
        both = int(np.count_nonzero((marks & (BY_EVEN | BY_ODD)) == (BY_EVEN | BY_ODD)))
        return max(0.0, (even + 1) * (odd + 1) / (both + 1) - 1 - len(marks))

    def _make_room(self, number: int) -> None:
        missing = number + 1 - len(self._marks)
        if missing > 0:
            more = np.zeros(missing + len(self._marks) // 16 + _INITIAL_URLS, np.uint8)
            self._marks = np.concatenate((self._marks, more))
