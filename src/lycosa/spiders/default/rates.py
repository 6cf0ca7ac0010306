"""Rates: how many targets a page brings for each request, its best links included.

A page that is a target is worth 1. A page that leads to targets is worth what
it brings for the requests it costs: with k of its links, the best ones, that
is (own reward + what the k are worth) / (1 + k), for the best k. Jobs that open
other jobs are done in the order of such quotients (Sidney 1975, "Decomposition
Algorithms for Single-Machine Sequencing with Precedence Relations"); here a
link counts as one request, whatever lies behind it, so that a reward halves
with each step where there is a single way. No discount has to be chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.sites.graph import Graph

LEVELS = 3
"""So many links ahead are looked at where a whole site is known."""


def rates(rewards: NDArray[Any], owners: NDArray[Any], worths: NDArray[Any]) -> NDArray[np.float64]:
    """The rate of each page, given whose the links are and what they are worth.

    >>> rates(np.array([0.0, 1.0, 0.0]), np.array([0, 0, 0, 1]), np.array([0.1, 0.9, 0.8, 0.2]))
    array([0.56666667, 1.        , 0.        ])
    """
    best = np.asarray(rewards, np.float64).copy()
    if not len(owners):
        return best
    order = np.lexsort((-worths, owners))
    owner, worth = owners[order], worths[order]
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    sizes = np.diff(first, append=len(owner))
    total = worth.cumsum()
    total -= np.repeat(total[first] - worth[first], sizes)
    cost = 2 + np.arange(len(owner)) - np.repeat(first, sizes)
    gains = (best[owner] + total) / cost
    pages = owner[first]
    best[pages] = np.maximum(best[pages], np.maximum.reduceat(gains, first))
    return best


def rates_of(graph: Graph, seeds: Any, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rate of every page of a whole site.

    Only links that lead away from the seeds count, so that no target is
    counted again and again in a circle.

    >>> graph = Graph.from_edges(4, [0, 1, 1], [1, 2, 3])
    >>> rates_of(graph, [0], np.array([0.0, 0.0, 1.0, 1.0])).round(3).tolist()
    [0.333, 0.667, 1.0, 1.0]
    """
    away = graph.distances(seeds)
    owners = np.repeat(np.arange(len(graph)), np.diff(graph.offsets))
    onward = away[graph.targets] > away[owners]
    owners, targets = owners[onward], graph.targets[onward]
    found = np.asarray(rewards, np.float64)
    for _ in range(LEVELS):
        found = rates(rewards, owners, found[targets])
    return found
