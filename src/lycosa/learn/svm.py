"""Linear support vector machine with calibrated probabilities.

Motahari Nezhad & Barfourosh 2003 put an SVM in the place of naive Bayes. Training fits one
machine for each bin against the others (Joachims 1998), then calibrates: a multinomial
logistic regression turns the decisions on links of held-out sites into probabilities (after
Platt 1999).

The machines are those of scikit-learn, an optional dependency (`pip install 'lycosa[svm]'`).
A trained model is a `LinearModel` and needs it no longer.

>>> decisions = np.array([[2.0, -2.0], [1.0, -1.0], [-1.0, 1.0], [-2.0, 2.0]])
>>> rotation, shift = calibration(decisions, np.array([0, 0, 1, 1]), 2)
>>> (decisions @ rotation + shift).argmax(axis=1).tolist()
[0, 0, 1, 1]
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.errors import UsageError
from lycosa.learn.bins import Bins
from lycosa.learn.examples import TrainingLinks
from lycosa.learn.linear_model import LinearModel
from lycosa.learn.matrices import feature_matrix, split_channels

_log = logging.getLogger("lycosa.learn")

COST = 0.3
"""C of the machine: chosen by leave-one-site-out among 0.03, 0.1, 0.3 and 1."""

IMPOSSIBLE = -30.0
"""Exponent of a bin without examples: its probability is about 1e-13."""


def require_scikit_learn() -> None:
    """Raise a `UsageError` that says what to install if scikit-learn is missing.

    Finding it takes microseconds, importing it more than a second.
    """
    try:
        found = find_spec("sklearn") is not None
    except (ImportError, ValueError):
        _log.debug("scikit-learn cannot be found", exc_info=True)
        found = False
    if not found:
        raise UsageError(
            "Training an SVM spider needs scikit-learn, which is not installed; "
            "install it with: pip install 'lycosa[svm]'"
        )


def train_svm(
    examples: TrainingLinks, bins: Bins, seed: int = 0, cost: float = COST, rows: Any = None
) -> LinearModel:
    """Train a calibrated machine for each bin and return them as one linear model.

    `rows` is `feature_matrix(examples)` if the caller has it already.
    """
    require_scikit_learn()
    if rows is None:
        rows = feature_matrix(examples)
    values = examples.all_values
    which = bins.of(values)
    weights, bias = machines(rows, which, bins.count, cost, seed)
    folds = _folds(examples, which)
    decisions = rows @ weights + bias
    for fold in np.unique(folds):
        rest = folds != fold
        # The only link of a bin keeps the decision of the machines that saw it: machines
        # trained without it would never have seen its bin.
        held = ~rest & np.isin(which, which[rest])
        w, b = machines(rows[rest], which[rest], bins.count, cost, seed)
        decisions[held] = rows[held] @ w + b
    rotation, shift = calibration(decisions, which, bins.count)
    return LinearModel(
        examples.neighbourhood,
        examples.vocabularies,
        split_channels(examples, weights @ rotation),
        bias @ rotation + shift,
        bins.means(values),
        root=True,
    )


def _folds(examples: TrainingLinks, which: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the fold of each link: its site, if every bin has links of two sites or more.

    Otherwise the folds take every third link of each bin, so that every bin is in every
    training set.
    """
    sizes = [len(links) for links in examples.sites]
    site = np.repeat(np.arange(len(sizes)), sizes)
    present = np.unique(which)
    if all(len(np.unique(site[which == k])) > 1 for k in present):
        return site
    thirds = np.zeros(len(which), np.int64)
    for k in present:
        members = np.flatnonzero(which == k)
        thirds[members] = np.arange(len(members)) % 3
    return thirds


def machines(
    rows: Any,
    which: NDArray[np.int64],
    count: int,
    cost: float,
    seed: int,
    sample_weights: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Train one machine for each bin; return their weights (columns) and biases.

    A bin without examples always decides -1, and a bin with all examples always +1. Each
    example has its sample weight, 1 if not given.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    weights = np.zeros((rows.shape[1], count))
    bias = np.full(count, -1.0)
    for k in range(count):
        positive = which == k
        if positive.any() and not positive.all():
            # Few links lead straight to a target: class weights balance both sides.
            # With the text of whole pages the last digits converge slowly; a hundred
            # iterations give the same spider.
            machine = LinearSVC(
                C=cost, class_weight="balanced", tol=1e-2, max_iter=100, random_state=seed
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                machine.fit(rows, positive, sample_weight=sample_weights)
            weights[:, k] = machine.coef_[0]
            bias[k] = machine.intercept_[0]
        elif positive.any():
            bias[k] = 1.0
    return weights, bias


def calibration(
    decisions: NDArray[np.float64], which: NDArray[np.int64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the matrix and shift that turn decisions into the exponents of a softmax."""
    from sklearn.linear_model import LogisticRegression

    present: Sequence[int] = np.unique(which).tolist()
    rotation = np.zeros((count, count))
    shift = np.full(count, IMPOSSIBLE)
    if len(present) == 1:
        shift[present[0]] = 0.0
        return rotation, shift
    fit = LogisticRegression(C=100.0, max_iter=2000)
    fit.fit(decisions, which)
    if len(present) == 2:  # scikit-learn then keeps only the row of the second class
        rotation[:, present[1]] = fit.coef_[0]
        shift[present] = [0.0, fit.intercept_[0]]
    else:
        rotation[:, present] = fit.coef_.T
        shift[present] = fit.intercept_
    return rotation, shift
