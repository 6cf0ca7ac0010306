"""Spherical k-means: clusters of unit vectors by direction (Dhillon & Modha 2001).

Initial centres are drawn far from each other (k-means++, Arthur & Vassilvitskii 2007) with a
fixed seed, so the same rows give the same clusters.

>>> rows = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [0.8, -0.6]])
>>> spherical_k_means(rows, 2).groups.tolist()
[0, 1, 1, 0]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[Any]
MAX_ROUNDS = 40
STARTS = 3
"""Sets of initial centres that are tried; the best result counts."""


class Clustering(NamedTuple):
    """A partition of rows into groups.

    `groups` has the group of each row, `centres` a unit vector for each group, and `nearness` is
    the sum of the cosines of all rows with their centres, which the algorithm maximises.
    """

    groups: NDArray[np.int64]
    centres: Array
    nearness: float


def spherical_k_means(rows: Array, size: int, starts: int = STARTS) -> Clustering:
    """Cluster rows into at most `size` groups; none is empty."""
    chance = np.random.default_rng(0)
    found = [_iterate(rows, _initial_centres(rows, size, chance)) for _ in range(starts)]
    best = max(found, key=lambda groups: groups.nearness)
    # Groups are numbered in the order of their first rows, independent of the start.
    _, first, numbers = np.unique(best.groups, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    kept = np.unique(best.groups)[order]
    return Clustering(rank[numbers], best.centres[kept], best.nearness)


def group_sums(groups: NDArray[np.int64], size: int, rows: Array | sparse.csr_matrix) -> Array:
    """Return the sum of the rows of each group."""
    places = groups, np.arange(len(groups))
    choice = sparse.csr_matrix((np.ones(len(groups), rows.dtype), places), (size, len(groups)))
    found = choice @ rows
    return np.asarray(found.toarray() if sparse.issparse(found) else found)


def _initial_centres(rows: Array, size: int, chance: np.random.Generator) -> Array:
    chosen = [int(chance.integers(len(rows)))]
    apart = np.maximum(1 - rows @ rows[chosen[0]], 0).astype(np.float64)
    while len(chosen) < size and apart.sum() > 1e-9:
        chosen.append(int(chance.choice(len(rows), p=apart / apart.sum())))
        apart = np.minimum(apart, np.maximum(1 - rows @ rows[chosen[-1]], 0))
    return rows[chosen]


def _iterate(rows: Array, centres: Array) -> Clustering:
    groups = np.full(len(rows), -1, np.int64)
    for _ in range(MAX_ROUNDS):
        near = rows @ centres.T
        now = near.argmax(axis=1)
        moved = np.mean(now != groups)
        groups = now
        if moved < 1e-3:
            break
        new = group_sums(groups, len(centres), rows)
        lengths = np.linalg.norm(new, axis=1, keepdims=True)
        # The centre of an empty group stays where it was.
        centres = np.where(lengths > 1e-9, new / np.maximum(lengths, 1e-9), centres)
    return Clustering(groups, centres, float(near.max(axis=1).sum()))
