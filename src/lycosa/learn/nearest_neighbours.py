"""k nearest neighbours: the value of a link is that of the most similar links.

The lazy learner of Davidov & Markovitch 2002, with words weighted by TFIDF (they refer to
Joachims 1997). A fit stores examples; a prediction compares with all of them through an index
from words to examples. The number of stored examples bounds its cost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.link_words import COLUMNS, Rows, range_indices

_BATCH_LINKS = 512  # links predicted together
_PRIOR_WEIGHT = 0.1  # of the mean of all examples, beside the squared cosines of the neighbours


class NearestNeighbours:
    """Estimates the mean value of the `k` nearest examples, weighted by their squared cosines.

    `examples` is the maximal number of stored examples: the latest with a value above 0, up
    to half of them, and the latest of the others.

    >>> rows = Rows(np.array([0, 2, 4, 5]), np.array([0, 1, 1, 2, 2], np.int32))
    >>> near = NearestNeighbours(k=1)
    >>> near.fit(rows, np.array([1.0, 0.0, 0.0]))
    >>> near.predict(rows).round(1)
    array([0.9, 0. , 0. ])
    """

    def __init__(self, k: int = 8, examples: int = 500) -> None:
        self._k = k
        self._max_examples = examples

    def fit(self, rows: Rows, values: NDArray[np.float64]) -> None:
        """Store examples, given in the order of time."""
        kept = self._select(values)
        rows, self._values = rows.take(kept), values[kept]
        self._mean = float(self._values.mean())
        count = np.bincount(rows.words, minlength=COLUMNS)
        self._weights = np.log((1 + len(rows)) / (1 + count))
        order = rows.words.argsort(kind="stable")
        owners, weights = rows.owners, self._weights[rows.words]
        scaled = weights / _lengths(owners, weights, len(rows))[owners]
        # The index: for each word the examples that have it, with their normalised weights.
        self._examples, self._shares = owners[order], scaled[order]
        self._size = count
        self._first = np.cumsum(count) - count

    def _select(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        every = np.arange(len(values))
        if len(values) <= self._max_examples:
            return every
        good = values.nonzero()[0][-max(1, self._max_examples // 2) :]
        rest = np.setdiff1d(every, good)[len(good) - self._max_examples :]
        return np.sort(np.concatenate((good, rest)))

    def predict(self, rows: Rows) -> NDArray[np.float64]:
        """Return the estimated value of each link."""
        if len(rows) <= _BATCH_LINKS:
            return self._predict_batch(rows)
        every = np.arange(len(rows))
        batches = range(0, len(rows), _BATCH_LINKS)
        return np.concatenate(
            [self._predict_batch(rows.take(every[n : n + _BATCH_LINKS])) for n in batches]
        )

    def _predict_batch(self, rows: Rows) -> NDArray[np.float64]:
        links, examples = len(rows), len(self._values)
        owners, weights, size = rows.owners, self._weights[rows.words], self._size[rows.words]
        # Every pair of a link and an example, once for each word they share.
        shared = range_indices(self._first[rows.words], size, size.cumsum() - size)
        pairs = (owners * examples).repeat(size) + self._examples.take(shared)
        products = weights.repeat(size) * self._shares.take(shared)
        dots = np.bincount(pairs, products, links * examples).reshape(links, examples)
        k = min(self._k, examples)
        nearest = dots.argpartition(examples - k, axis=1)[:, -k:]
        lengths = _lengths(owners, weights, links)[:, None]
        near = (np.take_along_axis(dots, nearest, axis=1) / lengths) ** 2
        total = (near * self._values[nearest]).sum(axis=1) + _PRIOR_WEIGHT * self._mean
        return np.asarray(total / (near.sum(axis=1) + _PRIOR_WEIGHT), np.float64)


def _lengths(
    owners: NDArray[np.int64], weights: NDArray[np.float64], size: int
) -> NDArray[np.float64]:
    """Return the Euclidean length of each link's weights, 1 where no word has a weight."""
    lengths = np.sqrt(np.bincount(owners, weights * weights, size))
    return np.where(lengths > 0, lengths, 1.0)
