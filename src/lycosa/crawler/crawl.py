"""The crawl as a state machine: it decides, and does no input or output itself.

A runner asks `next` which URL to request and tells the crawl what came back.
Several requests may be under way at once; a simulation has one. A runner that
must be polite takes URLs ahead and holds them until their host may be asked.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Goal, Page, Policy, Scores, Step
from lycosa.crawler.frontier import Entry, Frontier
from lycosa.errors import ContractError
from lycosa.goals.combined import show


class Crawl:
    """One crawl: a policy that follows links from the seeds until the budget is spent.

    Seeds are requested first, in their order. `requested` counts the URLs
    handed out, `pages` the answers, `found` the targets; a URL is requested
    once, so a target counts once. Steps are numbered in the order of the answers.

    A policy that breaks its contract is told so by a `ContractError`.
    """

    def __init__(
        self,
        policy: Policy,
        goal: Goal,
        budget: Budget,
        seeds: NDArray[Any],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.policy = policy
        self.goal = goal
        self.budget = budget
        self.requested = 0
        self.pages = 0
        self.found = 0
        self.held = 0
        """How many URLs the runner was given and has not requested yet; it keeps this up."""
        self.rescores = False
        """Whether the policy has changed its mind about links that waited."""
        self._clock = clock
        self._began = clock()
        self._under_way: dict[int, Entry] = {}
        self._frontier = Frontier()
        policy.start(budget)
        if len(seeds):
            self._frontier.push(np.asarray(seeds), np.full(len(seeds), np.inf))

    @property
    def waiting(self) -> int:
        """How many URLs are known and not yet requested."""
        return len(self._frontier)

    @property
    def under_way(self) -> int:
        """How many requests have no answer yet."""
        return len(self._under_way)

    @property
    def best(self) -> float | None:
        """The score of the link that comes next, or None if nothing waits."""
        return self._frontier.best

    @property
    def reason(self) -> str | None:
        """Why there is no next request, or None while there may be one."""
        spent = self._spent()
        if spent is None and not self._under_way:
            best = self._frontier.best
            if best is None:
                return "frontier empty"
            if self._is_too_low(best):
                return "budget: score"
        return spent

    def next(self) -> int | None:
        """The number of the URL to request now.

        None: the budget is spent, or nothing waits (answers under way may
        still bring something; `reason` is None then).
        """
        if self._spent() is not None or self._is_too_low(self._frontier.best):
            return None
        entry = self._frontier.pop()
        if entry is None:
            return None
        self._hand_out(entry)
        return entry.number

    def take(self, number: int) -> None:
        """Hand out a URL out of turn, as if `next` had: for a runner that goes on where one ended.

        One that nobody has linked to counts as a seed.
        """
        self._hand_out(self._frontier.take(number) or Entry(number, math.inf, -1))

    def is_taken(self, number: int) -> bool:
        """Whether a URL was handed out, or is where a redirect led."""
        return self._frontier.is_taken(number)

    def claim(self, number: int) -> bool:
        """A redirect leads to this URL: whether it is new, and from now on nobody else's."""
        if self._frontier.is_taken(number):
            return False
        self._frontier.take(number)
        return True

    def put_back(self, number: int) -> None:
        """Let a URL that was handed out wait again."""
        self._frontier.put_back(self._end(number))
        self.requested -= 1

    def skip(self, number: int) -> None:
        """A URL that was handed out will not be requested."""
        self._end(number)
        self.requested -= 1

    def tell(self, page: Page, asked: int | None = None, reward: float | None = None) -> Step:
        """Take in what came back for a URL that `next` gave out.

        After a redirect the page has another number than what was `asked` for.
        The goal is not asked where the `reward` is known from an earlier run.
        """
        entry = self._end(page.number if asked is None else asked)
        if page.number != entry.number:
            self._frontier.take(page.number)
            # A goal that counts links sees the redirect as one.
            show(self.goal, Page(entry.number, page.tables, np.array([page.number], np.int32)))
        if reward is None:
            reward = self._reward(page)
        else:
            show(self.goal, page)
        self.pages += 1
        if reward > 0:
            self.found += 1
        step = Step(self.pages, page, reward, entry.source, entry.score)
        rescored = self.policy.observe(step)
        if rescored is not None:
            self._replace(rescored)
        if len(page.targets):
            self._frontier.push(page.targets, self._scores(page), page.number)
        return step

    def add(self, numbers: NDArray[Any]) -> None:
        """More seeds; what was requested before is not requested again."""
        self._frontier.push(numbers, np.full(len(numbers), np.inf))

    def again(self, number: int) -> None:
        """Let a URL that was told be requested once more, before all others; it costs nothing."""
        self._frontier.put_back(Entry(number, math.inf, -1))
        self.requested -= 1

    def tell_again(self, page: Page, asked: int, reward: float | None = None) -> Step:
        """Take in a page that was told before: its new links are followed.

        The policy does not observe it and `found` does not count it a second time.
        """
        entry = self._end(asked)
        if reward is None:
            reward = self._reward(page)
        else:
            show(self.goal, page)
        self.pages += 1
        if len(page.targets):
            self._frontier.push(page.targets, self._scores(page), page.number)
        return Step(self.pages, page, reward, entry.source, entry.score)

    def _hand_out(self, entry: Entry) -> None:
        self._under_way[entry.number] = entry
        self.requested += 1

    def _end(self, number: int) -> Entry:
        entry = self._under_way.pop(number, None)
        if entry is None:
            raise ContractError(
                f"Page {number} came back but is not under way: tell each page "
                "that next() asked for, once."
            )
        return entry

    def _is_too_low(self, score: float | None) -> bool:
        least = self.budget.score
        return least is not None and score is not None and score < least

    def _spent(self) -> str | None:
        budget = self.budget
        if budget.pages is not None and self.requested - self.held >= budget.pages:
            return "budget: pages"
        if budget.targets is not None and self.found >= budget.targets:
            return "budget: targets"
        if budget.seconds is not None and self._clock() - self._began >= budget.seconds:
            return "budget: seconds"
        return None

    def _reward(self, page: Page) -> float:
        reward = self.goal(page)
        value = reward if type(reward) is float else _float(reward)
        if not (math.isfinite(value) and value >= 0):
            raise ContractError(
                f"Goal {self.goal.name!r} gave {page.url} the reward {reward!r}; "
                "a reward is a finite number, 0 or more."
            )
        return value

    def _scores(self, page: Page) -> NDArray[np.float64]:
        scores = _floats(self.policy.score(page))
        if scores is None or scores.shape != page.targets.shape:
            raise ContractError(
                f"Spider {self.policy.name!r} must give one number for each of the "
                f"{len(page.targets)} links of {page.url}."
            )
        if not np.isfinite(scores).all():
            raise ContractError(
                f"Spider {self.policy.name!r} gave a link of {page.url} a score that is "
                "not finite; scores are compared, so each must be a finite number."
            )
        return scores

    def _replace(self, rescored: Scores) -> None:
        numbers, values = np.asarray(rescored[0]), _floats(rescored[1])
        if (
            values is None
            or numbers.ndim != 1
            or numbers.shape != values.shape
            or not np.isfinite(values).all()
            or (len(numbers) and (numbers.dtype.kind not in "iu" or numbers.min() < 0))
        ):
            raise ContractError(
                f"Spider {self.policy.name!r} returned new scores that are not two arrays of "
                "one length: URL numbers and finite values."
            )
        if len(numbers):
            self.rescores = True
            self._frontier.replace(numbers, values)


def _float(value: object) -> float:
    """A number of any kind as a float; what is no number becomes NaN."""
    return float(value) if isinstance(value, int | float | np.number) else math.nan


def _floats(values: object) -> NDArray[np.float64] | None:
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        return None
