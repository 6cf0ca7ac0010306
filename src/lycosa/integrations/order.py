"""The order of a crawl that somebody else runs.

`Crawl` decides which links are requested at all. Another crawler has its own
mind about that: some links of a page become requests, some do not, some are
requests of its own, and each has a priority. So what waits here are the
requests it made, by their priority first and by the score of their URL second.

A heap holds them, because the `Frontier` knows one key and one entry for each
URL; with equal priorities the order is that of the frontier, to the last tie.
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

# Marks in the array of scores, as in the frontier: every score is better than NEW, none than TAKEN.
NEW = -np.inf
TAKEN = np.nan
NO_LIMIT = Budget()
SLACK = 1024  # a heap this much too long is not worth making anew
NOBODY = -1


class _Place(Generic[T]):
    """A request that waits; its turn says which of its entries in the heap is the valid one."""

    __slots__ = ("item", "number", "priority", "turn")

    def __init__(self, item: T, number: int, priority: int) -> None:
        self.item = item
        self.number = number
        self.priority = priority
        self.turn = 0


class Order(Generic[T]):
    """Requests of any kind in the order of a policy.

    What has no score goes before what has one, as seeds do; equals go first
    in, first out.

    >>> from lycosa.goals import Query
    >>> from lycosa.goals.profiles import Profile
    >>> from lycosa.spiders.keywords import Keywords
    >>> from lycosa.web.reader import Reader
    >>> reader = Reader()
    >>> order = Order(Keywords(Profile(("robots",))), Query("robots"))
    >>> page = reader.page("http://a.example/", b"<a href=x>News</a> <a href=y>Robots</a>")
    >>> order.tell(page, FrontierEntry(page.number, float("inf"), -1)).reward
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
        self._heap: list[tuple[int, float, int, int, _Place[T]]] = []
        self._places: dict[int, list[_Place[T]]] = {}  # of the URLs that have a score
        self._waiting = 0
        self._turn = 0
        # By URL number: the best score so far, when it was given, and by which page.
        self._score = np.full(SLACK, NEW)
        self._given = np.zeros(SLACK, np.int64)
        self._source = np.zeros(SLACK, np.int32)

    def __len__(self) -> int:
        return self._waiting

    def scored(self, number: int) -> bool:
        """Whether a URL is a link that has a score and was not handed out yet."""
        return 0 <= number < len(self._score) and bool(self._score[number] > NEW)

    def knows(self, page: Page) -> bool:
        """Whether all links of a page were met before."""
        self._grow(int(page.targets.max(initial=0)) + 1)
        return not (self._score[page.targets] == NEW).any()

    def add(self, item: T, number: int = NOBODY, priority: int = 0) -> None:
        """Let a request wait, with the number of its URL if it is for a link."""
        scored = self.scored(number)
        place = _Place(item, number if scored else NOBODY, priority)
        self._waiting += 1
        if scored:
            self._places.setdefault(number, []).append(place)
            self._push(place, self._score.item(number), self._given.item(number))
        else:
            self._push(place, np.inf, self._next(1))

    def pop(self) -> tuple[T, FrontierEntry] | None:
        """Take the best, with what is known of the link it is for."""
        while self._heap:
            _, score, turn, _, place = heappop(self._heap)
            if turn != place.turn:
                continue
            place.turn = NOBODY
            self._waiting -= 1
            number = place.number
            if number < 0:
                return place.item, FrontierEntry(number, np.inf, NOBODY)
            self._forget(place)
            self._score[number] = TAKEN
            return place.item, FrontierEntry(number, -score, self._source.item(number))
        return None

    def tell(self, page: Page, entry: FrontierEntry) -> Step:
        """Take in what came back for a request, and score the links it has."""
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
        """Give the links of a page their scores, where those are better than before."""
        numbers = page.targets
        self._grow(int(numbers.max()) + 1)
        better = scores > self._score[numbers]
        numbers = numbers[better]
        self._source[numbers] = page.number
        self._set(numbers, scores[better])

    def _replace(self, numbers: NDArray[Any], values: NDArray[np.float64]) -> None:
        """Give links new scores, better or worse; of two for one link the better counts."""
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
            for place in self._places.get(number, ()):
                self._push(place, score, turn)
        if len(self._heap) > 2 * self._waiting + SLACK:
            self._heap = [entry for entry in self._heap if entry[2] == entry[4].turn]
            heapify(self._heap)

    def _push(self, place: _Place[T], score: float, turn: int) -> None:
        place.turn = turn
        # Requests for one URL have one turn; the first that came is the first that goes.
        heappush(self._heap, (-place.priority, -score, turn, self._next(1), place))

    def _forget(self, place: _Place[T]) -> None:
        others = self._places[place.number]
        others.remove(place)
        if not others:
            del self._places[place.number]

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
