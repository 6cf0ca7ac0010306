"""Logistic regression by truncated Newton steps (Lin, Weng & Keerthi 2008).

Conjugate gradients solve the equations of each Newton step to a rough tolerance. Where Lin
et al. ("Trust Region Newton Method for Large-Scale Logistic Regression") bound a step by a
trust region, this implementation halves a step that increases the loss.

The penalty is that of a normal prior: each weight has a mean (`centre`) and a precision
(`stiffness`). Labels may be any probabilities from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.link_words import Rows
from lycosa.learn.row_sums import RowMatrix

_MIN_STEP_LENGTH = 1e-3  # share of a Newton step below which the line search gives up
_LOSS_TOLERANCE = 1e-4  # relative decrease of the loss below which the fit has converged
_RESIDUAL_TOLERANCE = 0.01  # relative residual at which conjugate gradients stop

Floats = NDArray[np.float64]


def sigmoid(values: NDArray[Any]) -> Floats:
    """Return the probabilities that have these log-odds.

    >>> sigmoid(np.array([0.0, 1000.0])).tolist()
    [0.5, 1.0]
    """
    # An exponential that is too small needs no bound: it is 0. `np.clip` is slow on a few values.
    return np.asarray(1 / (1 + np.exp(np.minimum(-np.asarray(values, np.float64), 500.0))))


def fit(
    rows: Rows,
    dense: Floats,
    labels: Floats,
    stiffness: Floats,
    start: Floats,
    centre: Floats | None = None,
    *,
    steps: int,
    turns: int,
    values: Floats | None = None,
    sample_weights: Floats | None = None,
    matrix: RowMatrix | None = None,
) -> Floats:
    """Return the weights of the columns of `rows`, followed by those of the `dense` columns.

    * `rows`: the sparse features of the examples, each with the value 1 or as in `values`;
    * `dense`: the dense features, one row for each example; a column of ones is the intercept;
    * `labels`: the probability of a positive outcome for each example;
    * `stiffness`: precision of the normal prior of each weight;
    * `start`: initial weights; its length is the number of weights;
    * `centre`: mean of the prior of each weight, 0 if not given;
    * `steps`: maximal number of Newton steps;
    * `turns`: maximal number of conjugate-gradient iterations in a step;
    * `sample_weights`: weight of each example in the loss, 1 if not given;
    * `matrix`: that of `rows`, where several fits share it; `values` must not be given then.

    >>> rows = Rows(np.array([0, 1, 2, 3]), np.array([0, 0, 1], np.int32))
    >>> labels, loose = np.array([1.0, 1.0, 0.0]), np.full(3, 0.1)
    >>> fit(rows, np.ones((3, 1)), labels, loose, np.zeros(3), steps=9, turns=9).round(1).tolist()
    [2.0, -1.8, 0.2]
    """
    columns = len(start) - dense.shape[1]
    if values is None:
        binary = matrix or RowMatrix(rows.starts, rows.words, columns)
        words_times, words_back, squares_back = binary.times, binary.back_times, binary.back_times
        weighted_back_times = binary.weighted_back_times
    else:
        words, back = sparse_matrices(rows, columns, values)
        words_times, words_back = words.__matmul__, back.__matmul__
        squares_back = back.multiply(back).tocsr().__matmul__

        def weighted_back_times(
            weights: Floats, terms: Floats, factors: Floats
        ) -> tuple[Floats, Floats]:
            values = factors * (words_times(weights) + terms)
            return values, words_back(values)

    prior_mean = np.zeros(len(start)) if centre is None else centre

    def times(weights: Floats) -> Floats:
        return np.asarray(words_times(weights[:columns]) + dense @ weights[columns:])

    def back_times(values: Floats) -> Floats:
        return np.concatenate((words_back(values), values @ dense))

    def weighted(terms: Floats) -> Floats:
        return terms if sample_weights is None else terms * sample_weights

    def loss(weights: Floats, odds: Floats) -> float:
        penalty = _dot(stiffness, (weights - prior_mean) ** 2)
        return float(weighted(np.logaddexp(0, odds) - labels * odds).sum() + penalty / 2)

    weights, odds = start.copy(), times(start)
    before = loss(weights, odds)
    for _ in range(steps):
        predicted = sigmoid(odds)
        gradient = back_times(weighted(predicted - labels)) + stiffness * (weights - prior_mean)
        curvature = weighted(predicted * (1 - predicted)) + 1e-9
        scale = stiffness + np.concatenate((squares_back(curvature), curvature @ dense**2))

        def hessian_times(v: Floats, curvature: Floats = curvature) -> Floats:
            image, back = weighted_back_times(v[:columns], dense @ v[columns:], curvature)
            return np.concatenate((back, image @ dense)) + stiffness * v

        direction = _solve(hessian_times, -gradient, scale, turns)
        odds_change, slope = times(direction), _dot(gradient, direction)
        length, after = 1.0, loss(weights + direction, odds + odds_change)
        # Armijo's condition with the usual constant 1e-4.
        while after > before + 1e-4 * length * slope and length > _MIN_STEP_LENGTH:
            length /= 2
            after = loss(weights + length * direction, odds + length * odds_change)
        if length <= _MIN_STEP_LENGTH:
            break
        weights, odds = weights + length * direction, odds + length * odds_change
        if before - after < _LOSS_TOLERANCE * abs(before):
            break
        before = after
    return weights


def sparse_matrices(rows: Rows, columns: int, values: Floats) -> tuple[Any, Any]:
    """Return the sparse features as a matrix of examples by columns, and its transpose."""
    from scipy import sparse  # a quarter of a second to load: only where needed

    words = sparse.csr_matrix((values, rows.words, rows.starts), (len(rows), columns))
    return words, words.T.tocsr()


def _dot(one: Floats, two: Floats) -> float:
    """Return the inner product, computed in one thread.

    BLAS would use several: they gain little here, and lose much on a busy machine.
    """
    return float(np.einsum("i,i", one, two))


def _solve(times: Callable[[Floats], Floats], right: Floats, scale: Floats, turns: int) -> Floats:
    """Solve times(x) = right by conjugate gradients (Hestenes & Stiefel 1952).

    `scale` is the diagonal of the matrix, the preconditioner.
    """
    solution, residual = np.zeros_like(right), right.copy()
    preconditioned = residual / scale
    direction, size = preconditioned.copy(), _dot(residual, preconditioned)
    tolerance = _RESIDUAL_TOLERANCE * size
    for _ in range(turns):
        if size <= tolerance:
            break
        image = times(direction)
        length = size / _dot(direction, image)
        solution += length * direction
        residual -= length * image
        preconditioned = residual / scale
        size, last = _dot(residual, preconditioned), size
        direction = preconditioned + (size / last) * direction
    return solution
