"""Ridge regression over the words of links (Hoerl & Kennard 1970).

Conjugate gradients on the normal equations (Hestenes & Stiefel 1952, section 10) solve it
without a square matrix, so a fit costs a few passes over the words. Library solvers call
multi-threaded linear algebra, whose threads wait for each other on a busy machine: that was
fifty times slower.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.learn.link_words import COLUMNS, Rows

MAX_ITERATIONS = 30
"""Conjugate-gradient iterations of a fit."""

_TOLERANCE = 1e-6  # of the squared gradient, relative to that at the start


class Ridge:
    """Linear model of the value: the mean of all examples plus the weights of the words.

    `penalty` is the factor of the squared weights; a fit uses the latest `examples`.

    >>> rows = Rows(np.array([0, 2, 4, 5]), np.array([0, 1, 1, 2, 2], np.int32))
    >>> linear = Ridge(penalty=0.01)
    >>> linear.fit(rows, np.array([1.0, 0.0, 0.0]))
    >>> np.abs(linear.predict(rows)).round(1)
    array([1., 0., 0.])
    """

    def __init__(self, penalty: float = 30.0, examples: int = 5000) -> None:
        self._penalty = penalty
        self._max_examples = examples

    def fit(self, rows: Rows, values: NDArray[np.float64]) -> None:
        """Fit the weights to the latest examples, given in the order of time."""
        latest = np.arange(len(rows))[-self._max_examples :]
        rows, values = rows.take(latest), values[latest]
        self._mean = float(values.mean())
        # Only the columns that occur: all of them would be ten times slower.
        words, columns = np.unique(rows.words, return_inverse=True)
        ones = np.ones(len(columns))
        matrix = sparse.csr_matrix((ones, columns, rows.starts), (len(rows), len(words)))
        self._weights = np.zeros(COLUMNS)
        self._weights[words] = _solve(matrix, values - self._mean, self._penalty)

    def predict(self, rows: Rows) -> NDArray[np.float64]:
        """Return the estimated value of each link."""
        sums = np.bincount(rows.owners, self._weights[rows.words], len(rows))
        return np.asarray(sums + self._mean, np.float64)


def _solve(
    matrix: sparse.csr_matrix, values: NDArray[np.float64], penalty: float
) -> NDArray[np.float64]:
    """Return the x that minimises |matrix x - values|² + penalty |x|²."""
    transposed = matrix.T.tocsr()
    x = np.zeros(matrix.shape[1])
    residual = values.copy()
    gradient = transposed @ residual
    direction = gradient
    size = first = _squared(gradient)
    for _ in range(MAX_ITERATIONS):
        if size <= _TOLERANCE * first:
            break
        image = matrix @ direction
        step = size / (_squared(image) + penalty * _squared(direction))
        x += step * direction
        residual -= step * image
        gradient = transposed @ residual - penalty * x
        before, size = size, _squared(gradient)
        direction = gradient + size / before * direction
    return x


def _squared(vector: NDArray[np.float64]) -> float:
    return float((vector * vector).sum())
