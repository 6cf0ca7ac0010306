"""Future: the discounted sum of the rewards of a greedy crawl from the link."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush, heapreplace
from math import ceil, log
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lycosa.sites.graph import Graph
from lycosa.spiders.criteria.criterion import check_gamma, targets
from lycosa.spiders.criteria.nearest import Nearest
from lycosa.spiders.criteria.powers import powers

MAX_TAIL = 1e-6
"""The sum left out, at most, as a share of the first reward found (if all are equal)."""


@dataclass(frozen=True, slots=True)
class Future:
    """The discounted sum of rewards of the greedy optimal sequence that starts
    with the link (Rennie & McCallum 1999, section 2.3).

    The page itself is visited at time 0. Then the crawl repeatedly goes to the
    reward nearest to any page visited so far; every page on the path takes one
    unit of time, and each reward counts once.

    Of equally near rewards the one with the least page number is next; of
    shortest paths to it, the one that starts from the page visited first, then
    the one over the least page numbers.

    >>> graph = Graph.from_edges(4, [0, 1, 1], [1, 2, 3])
    >>> Future(gamma=0.5)(graph, np.array([0.0, 0.0, 1.0, 1.0])).tolist()
    [0.375, 0.75, 1.0, 1.0]
    """  # noqa: D205

    name: ClassVar[str] = "future"
    """The key in `CRITERIA`."""

    gamma: float = 0.5
    """The discount for each step; between 0 and 1, both excluded."""

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    @property
    def horizon(self) -> int:
        """The number of time steps that count from the first reward on.

        All later rewards together are worth less than `MAX_TAIL` of the first reward,
        or of the largest reward at the time of the first if they differ.

        >>> Future(0.5).horizon, Future(0.9).horizon
        (21, 153)
        """
        return ceil(log(MAX_TAIL * (1 - self.gamma)) / log(self.gamma))

    def __call__(self, graph: Graph, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every page the value of a link to it."""
        goals = targets(graph, rewards)
        values = np.zeros(len(graph))
        if len(goals):
            # No crawl finds more rewards than it has time steps.
            near = Nearest.of(graph, goals, min(self.horizon, len(goals)))
            worth = np.asarray(rewards, np.float64).tolist()
            pages = np.flatnonzero(near.filled).tolist()
            first = max(near.keys[page * near.width] // near.size for page in pages)
            discounts = powers(self.gamma, first + self.horizon).tolist()
            for page in pages:
                values[page] = self._value(page, near, worth, discounts)
        return values

    def _value(
        self, start: int, near: Nearest, worth: list[float], discounts: list[float]
    ) -> float:
        """Return the value of one page by crawling from it.

        The heap has one entry for every visited page with rewards left in its
        row: the key of the nearest one, the page's turn, and the position of the
        key in `near`.
        """
        size, width, filled, keys = near.size, near.width, near.filled, near.keys
        visited: set[int] = set()
        heap: list[tuple[int, int, int]] = []
        value, time, end = 0.0, 0, self.horizon
        path = [start]
        if not worth[start]:
            end += keys[start * width] // size
        while True:
            for page in path:
                # The first reward in the row of a reward is the page itself.
                used = 1 if worth[page] else 0
                if filled[page] > used:
                    position = page * width + used
                    heappush(heap, (keys[position], len(visited), position))
                visited.add(page)
            value += worth[path[-1]] * discounts[time]
            while heap and heap[0][0] % size in visited:
                _, turn, position = heap[0]
                page, column = divmod(position, width)
                if column + 1 < filled[page]:
                    heapreplace(heap, (keys[position + 1], turn, position + 1))
                else:
                    heappop(heap)
            if not heap:
                return value
            key, _, position = heap[0]
            time += key // size
            if time >= end:
                return value
            path = near.path(position)
