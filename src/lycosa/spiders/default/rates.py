"""Rates: the targets that a page brings per request, its best links included.

The rate of a target is 1. The rate of a page that leads to targets is what it
brings for the requests it costs: with its k best links that is (own reward + sum
of their rates) / (1 + k), for the best k. Jobs that open other jobs are done in
the order of such quotients (Sidney 1975, "Decomposition Algorithms for
Single-Machine Sequencing with Precedence Relations"); here a link counts as one
request, whatever lies behind it, so that a reward halves with each step of a
single path. There is no discount to choose.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.sites.graph import Graph

LEVELS = 3
"""Links ahead that count where the whole site is known."""


def rates(
    rewards: NDArray[Any], owners: NDArray[Any], link_rates: NDArray[Any]
) -> NDArray[np.float64]:
    """Return the rate of each page, given the page of each link and the link's rate.

    >>> rates(np.array([0.0, 1.0, 0.0]), np.array([0, 0, 0, 1]), np.array([0.1, 0.9, 0.8, 0.2]))
    array([0.56666667, 1.        , 0.        ])
    """
    best = np.asarray(rewards, np.float64).copy()
    if not len(owners):
        return best
    order = np.lexsort((-link_rates, owners))
    owner, rate = owners[order], link_rates[order]
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    sizes = np.diff(first, append=len(owner))
    total = rate.cumsum()
    total -= np.repeat(total[first] - rate[first], sizes)
    cost = 2 + np.arange(len(owner)) - np.repeat(first, sizes)
    gains = (best[owner] + total) / cost
    pages = owner[first]
    best[pages] = np.maximum(best[pages], np.maximum.reduceat(gains, first))
    return best


def rates_of(graph: Graph, seeds: Any, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rate of every page of a whole site.

    Only links that lead away from the seeds count, so that no target is counted
    repeatedly in a cycle.

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
