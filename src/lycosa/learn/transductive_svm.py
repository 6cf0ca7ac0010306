"""Transductive SVM: the machine also listens to links whose value is not known.

Joachims 1999: the unlabelled examples are labelled by the machine itself, in
the shares it expects, and count more and more as training goes on, so that the
border is pushed through a gap between the examples of the site being crawled.
Labels are given anew before every round instead of being swapped in pairs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.bins import Bins
from lycosa.learn.examples import Examples, Links
from lycosa.learn.linear_model import LinearModel, softmax
from lycosa.learn.matrices import matrix, site_matrix, split
from lycosa.learn.svm import COST, calibration, machines

ROUNDS = (0.01, 0.1, 0.5)
"""How much an unlabelled link weighs against a labelled one, round after round."""


class TransductiveSVM:
    """Holds the labelled examples; `train` adds the links that a crawl has seen."""

    def __init__(self, examples: Examples, bins: Bins, seed: int = 0, cost: float = COST) -> None:
        self._examples = examples
        self._bins = bins
        self._seed = seed
        self._cost = cost
        self._rows = matrix(examples)
        self._which = bins.of(examples.all_values)

    def train(self, unlabelled: Links) -> LinearModel:
        """A model for the site that the unlabelled links come from."""
        from scipy import sparse

        count = self._bins.count
        new = site_matrix(self._examples, unlabelled)
        both = sparse.vstack((self._rows, new), format="csr")
        weights, bias = machines(self._rows, self._which, count, self._cost, self._seed)
        turn, shift = calibration(self._rows @ weights + bias, self._which, count)
        # The shares that the inductive machine expects among the new links are kept.
        shares = softmax((new @ weights + bias) @ turn + shift).mean(axis=0)
        for weight in ROUNDS:
            labels = _labelled((new @ weights + bias) @ turn + shift, shares)
            which = np.concatenate((self._which, labels))
            trust = np.repeat((1.0, weight), (len(self._which), len(labels)))
            weights, bias = machines(both, which, count, self._cost, self._seed, trust)
            turn, shift = calibration(self._rows @ weights + bias, self._which, count)
        return LinearModel(
            self._examples.neighbourhood,
            self._examples.vocabularies,
            split(self._examples, weights @ turn),
            bias @ turn + shift,
            self._bins.means(self._examples.all_values),
            root=True,
        )


def _labelled(exponents: NDArray[np.float64], shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """Give each bin its share of the links, the most valuable bin choosing first."""
    labels = np.full(len(exponents), len(shares) - 1, np.int64)
    free = np.ones(len(exponents), np.bool_)
    for k, share in enumerate(shares[:-1]):
        wanted = round(share * len(exponents))
        others = np.delete(exponents, np.s_[: k + 1], axis=1).max(axis=1)
        order = np.argsort(-(exponents[:, k] - others), kind="stable")
        chosen = order[free[order]][:wanted]
        labels[chosen] = k
        free[chosen] = False
    return labels
