"""Linear support vector machine with calibrated probabilities.

Motahari Nezhad & Barfourosh 2003 put an SVM in the place of naive Bayes. A
machine is trained for each bin against the others (Joachims 1998); what they
say becomes probabilities by a multinomial logistic regression on links of
sites the machine had not seen (after Platt 1999).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.bins import Bins
from lycosa.learn.examples import Examples
from lycosa.learn.linear_model import LinearModel
from lycosa.learn.matrices import matrix, split

COST = 0.3
"""C of the machine: chosen by leave-one-site-out among 0.03, 0.1, 0.3 and 1."""


def train_svm(
    examples: Examples, bins: Bins, seed: int = 0, cost: float = COST, rows: Any = None
) -> LinearModel:
    """A calibrated machine for each bin, as one linear model.

    `rows` is the matrix of the examples, if somebody made it already.
    """
    if rows is None:
        rows = matrix(examples)
    values = examples.all_values
    which = bins.of(values)
    weights, bias = machines(rows, which, bins.count, cost, seed)
    folds = _folds(examples, which)
    unseen = rows @ weights + bias
    for fold in np.unique(folds):
        rest = folds != fold
        # The only link of a bin is left to the machines that saw it: the others would deny it.
        held = ~rest & np.isin(which, which[rest])
        w, b = machines(rows[rest], which[rest], bins.count, cost, seed)
        unseen[held] = rows[held] @ w + b
    turn, shift = calibration(unseen, which, bins.count)
    return LinearModel(
        examples.neighbourhood,
        examples.vocabularies,
        split(examples, weights @ turn),
        bias @ turn + shift,
        bins.means(values),
        root=True,
    )


def _folds(examples: Examples, which: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which links are held out together: those of a site, if every bin there is has two sites.

    Otherwise every third link of each bin, so that none is ever unheard of.
    """
    sizes = [len(links) for links in examples.sites]
    site = np.repeat(np.arange(len(sizes)), sizes)
    present = np.unique(which)
    if all(len(np.unique(site[which == k])) > 1 for k in present):
        return site
    thirds = np.zeros(len(which), np.int64)
    for k in present:
        mine = np.flatnonzero(which == k)
        thirds[mine] = np.arange(len(mine)) % 3
    return thirds


def machines(
    rows: Any,
    which: NDArray[np.int64],
    count: int,
    cost: float,
    seed: int,
    trust: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights and bias of one machine for each bin; without others to part from it is sure.

    `trust` is the weight of each example, 1 for all by default.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    weights = np.zeros((rows.shape[1], count))
    bias = np.full(count, -1.0)  # a bin without examples says no
    for k in range(count):
        positive = which == k
        if positive.any() and not positive.all():
            # Few links lead straight to a target: both sides are given the same weight.
            # Whole pages as text make the last digits of the border slow to find; a
            # hundred passes give the same spider.
            machine = LinearSVC(
                C=cost, class_weight="balanced", tol=1e-2, max_iter=100, random_state=seed
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                machine.fit(rows, positive, sample_weight=trust)
            weights[:, k] = machine.coef_[0]
            bias[k] = machine.intercept_[0]
        elif positive.any():
            bias[k] = 1.0
    return weights, bias


def calibration(
    decisions: NDArray[np.float64], which: NDArray[np.int64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What turns decisions into the exponents of a softmax: a matrix and a shift."""
    from sklearn.linear_model import LogisticRegression

    present: Sequence[int] = np.unique(which).tolist()
    turn = np.zeros((count, count))
    shift = np.full(count, -30.0)  # a bin that never occurs is as good as impossible
    if len(present) == 1:
        shift[present[0]] = 0.0
        return turn, shift
    fit = LogisticRegression(C=100.0, max_iter=2000)
    fit.fit(decisions, which)
    if len(present) == 2:  # the library then keeps only the row of the second
        turn[:, present[1]] = fit.coef_[0]
        shift[present] = [0.0, fit.intercept_[0]]
    else:
        turn[:, present] = fit.coef_.T
        shift[present] = fit.intercept_
    return turn, shift
