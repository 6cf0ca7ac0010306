"""How much of what can be found a crawl has found, estimated while it runs.

Three things are known that say something about the targets still missing:

* **The frontier.** How many targets the links that wait will bring, judged by
  the links that were followed (`lycosa.crawler.recall_yield`).
* **The growth.** How many new URLs a page has brought of late: much of what a
  growing site holds is not even waiting yet.
* **Two captures.** Pages fetched at odd and at even turns are two catches of
  links. Targets that both caught, against those that only one did, tell how
  many neither did (Chapman 1951).

None is enough by itself. The logarithm of missing to found targets is a linear
function of their logarithms, one for each of three quantiles (Koenker and
Bassett 1978), with coefficients learned from crawls of recorded sites.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, floor, log
from typing import NamedTuple, TypeAlias

import numpy as np

from lycosa.core import Step
from lycosa.crawler.recall_yield import FrontierYield
from lycosa.errors import ContractError

# What is remembered of a URL: pages fetched at even or odd turns link to it; it came back.
BY_EVEN, BY_ODD, FETCHED = 1, 2, 4

Coefficients: TypeAlias = tuple[tuple[float, ...], ...]
"""For each of three quantiles the coefficients of `RecallEvidence.row`."""

QUANTILES = (0.05, 0.5, 0.95)

# Learned by `python -m bench.recall` from crawls of twelve recorded sites: five university
# departments (papers, faculty, courses, projects) and seven organisations (officers), each by
# breadth-first, random, depth-first and rl-future, at every 5 % of the pages from 10 to 95 %.
COEFFICIENTS: Coefficients = (
    (-2.410, 0.847, -0.448, -0.130),
    (0.260, 0.940, 0.044, 0.168),
    (2.367, 0.798, 0.721, 0.344),
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Targets found, the likely total, and the bounds of the share found (90 %).

    As long as nothing was found the share is unknown: 0, between 0 and 1.

    >>> print(Estimate(73, 100.0, 0.55, 0.88))
    about 73 % found (55-88 %)
    """

    found: int
    total: float
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of the targets that was found."""
        return self.found / self.total if self.found else 0.0

    def __str__(self) -> str:
        if not self.found:
            return "nothing found yet: the share is unknown"
        if self.low == 1:
            return "all found"
        share, low, high = (round(100 * x) for x in (self.share, self.low, self.high))
        return f"about {share} % found ({low}-{high} %)"


class RecallEvidence(NamedTuple):
    """What a crawl has seen that says how much is missing."""

    found: int
    waiting: int
    frontier: float
    """Targets expected among the links that wait."""
    growth: float
    """New URLs a page has brought of late."""
    uncaught: float
    """Targets that neither of the two captures caught."""

    def row(self) -> tuple[float, float, float, float]:
        """What the coefficients multiply; only shares, so it works at any scale."""
        found = self.found + 0.5
        return (
            1.0,
            log((self.frontier + 0.5) / found),
            log(self.growth + 0.05),
            log((self.uncaught + 0.5) / found),
        )

    def estimate(self, lines: Coefficients) -> Estimate:
        """The estimate by these coefficients."""
        if not self.found:
            return Estimate(0, 0.0, 0.0, 1.0)
        if not self.waiting:
            return Estimate(self.found, float(self.found), 1.0, 1.0)
        return estimate(self.found, self.row(), lines)


def estimate(found: int, row: Sequence[float], lines: Coefficients) -> Estimate:
    """The estimate that the coefficients of three quantiles give for one row, while links wait."""
    odds = [sum(x * c for x, c in zip(row, line, strict=True)) for line in lines]
    missing = [max(0.0, exp(min(each, 50.0)) * (found + 0.5) - 0.5) for each in odds]
    few, likely, many = sorted(missing)
    # Targets are whole: bounds that cut through one take it in. What waits may always be one.
    low, high = found / (found + max(1, ceil(many))), found / (found + floor(few))
    return Estimate(found, found + likely, low, high)


class Recall:
    """Watches a crawl and says which share of the targets within reach was found.

    It is told every step, and how many URLs are still to come back:
    `crawl.waiting + crawl.in_flight`. It costs some microseconds a link that is
    new, and five bytes for a known URL. A crawl may stop, for example, as soon
    as `estimate().low` is at least 0.8.

    A small site: a list of ten papers of which four were fetched.

    >>> from lycosa.content import Table, Tables
    >>> from lycosa.core import Page
    >>> urls = Table(["http://a.example/", *(f"http://a.example/{k}.ps" for k in range(10))])
    >>> tables = Tables(Table(), urls, Table())
    >>> recall = Recall()
    >>> home = Page(0, tables, np.arange(1, 11, dtype=np.int32))
    >>> recall.observe(Step(1, home, 0.0), waiting=10)
    >>> print(recall.estimate())
    nothing found yet: the share is unknown
    >>> for k in range(1, 5):
    ...     recall.observe(Step(k + 1, Page(k, tables), 1.0, 0), waiting=10 - k)
    >>> print(recall.estimate())
    about 46 % found (40-80 %)
    """

    __slots__ = ("_found", "_growth", "_links", "_marks", "_n", "_waiting", "_weights")

    def __init__(self) -> None:
        self._n = 0
        self._waiting = 0
        self._found = array("i")
        self._marks = np.zeros(1024, np.uint8)
        self._links: FrontierYield | None = None
        self._growth = 0.0  # new URLs by weight of the page that brought them
        self._weights = 0.0

    def observe(self, step: Step, waiting: int) -> None:
        """Take in one step of the crawl; `waiting` URLs are still to come back."""
        page, hit = step.page, step.reward > 0
        number, targets = page.number, page.targets
        self._make_room(max(number, int(targets.max())) if len(targets) else number)
        marks = self._marks
        if marks[number] & FETCHED:
            raise ContractError(
                f"Page {number} was observed twice: show each step of one crawl once, "
                "and begin another crawl with a new Recall."
            )
        if self._links is None:
            self._links = FrontierYield(page.tables.urls)
        self._n += 1
        self._waiting = waiting
        self._links.fetch(number, hit=hit)
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

    def estimate(self) -> Estimate:
        """The share found so far, with its bounds."""
        return self.evidence().estimate(COEFFICIENTS)

    def evidence(self) -> RecallEvidence:
        """What the estimate rests on."""
        found = len(self._found)
        if self._links is None:
            return RecallEvidence(0, self._waiting, 0.0, 0.0, 0.0)
        frontier, known = self._links.expected(), self._links.waiting
        # Seeds wait unseen by us, and a crawl may refuse links: those that wait are typical.
        frontier = frontier * self._waiting / known if known else self._links.rate * self._waiting
        growth = self._growth / self._weights
        return RecallEvidence(found, self._waiting, frontier, growth, self._uncaught())

    def _uncaught(self) -> float:
        marks = self._marks[np.array(self._found, np.intp)]
        even = int(np.count_nonzero(marks & BY_EVEN))
        odd = int(np.count_nonzero(marks & BY_ODD))
        both = int(np.count_nonzero((marks & (BY_EVEN | BY_ODD)) == (BY_EVEN | BY_ODD)))
        return max(0.0, (even + 1) * (odd + 1) / (both + 1) - 1 - len(marks))

    def _make_room(self, number: int) -> None:
        missing = number + 1 - len(self._marks)
        if missing > 0:
            more = np.zeros(missing + len(self._marks) // 4, np.uint8)
            self._marks = np.concatenate((self._marks, more))
