"""Future: the discounted sum of what a greedy crawl from the link would find."""

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

TAIL = 1e-6
"""What is left out, at most, as a share of the first reward found (if all are equal)."""


@dataclass(frozen=True, slots=True)
class Future:
    """The discounted sum of rewards of the greedy optimal sequence that starts
    with the link (Rennie & McCallum 1999, section 2.3).

    The page itself is visited at time 0. Then the crawl goes, again and again,
    to the reward nearest to any page visited so far; every page on the way
    takes one unit of time, and each reward counts once.

    Of rewards equally near the one with the least page number is next; of
    shortest ways to it, the one that starts from the page visited first, then
    the one over the least page numbers.

    >>> graph = Graph.from_edges(4, [0, 1, 1], [1, 2, 3])
    >>> Future(gamma=0.5)(graph, np.array([0.0, 0.0, 1.0, 1.0])).tolist()
    [0.375, 0.75, 1.0, 1.0]
    """  # noqa: D205

    name: ClassVar[str] = "future"

    gamma: float = 0.5

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    @property
    def horizon(self) -> int:
        """How many units of time count from the first reward on.

        All later ones together are worth less than `TAIL` of the first reward,
        or of the largest reward at the time of the first if they differ.

        >>> Future(0.5).horizon, Future(0.9).horizon
        (21, 153)
        """
        return ceil(log(TAIL * (1 - self.gamma)) / log(self.gamma))

    def __call__(self, graph: Graph, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """For every page the value of a link to it."""
        goals = targets(graph, rewards)
        values = np.zeros(len(graph))
        if len(goals):
            # No crawl uses up more rewards than there is time for.
            near = Nearest.of(graph, goals, min(self.horizon, len(goals)))
            worth = np.asarray(rewards, np.float64).tolist()
            for page in np.flatnonzero(near.filled).tolist():
                values[page] = self._value(page, near, worth)
        return values

    def _value(self, start: int, near: Nearest, worth: list[float]) -> float:
        """Crawl from one page.

        The heap has one entry for every visited page that still knows of
        rewards: the key of the nearest one, the page's turn, and where in
        `near` that key stands.
        """
        gamma, horizon = self.gamma, self.horizon
        size, width, filled, keys = near.size, near.width, near.filled, near.keys
        visited: set[int] = set()
        heap: list[tuple[int, int, int]] = []
        value, time, end = 0.0, 0, horizon
        way = [start]
        if not worth[start]:
            end += keys[start * width] // size
        while True:
            for page in way:
                # A reward is first in its own row, where it is of no more use.
                used = 1 if worth[page] else 0
                if filled[page] > used:
                    position = page * width + used
                    heappush(heap, (keys[position], len(visited), position))
                visited.add(page)
            value += worth[way[-1]] * gamma**time
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
            way = near.way(position)
