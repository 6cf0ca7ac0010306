"""Greedy contraction with average linkage (Bailoni et al. 2022), for correlation clustering.

Pairs of nodes have weights: positive for "together", negative for "apart"
(Bansal, Blum & Chawla 2004). The two clusters whose pairs have the highest
weight on average are joined, and so on while an average is positive. One good
link cannot bring together what many pairs hold apart, which keeps transitivity
in check. By sums (Keuper et al. 2015) the larger of two clusters would win what
fits both; by averages the one that fits better does.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush


def cluster_greedily(size: int, weights: Iterable[tuple[int, int, int]]) -> list[int]:
    """The cluster of each of `size` nodes, named by its least node.

    Weights are whole numbers, so that no sum depends on the order of adding.
    Of equal averages the pair with the least nodes goes first.

    >>> cluster_greedily(4, [(0, 1, 5), (1, 2, 3), (0, 2, -4), (2, 3, 1)])
    [0, 0, 2, 2]
    """
    near: list[dict[int, tuple[int, int]]] = [{} for _ in range(size)]  # sums and counts
    heap = []
    for i, j, weight in weights:
        near[i][j] = near[j][i] = found = (weight, 1)
        if weight > 0:
            heap.append((float(-weight), i, j, found) if i < j else (float(-weight), j, i, found))
    heapify(heap)
    into = list(range(size))
    while heap:
        _, i, j, found = heappop(heap)
        if near[i].get(j) is not found:
            continue  # joined or changed since
        if len(near[i]) < len(near[j]):
            i, j = j, i
        into[j] = i
        kept, gone = near[i], near[j]
        del kept[j], gone[i]
        near[j] = {}
        for k, both in gone.items():
            other = near[k]
            del other[j]
            if k in kept:
                total, count = kept[k]
                both = (total + both[0], count + both[1])  # noqa: PLW2901
            kept[k] = other[i] = both
            if both[0] > 0:
                average = -both[0] / both[1]
                heappush(heap, (average, i, k, both) if i < k else (average, k, i, both))
    return _named_by_least(into)


def _named_by_least(into: list[int]) -> list[int]:
    least: dict[int, int] = {}
    clusters = []
    for node in range(len(into)):
        root = node
        while into[root] != root:
            into[root] = into[into[root]]
            root = into[root]
        clusters.append(least.setdefault(root, node))
    return clusters
