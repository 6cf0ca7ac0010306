"""Ridge regression over the words of links: every word adds its weight to the value.

Hoerl & Kennard 1970, solved by conjugate gradients on the normal equations
(Hestenes & Stiefel 1952, section 10), which never form a square matrix: the
cost of learning is a few passes over the words. It is written out here because
library versions call threaded linear algebra, and threads that wait for each
other make it fifty times as slow on a busy machine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.learn.link_words import COLUMNS, Rows

MAX_ITERATIONS = 30
_TOLERANCE = 1e-6  # of the squared gradient at the start


class Ridge:
    """The mean value, and the weights of the words that explain what differs from it.

    >>> rows = Rows(np.array([0, 2, 4, 5]), np.array([0, 1, 1, 2, 2], np.int32))
    >>> linear = Ridge(penalty=0.01)
    >>> linear.fit(rows, np.array([1.0, 0.0, 0.0]))
    >>> np.abs(linear.predict(rows)).round(1)
    array([1., 0., 0.])
    """

    def __init__(self, penalty: float = 30.0, examples: int = 5000) -> None:
        self._penalty = penalty
        self._most = examples

    def fit(self, rows: Rows, values: NDArray[np.float64]) -> None:
        """Find the weights that explain the latest examples."""
        latest = np.arange(len(rows))[-self._most :]
        rows, values = rows.take(latest), values[latest]
        self._mean = float(values.mean())
        # Only the words that occur: the others would make it ten times as slow.
        words, columns = np.unique(rows.words, return_inverse=True)
        ones = np.ones(len(columns))
        matrix = sparse.csr_matrix((ones, columns, rows.starts), (len(rows), len(words)))
        self._weights = np.zeros(COLUMNS)
        self._weights[words] = _solve(matrix, values - self._mean, self._penalty)

    def predict(self, rows: Rows) -> NDArray[np.float64]:
        """The estimated value of each link."""
        sums = np.bincount(rows.owners, self._weights[rows.words], len(rows))
        return np.asarray(sums + self._mean, np.float64)


def _solve(
    matrix: sparse.csr_matrix, values: NDArray[np.float64], penalty: float
) -> NDArray[np.float64]:
    """The x that minimises |matrix x - values|² + penalty |x|²."""
    transposed = matrix.T.tocsr()
    x = np.zeros(matrix.shape[1])
    rest = values.copy()
    gradient = transposed @ rest
    direction = gradient
    size = first = _squared(gradient)
    for _ in range(MAX_ITERATIONS):
        if size <= _TOLERANCE * first:
            break
        ahead = matrix @ direction
        step = size / (_squared(ahead) + penalty * _squared(direction))
        x += step * direction
        rest -= step * ahead
        gradient = transposed @ rest - penalty * x
        before, size = size, _squared(gradient)
        direction = gradient + size / before * direction
    return x


def _squared(vector: NDArray[np.float64]) -> float:
    return float((vector * vector).sum())
