"""A request queue in the order of a policy, for the crawl of another framework.

`Crawl` requests every link in scope. Another crawler decides that itself: some
links of a page become requests, some do not, some requests are for no link, and
each has a priority. So the queue holds the requests of that crawler, ordered by
their priority and then by the score of their URL.

It is a heap, because the `Frontier` has one key and one entry for each URL; with
equal priorities the order is that of the frontier, ties included.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Goal, Page, Policy, Step
from lycosa.crawler.frontier import FrontierEntry
from lycosa.errors import ContractError

T = TypeVar("T")

# Marks in the array of scores, as in the frontier: every score is above NEW, none above TAKEN.
NEW = -np.inf
TAKEN = np.nan
NO_LIMIT = Budget()
SLACK = 1024  # outdated heap entries that are tolerated before the heap is rebuilt
NO_LINK = -1


class _QueuedRequest(Generic[T]):
    """A waiting request; `turn` marks the valid one of its heap entries."""

    __slots__ = ("item", "number", "priority", "turn")

    def __init__(self, item: T, number: int, priority: int) -> None:
        self.item = item
        self.number = number
        self.priority = priority
        self.turn = 0


class RequestQueue(Generic[T]):
    """Requests of any kind in the order of a policy.

    Requests without a score go first, as seeds do; equal ones first in, first
    out. `policy` scores the links of the pages that `observe` is given, `goal`
    rewards them, and `budget` is passed to the policy.

    >>> from lycosa.goals import Query
    >>> from lycosa.goals.profiles import Profile
    >>> from lycosa.spiders.keywords import Keywords
    >>> from lycosa.web.reader import Reader
    >>> reader = Reader()
    >>> order = RequestQueue(Keywords(Profile(("robots",))), Query("robots"))
    >>> page = reader.page("http://a.example/", b"<a href=x>News</a> <a href=y>Robots</a>")
    >>> order.observe(page, FrontierEntry(page.number, float("inf"), -1)).reward
    1.0
    >>> for name in "xy":
    ...     order.add(name, reader.urls.number(f"http://a.example/{name}"))
    >>> order.add("form")
    >>> order.pop()[0], order.pop()[0], order.pop()[0], order.pop()
    ('form', 'y', 'x', None)
    """

    def __init__(self, policy: Policy, goal: Goal, budget: Budget = NO_LIMIT) -> None:
        policy.start(budget)
        self.policy = policy
        self.goal = goal
        self.pages = 0
        self.found = 0
        self._heap: list[tuple[int, float, int, int, _QueuedRequest[T]]] = []
        self._queued: dict[int, list[_QueuedRequest[T]]] = {}  # by the URLs that have a score
        self._waiting = 0
        self._turn = 0
        # By URL number: the best score so far, when it was given, and by which page.
        self._score = np.full(SLACK, NEW)
        self._given = np.zeros(SLACK, np.int64)
        self._source = np.zeros(SLACK, np.int32)

    def __len__(self) -> int:
        return self._waiting

    def scored(self, number: int) -> bool:
        """Return whether a URL has a score and was not handed out yet."""
        return 0 <= number < len(self._score) and bool(self._score[number] > NEW)

    def knows_links(self, page: Page) -> bool:
        """Return whether all links of a page are known."""
        self._grow(int(page.targets.max(initial=0)) + 1)
        return not (self._score[page.targets] == NEW).any()

    def add(self, item: T, number: int = NO_LINK, priority: int = 0) -> None:
        """Queue a request, with the number of its URL if it is for a link."""
        scored = self.scored(number)
        request = _QueuedRequest(item, number if scored else NO_LINK, priority)
        self._waiting += 1
        if scored:
            self._queued.setdefault(number, []).append(request)
            self._push(request, self._score.item(number), self._given.item(number))
        else:
            self._push(request, np.inf, self._next(1))

    def pop(self) -> tuple[T, FrontierEntry] | None:
        """Remove and return the best request, with the frontier entry of its link."""
        while self._heap:
            _, score, turn, _, request = heappop(self._heap)
            if turn != request.turn:
                continue
            request.turn = NO_LINK
            self._waiting -= 1
            number = request.number
            if number < 0:
                return request.item, FrontierEntry(number, np.inf, NO_LINK)
            self._remove(request)
            self._score[number] = TAKEN
            return request.item, FrontierEntry(number, -score, self._source.item(number))
        return None

    def observe(self, page: Page, entry: FrontierEntry) -> Step:
        """Show a fetched page to the policy, and score its links; return the step."""
        reward = float(self.goal(page))
        if not 0 <= reward < np.inf:
            raise ContractError(
                f"Goal {self.goal.name!r} gave {page.url} the reward {reward!r}; "
                "a reward is a finite number, 0 or more."
            )
        self.pages += 1
        self.found += reward > 0
        step = Step(self.pages, page, reward, entry.source, entry.score)
        self._grow(page.number + 1)
        self._score[page.number] = TAKEN
        rescored = self.policy.observe(step)
        if rescored is not None:
            self._replace(rescored.numbers, self._checked(rescored.values, page))
        if len(page.targets):
            self._raise(page, self._checked(self.policy.score(page), page))
        return step

    def _raise(self, page: Page, scores: NDArray[np.float64]) -> None:
        """Set the scores of the links of a page where they are higher than before."""
        numbers = page.targets
        self._grow(int(numbers.max()) + 1)
        better = scores > self._score[numbers]
        numbers = numbers[better]
        self._source[numbers] = page.number
        self._set(numbers, scores[better])

    def _replace(self, numbers: NDArray[Any], values: NDArray[np.float64]) -> None:
        """Replace the scores of links; of two for one link the higher counts."""
        known = numbers < len(self._score)
        numbers, values = numbers[known], values[known]
        before = self._score[numbers]
        changed = (before > NEW) & (before != values)
        numbers, values = numbers[changed], values[changed]
        order = (-values).argsort(kind="stable")
        first = np.sort(np.unique(numbers[order], return_index=True)[1])
        self._set(numbers[order][first], values[order][first])

    def _set(self, numbers: NDArray[Any], scores: NDArray[np.float64]) -> None:
        first = self._next(len(numbers))
        self._score[numbers] = scores
        self._given[numbers] = np.arange(first, first + len(numbers))
        for number, score, turn in zip(
            numbers.tolist(), scores.tolist(), range(first, first + len(numbers)), strict=True
        ):
            for request in self._queued.get(number, ()):
                self._push(request, score, turn)
        if len(self._heap) > 2 * self._waiting + SLACK:
            self._heap = [entry for entry in self._heap if entry[2] == entry[4].turn]
            heapify(self._heap)

    def _push(self, request: _QueuedRequest[T], score: float, turn: int) -> None:
        request.turn = turn
        # Requests for one URL have one turn; they stay first in, first out.
        heappush(self._heap, (-request.priority, -score, turn, self._next(1), request))

    def _remove(self, request: _QueuedRequest[T]) -> None:
        others = self._queued[request.number]
        others.remove(request)
        if not others:
            del self._queued[request.number]

    def _next(self, count: int) -> int:
        first = self._turn
        self._turn += count
        return first

    def _checked(self, values: NDArray[Any], page: Page) -> NDArray[np.float64]:
        scores = np.asarray(values, np.float64)
        if not np.isfinite(scores).all():
            raise ContractError(
                f"Spider {self.policy.name!r} gave a link a score that is not finite when it had "
                f"seen {page.url}; scores are compared, so each must be a finite number."
            )
        return scores

    def _grow(self, size: int) -> None:
        extra = size + size // 4 - len(self._score)
        if size > len(self._score):
            self._score = np.concatenate((self._score, np.full(extra, NEW)))
            self._given = np.concatenate((self._given, np.zeros(extra, np.int64)))
            self._source = np.concatenate((self._source, np.zeros(extra, np.int32)))
