"""Greedy additive edge contraction (Keuper et al. 2015), for correlation clustering.

Pairs of nodes have weights: positive for "together", negative for "apart"
(Bansal, Blum & Chawla 2004). The two clusters with the most weight between
them are joined, weights to a third are added up, and so on while a weight is
positive. One good link cannot bring together what many pairs hold apart, which
keeps transitivity in check.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush


def contract(size: int, weights: Iterable[tuple[int, int, int]]) -> list[int]:
    """The cluster of each of `size` nodes, named by its least node.

    Weights are whole numbers, so that no sum depends on the order of adding.
    Of equal weights the pair with the least nodes goes first.

    >>> contract(4, [(0, 1, 5), (1, 2, 3), (0, 2, -4), (2, 3, 1)])
    [0, 0, 2, 2]
    """
    near: list[dict[int, int]] = [{} for _ in range(size)]
    for i, j, weight in weights:
        near[i][j] = near[j][i] = weight
    heap = [(-w, i, j) for i, row in enumerate(near) for j, w in row.items() if i < j and w > 0]
    heapify(heap)
    into = list(range(size))
    while heap:
        weight, i, j = heappop(heap)
        if near[i].get(j) != -weight:
            continue  # joined or changed since
        if len(near[i]) < len(near[j]):
            i, j = j, i
        into[j] = i
        kept, gone = near[i], near[j]
        del kept[j], gone[i]
        near[j] = {}
        for k, more in gone.items():
            del near[k][j]
            kept[k] = near[k][i] = weight = kept.get(k, 0) + more
            if weight > 0:
                heappush(heap, (-weight, min(i, k), max(i, k)))
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
