"""Ridge regression over the words of links: every word adds its weight to the value.

Hoerl & Kennard 1970, solved by LSQR (Paige & Saunders 1982), which never
forms a square matrix: the cost of learning is a few passes over the words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import lsqr

from lycosa.learn.link_words import COLUMNS, Rows

_PASSES = 30


class Ridge:
    """The mean value, and the weights of the words that explain what differs from it.

    >>> rows = Rows(np.array([0, 2, 4, 5]), np.array([0, 1, 1, 2, 2], np.int32))
    >>> linear = Ridge(penalty=0.01)
    >>> linear.fit(rows, np.array([1.0, 0.0, 0.0]))
    >>> np.abs(linear.predict(rows)).round(1)
    array([1., 0., 0.])
    """

    def __init__(self, penalty: float = 3.0) -> None:
        self._penalty = penalty

    def fit(self, rows: Rows, values: NDArray[np.float64]) -> None:
        """Find the weights."""
        self._mean = float(values.mean())
        ones = np.ones(len(rows.words))
        matrix = sparse.csr_matrix((ones, rows.words, rows.starts), (len(rows), COLUMNS))
        damp = float(np.sqrt(self._penalty))
        rest = values - self._mean
        self._weights = lsqr(matrix, rest, damp=damp, iter_lim=_PASSES, atol=1e-3, btol=1e-3)[0]

    def predict(self, rows: Rows) -> NDArray[np.float64]:
        """The estimated value of each link."""
        sums = np.bincount(rows.owners, self._weights[rows.words], len(rows))
        return np.asarray(sums + self._mean, np.float64)
