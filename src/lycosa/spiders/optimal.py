"""Optimal: full knowledge of the site, always towards the nearest reward."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Page, Site, Step
from lycosa.errors import UsageError
from lycosa.sites.graph import Graph
from lycosa.spiders.factory import Setup

UNREACHED = np.iinfo(np.int32).max


class Optimal:
    """The upper reference point: it knows the graph and "always follows the path to
    the nearest reward" (Rennie & McCallum 1999, sections 2.3 and 3).

    The distance is the number of requests from any page fetched so far. Of
    equally near rewards the one with the least URL number is next; of shortest
    paths to it, the one that was found first. Like the paper's, it is greedy: a
    good plan, not provably the best one.

    `site` is the site to crawl, whose whole graph is read, and `goal` the name of
    that one of its goals whose targets are the rewards.

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

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Return a policy for the site of the setup, which a live crawl does not have."""
        if setup.site is None:
            raise UsageError(
                "The spider 'optimal' knows the whole site beforehand, so it runs in "
                "simulations only; choose another for a live crawl."
            )
        return cls(setup.site, setup.goal)

    def start(self, budget: Budget) -> None:
        """Plan the whole crawl: the score of a page is its position in the plan, negated."""
        site = self._site
        pages = plan(Graph.of(site), site.wanted(self._goal), site.seeds)
        self._scores = np.full(len(site), -float(len(pages)))
        self._scores[pages] = -np.arange(len(pages), dtype=float)

    def observe(self, step: Step) -> None:
        """Ignore the step: the plan is complete."""

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return less for later in the plan, least for what is not in it."""
        return self._scores[page.targets]


def plan(graph: Graph, rewards: NDArray[np.integer], seeds: NDArray[np.integer]) -> list[int]:
    """Return the pages to request, in order, until the last reachable reward.

    Every page has a `distance`, the requests it takes to get there from the
    pages in the plan, and a page `before` it on the path. Pages that join the
    plan shorten the distances of others; only those are visited again.
    """
    order: list[int] = list(dict.fromkeys(np.asarray(seeds).tolist()))
    wanted = np.zeros(len(graph), np.bool_)
    wanted[rewards] = True
    distance = np.full(len(graph), UNREACHED, np.int32)
    before = np.full(len(graph), -1, np.int32)
    nearest: list[tuple[int, int]] = []  # (distance, reward), some of them outdated

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
            # Reversed: numpy keeps the last of several values for one index, the first is wanted.
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
        path = [reward]
        while distance[path[-1]] > 1:
            path.append(before.item(path[-1]))
        path.reverse()
        order += path
        join(path)
    return order
