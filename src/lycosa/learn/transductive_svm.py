"""Transductive SVM: training also uses links whose value is not known (Joachims 1999).

The machine labels the unlabelled examples itself, in the proportions it expects. Their
weight grows from round to round, which moves the decision border into a gap between the
examples of the site being crawled. Where Joachims swaps pairs of labels, this implementation
assigns all labels again before every round.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.bins import Bins
from lycosa.learn.examples import LinkBags, TrainingLinks
from lycosa.learn.linear_model import LinearModel, softmax
from lycosa.learn.matrices import feature_matrix, site_matrix, split_channels
from lycosa.learn.svm import COST, calibration, machines, require_scikit_learn

ROUNDS = (0.01, 0.1, 0.5)
"""Sample weight of an unlabelled link in each round; a labelled link has 1."""


class TransductiveSVM:
    """Trainer that holds the labelled examples; `train` adds the links of a crawl.

    * `examples`: labelled links of other sites;
    * `bins`: classes of the values;
    * `seed`: seed of the solver;
    * `cost`: C of the machines.
    """

    def __init__(
        self, examples: TrainingLinks, bins: Bins, seed: int = 0, cost: float = COST
    ) -> None:
        require_scikit_learn()
        self._examples = examples
        self._bins = bins
        self._seed = seed
        self._cost = cost
        self._rows = feature_matrix(examples)
        self._bin_of = bins.of(examples.all_values)

    def train(self, unlabelled: LinkBags) -> LinearModel:
        """Return a model for the site of the unlabelled links."""
        from scipy import sparse

        count = self._bins.count
        new = site_matrix(self._examples, unlabelled)
        both = sparse.vstack((self._rows, new), format="csr")
        weights, bias = machines(self._rows, self._bin_of, count, self._cost, self._seed)
        rotation, shift = calibration(self._rows @ weights + bias, self._bin_of, count)
        # Every round keeps the proportions that the inductive machine expects of the new links.
        shares = softmax((new @ weights + bias) @ rotation + shift).mean(axis=0)
        for weight in ROUNDS:
            labels = _assign_labels((new @ weights + bias) @ rotation + shift, shares)
            which = np.concatenate((self._bin_of, labels))
            sample_weights = np.repeat((1.0, weight), (len(self._bin_of), len(labels)))
            weights, bias = machines(both, which, count, self._cost, self._seed, sample_weights)
            rotation, shift = calibration(self._rows @ weights + bias, self._bin_of, count)
        return LinearModel(
            self._examples.neighbourhood,
            self._examples.vocabularies,
            split_channels(self._examples, weights @ rotation),
            bias @ rotation + shift,
            self._bins.means(self._examples.all_values),
            root=True,
        )


def _assign_labels(
    exponents: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Assign each bin its share of the links; the most valuable bin chooses first."""
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
