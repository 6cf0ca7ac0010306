"""The crawl as a state machine: it decides, and does no input or output itself.

The rules:

1. A runner calls `next` for the URL to request, and `tell` with its page. It may
   have several requests in flight; a simulation has one.
2. Every URL is in one state, and `TRANSITIONS` has every change of it. A call
   that needs a URL in flight is a `ContractError` for any other; `add`, `link`
   and `claim` have no effect on a URL that is not in the table for them.
3. A URL is requested once, so a target counts once. Only `put_back`, after which
   it was never requested, and `request_again`, which costs nothing, make it wait
   again.
4. Of the URLs that wait the best score is next; of equal scores the first. Seeds
   have an infinite score: they come first, in their order. `random_seed` shakes
   the order of links that get equal scores at the same time, unless it is 0.
5. `tell` shows a page to the goal, then the step to the policy, then lets the
   policy score the links of the page, all in one call.
6. The budget counts requests, not pages: what is in flight counts. URLs that a
   polite runner holds until their host is due (`held`) do not.
7. Steps are numbered in the order of `tell`.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Goal, Page, Policy, Scores, Step
from lycosa.crawler.frontier import NEW, Frontier, FrontierEntry, SkippedLinks
from lycosa.errors import ContractError
from lycosa.goals.combined import show
from lycosa.snapshots import StateReader, StateWriter

_log = logging.getLogger("lycosa.crawler")

LinkRouter: TypeAlias = Callable[[Page, NDArray[np.float64]], tuple[NDArray[Any], NDArray[Any]]]
"""Returns the links of a page that this crawl follows, and their scores, given all scores."""


class UrlState(StrEnum):
    """The state of one URL in a crawl."""

    NEW = "new"
    """Never seen."""
    WAITING = "waiting"
    """In the frontier."""
    IN_FLIGHT = "in flight"
    """Given out by `next` or `take`, and not told yet."""
    DONE = "done"
    """Told, skipped, or the target of a redirect."""


TRANSITIONS: Mapping[tuple[UrlState, str], UrlState] = MappingProxyType(
    {
        (UrlState.NEW, "add"): UrlState.WAITING,
        (UrlState.NEW, "link"): UrlState.WAITING,
        (UrlState.NEW, "take"): UrlState.IN_FLIGHT,
        (UrlState.NEW, "claim"): UrlState.DONE,
        (UrlState.WAITING, "next"): UrlState.IN_FLIGHT,
        (UrlState.WAITING, "take"): UrlState.IN_FLIGHT,
        (UrlState.WAITING, "claim"): UrlState.DONE,
        (UrlState.IN_FLIGHT, "put_back"): UrlState.WAITING,
        (UrlState.IN_FLIGHT, "tell"): UrlState.DONE,
        (UrlState.IN_FLIGHT, "tell_again"): UrlState.DONE,
        (UrlState.IN_FLIGHT, "skip"): UrlState.DONE,
        (UrlState.DONE, "request_again"): UrlState.WAITING,
    }
)
"""The state that a call changes a URL to. `link`: another page that was told links to it."""


class Crawl:
    """One crawl: a policy that follows links from the seeds until the budget is spent.

    `requested` counts the URLs given out, `pages` the pages told and `found` the
    targets among them. A policy or goal that breaks its contract ends in a
    `ContractError`. `seeds` are numbers of URLs; the crawl calls `policy.start`.
    `clock` returns seconds, for a budget of seconds. `random_seed` is for rule 4.
    `router` takes out links that another crawl follows.
    """

    def __init__(
        self,
        policy: Policy,
        goal: Goal,
        budget: Budget,
        seeds: NDArray[Any],
        *,
        clock: Callable[[], float] = time.monotonic,
        random_seed: int = 0,
        router: LinkRouter | None = None,
    ) -> None:
        self.policy = policy
        self.goal = goal
        self.budget = budget
        self.requested = 0
        self.pages = 0
        self.found = 0
        self.held = 0
        """The number of URLs given out and not requested yet; a runner that holds URLs sets it."""
        self.rescores = False
        """Whether the policy has rescored links that waited."""
        self._router = router
        self._clock = clock
        self._started = clock()
        self._told = 0  # pages, without those that were told again
        self._in_flight: dict[int, FrontierEntry] = {}
        # Taken without a step: the targets of redirects in progress, and skipped URLs. When
        # the crawl is resumed from a checkpoint they wait again, or are new again.
        self._claimed: dict[int, FrontierEntry] = {}
        self._skipped = SkippedLinks()
        self._frontier = Frontier(random_seed)
        policy.start(budget)
        if len(seeds):
            self._frontier.push(np.asarray(seeds), np.full(len(seeds), np.inf))

    @property
    def waiting(self) -> int:
        """The number of URLs that wait."""
        return len(self._frontier)

    @property
    def in_flight(self) -> int:
        """The number of requests without a page yet."""
        return len(self._in_flight)

    @property
    def best(self) -> float | None:
        """The score of the link that is next; None if nothing waits."""
        return self._frontier.best

    @property
    def best_in_flight(self) -> float | None:
        """The best score of the URLs given out and not told; None if there are none."""
        return max((entry.score for entry in self._in_flight.values()), default=None)

    @property
    def reason(self) -> str | None:
        """Why there is no next request; None while there may be one."""
        spent = self._spent()
        if spent is None and not self._in_flight:
            best = self._frontier.best
            if best is None:
                return "frontier empty"
            if self._is_too_low(best):
                return "budget: score"
        return spent

    @property
    def is_over_budget(self) -> bool:
        """Whether more URLs were requested than the page budget allows."""
        return self.budget.pages is not None and self.requested - self.held > self.budget.pages

    def state(self, number: int) -> UrlState:
        """Return the state of a URL."""
        if number in self._in_flight:
            return UrlState.IN_FLIGHT
        if self._frontier.is_taken(number):
            return UrlState.DONE
        return UrlState.WAITING if self._frontier.is_waiting(number) else UrlState.NEW

    def next(self) -> int | None:
        """Return the number of the URL to request now.

        None if the budget is spent or nothing waits. While requests are in
        flight, their pages may bring new links; `reason` is None then.
        """
        if self._spent() is not None:
            return None
        if self.budget.score is not None and self._is_too_low(self._frontier.best):
            return None
        entry = self._frontier.pop()
        if entry is None:
            return None
        self._give_out(entry)
        return entry.number

    def take(self, number: int) -> None:
        """Give out a URL out of turn, as if `next` had: to replay an earlier run.

        A URL without a link to it counts as a seed.
        """
        self._give_out(self._frontier.take(number) or FrontierEntry(number, math.inf, -1))

    def is_taken(self, number: int) -> bool:
        """Return whether a URL was given out or claimed."""
        return self._frontier.is_taken(number)

    def claim(self, number: int) -> bool:
        """Claim the target of a redirect; return False if it was given out or claimed before."""
        if self._frontier.is_taken(number):
            return False
        self._claimed[number] = self._frontier.take(number) or FrontierEntry(number, NEW, -1)
        return True

    def settle(self, numbers: Iterable[int]) -> None:
        """Record that claimed URLs belong to a step that was told."""
        for number in numbers:
            self._claimed.pop(number, None)

    def put_back(self, number: int) -> None:
        """Let a URL that was given out, and not requested, wait again."""
        self._frontier.put_back(self._end(number))
        self.requested -= 1

    def skip(self, number: int) -> None:
        """Record that a URL that was given out will not be requested in this run."""
        self._skipped.add(self._end(number))
        self.requested -= 1

    def tell(self, page: Page, requested: int | None = None, reward: float | None = None) -> Step:
        """Record the page of a URL that was given out; return the step.

        After a redirect the page has another number than the `requested` URL.
        With a `reward`, known from an earlier run, the goal does not judge the page.
        """
        entry = self._end(page.number if requested is None else requested)
        if page.number != entry.number:
            self._frontier.take(page.number)
            # A goal that counts links counts the redirect as one.
            show(self.goal, Page(entry.number, page.tables, np.array([page.number], np.int32)))
        if reward is None:
            reward = self._reward(page)
        else:
            show(self.goal, page)
        self.pages += 1
        self._told += 1
        if reward > 0:
            self.found += 1
        step = Step(self.pages, page, reward, entry.source, entry.score)
        rescored = self.policy.observe(step)
        if rescored is not None:
            self._replace(rescored)
        self._push_links(page)
        return step

    def add(self, numbers: NDArray[Any]) -> None:
        """Add seeds; URLs that were given out before are ignored."""
        self._frontier.push(numbers, np.full(len(numbers), np.inf))

    def link(self, numbers: NDArray[Any], scores: NDArray[Any], source: int = -1) -> None:
        """Add links that were scored elsewhere; `source` is the page that has them, if known."""
        self._frontier.push(numbers, scores, source)

    def request_again(self, number: int) -> None:
        """Let a URL that was told wait again, before all others; it costs no budget."""
        self._frontier.put_back(FrontierEntry(number, math.inf, -1))
        self.requested -= 1

    def tell_again(self, page: Page, requested: int, reward: float | None = None) -> Step:
        """Record a page that was told before: its new links are followed.

        The policy does not observe it again, and `found` does not count it again.
        """
        entry = self._end(requested)
        if reward is None:
            reward = self._reward(page)
        else:
            show(self.goal, page)
        self.pages += 1
        self._push_links(page)
        return Step(self.pages, page, reward, entry.source, entry.score)

    def save(self, state: StateWriter) -> None:
        """Save the counters and the frontier, without the policy."""
        counters = [self.pages, self.found, self._told, self.rescores]
        state.value("counters", counters)
        open_links = [*self._claimed.values(), *self._in_flight.values()]
        state.value("open", [list(entry) for entry in open_links])
        self._skipped.save(state.part("skipped"))
        self._frontier.save(state.part("frontier"))

    def restore(self, state: StateReader, told: NDArray[Any]) -> None:
        """Take over the counters and the frontier of a saved crawl.

        What was in flight, skipped or claimed by a redirect in progress waits again.
        `told` are the numbers of the URLs of all steps: they are not requested again.
        """
        self.pages, self.found, self._told, self.rescores = state.value("counters")
        self.requested = self._told
        skipped = SkippedLinks.restored(state.part("skipped"))
        open_links = (FrontierEntry(*entry) for entry in state.value("open"))
        self._frontier.restore(state.part("frontier"), [*skipped, *open_links], told)
        self._in_flight, self._claimed, self._skipped = {}, {}, SkippedLinks()

    def _give_out(self, entry: FrontierEntry) -> None:
        self._in_flight[entry.number] = entry
        self.requested += 1

    def _end(self, number: int) -> FrontierEntry:
        entry = self._in_flight.pop(number, None)
        if entry is None:
            raise ContractError(
                f"URL {number} is not in flight: tell, skip or put back each URL that next() "
                "returned, once."
            )
        return entry

    def _is_too_low(self, score: float | None) -> bool:
        minimum = self.budget.score
        return minimum is not None and score is not None and score < minimum

    def _spent(self) -> str | None:
        budget = self.budget
        if budget.pages is not None and self.requested - self.held >= budget.pages:
            return "budget: pages"
        if budget.targets is not None and self.found >= budget.targets:
            return "budget: targets"
        if budget.seconds is not None and self._clock() - self._started >= budget.seconds:
            return "budget: seconds"
        return None

    def _reward(self, page: Page) -> float:
        reward = self.goal(page)
        value = reward if type(reward) is float else _float(reward)
        if not (math.isfinite(value) and value >= 0):
            raise ContractError(
                f"Goal {self.goal.name!r} gave {page.url} the reward {reward!r}: "
                "return a finite number, 0 or more."
            )
        return value

    def _push_links(self, page: Page) -> None:
        if len(page.targets):
            numbers, scores = page.targets, self._scores(page)
            if self._router is not None:
                numbers, scores = self._router(page, scores)
            self._frontier.push(numbers, scores, page.number)

    def _scores(self, page: Page) -> NDArray[np.float64]:
        scores = _floats(self.policy.score(page))
        if scores is None or scores.shape != page.targets.shape:
            raise ContractError(
                f"Spider {self.policy.name!r} must return one score for each of the "
                f"{len(page.targets)} links of {page.url}."
            )
        if np.count_nonzero(np.isfinite(scores)) < len(scores):
            raise ContractError(
                f"Spider {self.policy.name!r} gave a link of {page.url} a score that is "
                "not finite: scores are compared, so return finite numbers."
            )
        return scores

    def _replace(self, rescored: Scores) -> None:
        numbers, values = np.asarray(rescored[0]), _floats(rescored[1])
        if (
            values is None
            or numbers.ndim != 1
            or numbers.shape != values.shape
            or np.count_nonzero(np.isfinite(values)) < len(values)
            or (len(numbers) and (numbers.dtype.kind not in "iu" or np.minimum.reduce(numbers) < 0))
        ):
            raise ContractError(
                f"Spider {self.policy.name!r} returned new scores that are not two arrays of "
                "one length: return URL numbers and finite values."
            )
        if len(numbers):
            self.rescores = True
            self._frontier.replace(numbers, values)


def _float(value: object) -> float:
    """Convert a number of any kind to a float, anything else to NaN."""
    return float(value) if isinstance(value, int | float | np.number) else math.nan


def _floats(values: object) -> NDArray[np.float64] | None:
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        _log.debug("Scores are not numbers", exc_info=True)
        return None
