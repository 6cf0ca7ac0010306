"""Optimal: full knowledge, always to the nearest reward."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Page, Site, Step
from lycosa.sites.graph import Graph

FAR = np.iinfo(np.int32).max


class Optimal:
    """The upper reference point: it knows the graph and "always follows the path to
    the nearest reward" (Rennie & McCallum 1999, sections 2.3 and 3).

    Near means few requests from anything seen so far; every page on the way
    costs one. Of rewards equally near the one with the least URL number is
    next; of shortest ways to it, the one that was found first. Like the
    paper's, it is greedy: a good plan, not provably the best one.

    >>> from lycosa.sites.graph import Graph
    >>> graph = Graph.from_edges(5, [0, 0, 1, 2], [1, 2, 3, 4])
    >>> plan(graph, np.array([4]), np.array([0]))
    [0, 2, 4]
    """  # noqa: D205

    name = "optimal"

    def __init__(self, site: Site, goal: str) -> None:
        self._site = site
        self._goal = goal
        self._scores = np.zeros(0)

    def start(self, budget: Budget) -> None:
        """Make the whole plan: the score of a page is its turn in it, counted down."""
        site = self._site
        pages = plan(Graph.of(site), site.wanted(self._goal), site.seeds)
        self._scores = np.full(len(site), -float(len(pages)))
        self._scores[pages] = -np.arange(len(pages), dtype=float)

    def observe(self, step: Step) -> None:
        """Nothing it did not know."""

    def score(self, page: Page) -> NDArray[np.float64]:
        """Less for later in the plan, least for what is not in it."""
        return self._scores[page.targets]


def plan(graph: Graph, rewards: NDArray[np.integer], seeds: NDArray[np.integer]) -> list[int]:
    """The pages to request, in order, until the last reward that can be reached.

    Every page has a `distance`, the requests it takes to get there from the
    pages in the plan, and a page `before` it on the way. Pages that join the
    plan bring others nearer; only those are looked at again.
    """
    order: list[int] = list(dict.fromkeys(np.asarray(seeds).tolist()))
    wanted = np.zeros(len(graph), np.bool_)
    wanted[rewards] = True
    distance = np.full(len(graph), FAR, np.int32)
    before = np.full(len(graph), -1, np.int32)
    nearest: list[tuple[int, int]] = []  # (distance, reward), some of them out of date

    def join(pages: list[int]) -> None:
        level: Ints = np.array(pages, np.int32)
        distance[level] = 0
        steps = 0
        while len(level):
            steps += 1
            owner, found = graph.links(level)
            nearer = distance[found] > steps
            if not nearer.any():
                return
            # Backwards, because of two values for one index numpy keeps the last.
            found, sources = found[nearer][::-1], level[owner[nearer]][::-1]
            distance[found] = steps
            before[found] = sources
            level = np.unique(found)
            for reward in level[wanted[level]].tolist():
                heappush(nearest, (steps, reward))

    join(order)
    while nearest:
        steps, reward = heappop(nearest)
        if distance[reward] != steps:
            continue
        way = [reward]
        while distance[way[-1]] > 1:
            way.append(before.item(way[-1]))
        way.reverse()
        order += way
        join(way)
    return order
