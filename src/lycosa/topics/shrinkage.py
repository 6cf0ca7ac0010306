"""Shrinkage: word probabilities of leaves, mixed with those of their ancestors.

McCallum, Rosenfeld, Mitchell & Ng 1998, "Improving text classification by shrinkage in a
hierarchy of classes". The estimate for a leaf is a mixture of its own words, the words of each
ancestor without those of the child below, and the uniform distribution. EM fits the weights of
the mixture to predict the words of each document from the other documents: otherwise the leaf,
which fits its own words best, would get all the weight.

Leaving every document out in turn would cost a pass over all words for each class. Instead the
count of a word in a leaf is lowered by the mean contribution of the documents that contain it.
That is exact where all contribute equally, and removes a word of a single document entirely.

>>> sums = np.array([[1.0, 9.0, 9.0], [2.0, 0.0, 1.0]])       # two leaves under a root
>>> mixed = Shrinkage([-1, 0, 0]).estimate(sums, squares=sums, lengths=np.array([4.0, 2.0]))
>>> [w.round(2).tolist() for w in mixed.weights]              # leaf, root, uniform
[[0.76, 0.0, 0.24], [0.02, 0.0, 0.98]]

The words of the second leaf come from two documents, and those of the first do not predict them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FIRST_STEPS, LATER_STEPS = 20, 4
"""EM steps of the weights for one set of counts: in the first round, and in later ones."""

WEIGHT_TOLERANCE = 1e-3
"""EM of the weights stops when all change by less."""

MIN_UNIFORM_WEIGHT = 1e-3
"""Least weight of the uniform distribution, so that no word is impossible."""


class ShrunkEstimate(NamedTuple):
    """Result of shrinkage.

    `logs` has a row for each leaf: the log-probability of each word. `weights[leaf]` are those of
    the leaf, its ancestors from the nearest to the root, and the uniform distribution.
    `likelihood` is the log-likelihood of the left-out words, by leaf.
    """

    logs: Array
    weights: list[Array]
    likelihood: Array


class Shrinkage:
    """Mixtures over a tree, given by the parent of each node (-1 for the root)."""

    def __init__(self, parents: Sequence[int] | NDArray[np.int32]) -> None:
        parents = np.asarray(parents)
        self.leaves = np.setdiff1d(np.arange(len(parents)), parents)
        self.chains: list[list[int]] = []
        self.below = np.zeros((len(parents), len(self.leaves)), np.float32)
        for k, leaf in enumerate(self.leaves.tolist()):
            chain = [leaf]
            while parents[chain[-1]] >= 0:
                chain.append(int(parents[chain[-1]]))
            self.chains.append(chain)
            self.below[chain, k] = 1

    def estimate(
        self,
        sums: Array,
        squares: Array,
        lengths: Array,
        weights: Sequence[Array] | None = None,
    ) -> ShrunkEstimate:
        """Fit the mixture of each leaf, starting from the weights of an earlier round if given.

        `sums[leaf, word]` is the expected count of a word in a leaf, `squares` the same with the
        contribution of each document squared, and `lengths[leaf]` the sum of the squared total
        contributions of the documents.
        """
        pools = self.below @ sums
        logs = np.empty(sums.shape, np.float32)
        found = []
        likelihood = np.empty(len(sums))
        for k, chain in enumerate(self.chains):
            levels = _levels(pools, chain)
            seen = np.flatnonzero(sums[k] > 0)
            total = float(sums[k].sum())
            if not len(seen):
                own = _weights_without_words(levels)
                likelihood[k] = 0.0
            else:
                known = sums[k, seen]
                held = levels[:, seen]
                rest = max(total - lengths[k] / total, 1e-9)
                held[0] = np.maximum(known - squares[k, seen] / known, 0) / rest
                start = None if weights is None else weights[k]
                own, likelihood[k] = _weights(held, known, np.asarray(levels.any(axis=1)), start)
            np.log(_mix(own.astype(np.float32), levels), out=logs[k])
            found.append(own)
        return ShrunkEstimate(logs, found, likelihood)

    def mixed(self, sums: Array, weights: Sequence[Array]) -> NDArray[np.float32]:
        """Return the log-probability of each word in each leaf, for given weights."""
        pools = self.below @ sums
        logs = np.empty(sums.shape, np.float32)
        for k, chain in enumerate(self.chains):
            np.log(_mix(weights[k].astype(np.float32), _levels(pools, chain)), out=logs[k])
        return logs


def _levels(pools: Array, chain: Sequence[int]) -> Array:
    """Return a distribution for each level: leaf, ancestors without the child below, uniform."""
    counts = pools[chain]
    counts[1:] -= pools[chain[:-1]]
    np.maximum(counts, 0, out=counts)  # differences of sums are not exact
    totals = counts.sum(axis=1, keepdims=True)
    # An ancestor without words of its own gets no distribution.
    counts *= totals > 1e-3
    shares = counts / np.maximum(totals, 1e-9)
    return np.vstack([shares, np.full((1, pools.shape[1]), 1 / pools.shape[1], shares.dtype)])


def _weights_without_words(levels: Array) -> Array:
    """Return the weights of a leaf without words: all on its nearest ancestor with words."""
    weights = np.zeros(len(levels))
    weights[np.flatnonzero(levels.any(axis=1))[0]] = 1 - MIN_UNIFORM_WEIGHT
    weights[-1] += MIN_UNIFORM_WEIGHT
    return weights


def _weights(
    held: Array, known: Array, alive: NDArray[np.bool_], start: Array | None
) -> tuple[Array, float]:
    """Return the weights that maximise the likelihood of left-out words, and its logarithm."""
    held = held.astype(np.float64)
    known = known.astype(np.float64)
    # No weight starts at 0, because EM would keep it there.
    even = alive / alive.sum()
    weights = even if start is None else 0.99 * start * alive + 0.01 * even
    weights = weights / weights.sum()
    for _ in range(FIRST_STEPS if start is None else LATER_STEPS):
        new = weights * np.einsum("lw,w->l", held, known / _mix(weights, held))
        new /= new.sum()
        done = np.abs(new - weights).max() < WEIGHT_TOLERANCE
        weights = new
        if done:
            break
    # No word may be impossible, because a new document may contain it.
    weights[-1] = max(weights[-1], MIN_UNIFORM_WEIGHT)
    weights /= weights.sum()
    return weights, float((known * np.log(_mix(weights, held))).sum())


def _mix(weights: Array, levels: Array) -> Array:
    # Not a matrix product: BLAS would start threads for less work than starting them takes.
    return np.asarray(np.einsum("l,lw->w", weights, levels))
