"""Word probabilities of leaves with few documents lean on those of their ancestors.

McCallum, Rosenfeld, Mitchell & Ng 1998, "Improving text classification by
shrinkage in a hierarchy of classes". The estimate for a leaf is a mixture: its
own words, the words of each ancestor without those of the child below, and the
uniform distribution. The weights of the mixture are found by EM so that they
predict words of a document from the other documents: otherwise the leaf, which
fits itself best, would take all.

Leaving every document out in turn would cost a pass over all words for each
class. Here a word's count in a leaf is lowered by what the documents that hold
it contribute on average; that is exact where all contribute alike, and takes
away all of a word that one document alone holds.

>>> sums = np.array([[1.0, 9.0, 9.0], [2.0, 0.0, 1.0]])       # two leaves under a root
>>> mixed = Shrinkage([-1, 0, 0]).estimate(sums, squares=sums, lengths=np.array([4.0, 2.0]))
>>> [w.round(2).tolist() for w in mixed.weights]              # leaf, root, uniform
[[0.76, 0.0, 0.24], [0.02, 0.0, 0.98]]

What the second leaf knows it has from two documents, and the first leaf is of no use to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FIRST_STEPS, LATER_STEPS = 20, 4
"""How often the weights are bettered for one set of counts: at first, and in later rounds."""

WEIGHT_TOLERANCE = 1e-3
"""Weights that change by less are done."""

MIN_UNIFORM_WEIGHT = 1e-3
"""The uniform distribution weighs no less."""


class ShrunkEstimate(NamedTuple):
    """What shrinkage found.

    `logs` has a row for each leaf: the logarithm of the probability of each
    word. `weights[leaf]` are those of the leaf, its ancestors from the nearest to
    the root, and the uniform distribution. `likelihood` is that of the words
    left out, by leaf.
    """

    logs: Array
    weights: list[Array]
    likelihood: Array


class Shrinkage:
    """The mixtures of a tree, given by the parent of each node (-1 for the root)."""

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
        """Mix for each leaf, beginning with the weights of an earlier round if there are some.

        `sums[leaf, word]` is how often a word is expected in a leaf, `squares`
        the same with what each document contributes squared, and `lengths[leaf]`
        the sum of the squares of what documents contribute in all.
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
                mine = _weights_without_words(levels)
                likelihood[k] = 0.0
            else:
                known = sums[k, seen]
                held = levels[:, seen]
                rest = max(total - lengths[k] / total, 1e-9)
                held[0] = np.maximum(known - squares[k, seen] / known, 0) / rest
                start = None if weights is None else weights[k]
                mine, likelihood[k] = _weights(held, known, np.asarray(levels.any(axis=1)), start)
            np.log(_mix(mine.astype(np.float32), levels), out=logs[k])
            found.append(mine)
        return ShrunkEstimate(logs, found, likelihood)

    def mixed(self, sums: Array, weights: Sequence[Array]) -> NDArray[np.float32]:
        """The logarithm of the probability of each word in each leaf, by weights that are known."""
        pools = self.below @ sums
        logs = np.empty(sums.shape, np.float32)
        for k, chain in enumerate(self.chains):
            np.log(_mix(weights[k].astype(np.float32), _levels(pools, chain)), out=logs[k])
        return logs


def _levels(pools: Array, chain: Sequence[int]) -> Array:
    """A row for each level: what the leaf says, each ancestor without its child, and nobody."""
    counts = pools[chain]
    counts[1:] -= pools[chain[:-1]]
    np.maximum(counts, 0, out=counts)  # differences of sums are not exact
    totals = counts.sum(axis=1, keepdims=True)
    # An ancestor that has nothing beside the child has nothing to say.
    counts *= totals > 1e-3
    shares = counts / np.maximum(totals, 1e-9)
    return np.vstack([shares, np.full((1, pools.shape[1]), 1 / pools.shape[1], shares.dtype)])


def _weights_without_words(levels: Array) -> Array:
    """The weights of a leaf without a word: its nearest ancestor with some says all."""
    weights = np.zeros(len(levels))
    weights[np.flatnonzero(levels.any(axis=1))[0]] = 1 - MIN_UNIFORM_WEIGHT
    weights[-1] += MIN_UNIFORM_WEIGHT
    return weights


def _weights(
    held: Array, known: Array, alive: NDArray[np.bool_], start: Array | None
) -> tuple[Array, float]:
    """The weights under which the words left out are likeliest, and how likely they are."""
    held = held.astype(np.float64)
    known = known.astype(np.float64)
    # None may begin at nothing, for it would stay there.
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
    # No word may be impossible, for a new document may hold it.
    weights[-1] = max(weights[-1], MIN_UNIFORM_WEIGHT)
    weights /= weights.sum()
    return weights, float((known * np.log(_mix(weights, held))).sum())


def _mix(weights: Array, levels: Array) -> Array:
    # A product would wake other threads for less than they take to wake.
    return np.asarray(np.einsum("l,lw->w", weights, levels))
