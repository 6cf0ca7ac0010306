"""Correlation clustering by greedy contraction with average linkage (Bailoni et al. 2022).

Pairs of nodes have weights: positive for "one cluster", negative for "different
clusters" (Bansal, Blum & Chawla 2004). The algorithm merges the two clusters with the
highest average weight between them, as long as an average is positive. A single strong
link cannot join clusters that many pairs hold apart, which limits the errors of
transitivity. With sums (Keuper et al. 2015), a node that fits two clusters would join
the larger one; with averages it joins the one that fits better.

Constraints keep clusters apart whatever the average between them is; pairs with the weight
`CERTAIN` are joined first, and whatever the constraints say.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush

from lycosa.papers.matching.constraints import Constraints

CERTAIN = 1 << 40
"""The weight of a pair that is one cluster; more than all other weights together."""


def cluster_greedily(
    size: int, weights: Iterable[tuple[int, int, int]], constraints: Constraints | None = None
) -> list[int]:
    """Return the cluster of each of `size` nodes; a cluster has the number of its least node.

    Weights are triples of two nodes and an integer; sums of integers do not depend on
    their order. All together are below 2**63. Of equal averages, the pair with the least nodes is
    merged first.

    >>> cluster_greedily(4, [(0, 1, 5), (1, 2, 3), (0, 2, -4), (2, 3, 1)])
    [0, 0, 2, 2]
    >>> cluster_greedily(3, [(0, 1, 5), (1, 2, 3)], Constraints([{7}, {7}, set()]))
    [0, 1, 1]
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
            continue  # merged or changed since
        if constraints is not None and found[0] < CERTAIN // 2 and not constraints.allow(i, j):
            continue
        if len(near[i]) < len(near[j]):
            i, j = j, i
        into[j] = i
        if constraints is not None:
            constraints.join(i, j)
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
    return _least_members(into)


def _least_members(into: list[int]) -> list[int]:
    least: dict[int, int] = {}
    clusters = []
    for node in range(len(into)):
        root = node
        while into[root] != root:
            into[root] = into[into[root]]
            root = into[root]
        clusters.append(least.setdefault(root, node))
    return clusters
