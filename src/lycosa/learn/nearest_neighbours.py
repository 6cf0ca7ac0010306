"""k nearest neighbours: a link is worth what the links most like it were worth.

The lazy learner of Davidov & Markovitch 2002, with words weighted by TFIDF
(they point to Joachims 1997). Learning is nothing but keeping examples;
predicting compares with all of them, so no more than `examples` are kept: of
those with a value half as many as fit, of all the latest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

_BATCH = 1024  # rows compared at a time
_DOUBT = 0.1  # the weight of the mean of all examples beside the neighbours


class NearestNeighbours:
    """The mean value of the k nearest examples, each weighted by its squared cosine.

    >>> rows = sparse.csr_matrix(np.array([[1, 1, 0], [0, 1, 1], [0, 0, 1]], np.float32))
    >>> near = NearestNeighbours(k=1)
    >>> near.fit(rows, np.array([1.0, 0.0, 0.0]))
    >>> near.predict(rows[:2]).round(1)
    array([0.9, 0. ])
    """

    def __init__(self, k: int = 8, examples: int = 1000) -> None:
        self._k = k
        self._most = examples

    def fit(self, rows: sparse.csr_matrix, values: NDArray[np.float64]) -> None:
        """Keep examples; the latest come last."""
        if rows.shape[0] > self._most:
            good = values.nonzero()[0][-self._most // 2 :]
            rest = np.setdiff1d(np.arange(len(values)), good)[len(good) - self._most :]
            kept = np.sort(np.concatenate((good, rest)))
            rows, values = rows[kept], values[kept]
        frequency = np.bincount(rows.indices, minlength=rows.shape[1])
        self._weights = np.log((1 + rows.shape[0]) / (1 + frequency)).astype(np.float32)
        self._examples = self._scaled(rows).T.tocsr()
        self._values = values
        self._mean = float(values.mean())

    def _scaled(self, rows: sparse.csr_matrix) -> sparse.csr_matrix:
        """Rows of length 1, or 0 where all words are strange."""
        data = self._weights[rows.indices]
        owner = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        lengths = np.sqrt(np.bincount(owner, data * data, rows.shape[0]))
        data = data / np.where(lengths > 0, lengths, 1)[owner].astype(np.float32)
        return sparse.csr_matrix((data, rows.indices, rows.indptr), rows.shape)

    def predict(self, rows: sparse.csr_matrix) -> NDArray[np.float64]:
        """The estimated value of each row."""
        batches = range(0, rows.shape[0], _BATCH)
        parts = [self._some(rows[start : start + _BATCH]) for start in batches]
        return np.concatenate(parts) if parts else np.empty(0)

    def _some(self, rows: sparse.csr_matrix) -> NDArray[np.float64]:
        cosines = (self._scaled(rows) @ self._examples).toarray()
        k = min(self._k, cosines.shape[1])
        nearest = np.argpartition(-cosines, k - 1, axis=1)[:, :k]
        weights = np.take_along_axis(cosines, nearest, axis=1) ** 2
        total = (weights * self._values[nearest]).sum(axis=1) + _DOUBT * self._mean
        return np.asarray(total / (weights.sum(axis=1) + _DOUBT), np.float64)
