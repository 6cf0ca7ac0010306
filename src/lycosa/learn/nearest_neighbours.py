"""k nearest neighbours: a link is worth what the links most like it were worth.

The lazy learner of Davidov & Markovitch 2002, with words weighted by TFIDF
(they point to Joachims 1997). Learning is nothing but keeping examples.
Predicting compares with all of them, by an index from words to examples, so no
more than `examples` are kept: of those with a value the latest, up to half of
the room, and the latest of the others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.link_words import COLUMNS, Rows, range_indices

_BATCH_LINKS = 512  # links compared at a time
_PRIOR_WEIGHT = 0.1  # the weight of the mean of all examples beside the neighbours


class NearestNeighbours:
    """The mean value of the k nearest examples, each weighted by its squared cosine.

    >>> rows = Rows(np.array([0, 2, 4, 5]), np.array([0, 1, 1, 2, 2], np.int32))
    >>> near = NearestNeighbours(k=1)
    >>> near.fit(rows, np.array([1.0, 0.0, 0.0]))
    >>> near.predict(rows).round(1)
    array([0.9, 0. , 0. ])
    """

    def __init__(self, k: int = 8, examples: int = 500) -> None:
        self._k = k
        self._most = examples

    def fit(self, rows: Rows, values: NDArray[np.float64]) -> None:
        """Keep examples; the latest come last."""
        kept = self._kept(values)
        rows, self._values = rows.take(kept), values[kept]
        self._mean = float(self._values.mean())
        count = np.bincount(rows.words, minlength=COLUMNS)
        self._weights = np.log((1 + len(rows)) / (1 + count))
        order = rows.words.argsort(kind="stable")
        owners, weights = rows.owners, self._weights[rows.words]
        scaled = weights / _lengths(owners, weights, len(rows))[owners]
        # From a word to the examples that have it, and how much.
        self._examples, self._shares = owners[order], scaled[order]
        self._size = count
        self._first = np.cumsum(count) - count

    def _kept(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        every = np.arange(len(values))
        if len(values) <= self._most:
            return every
        good = values.nonzero()[0][-max(1, self._most // 2) :]
        rest = np.setdiff1d(every, good)[len(good) - self._most :]
        return np.sort(np.concatenate((good, rest)))

    def predict(self, rows: Rows) -> NDArray[np.float64]:
        """The estimated value of each link."""
        if len(rows) <= _BATCH_LINKS:
            return self._some(rows)
        every = np.arange(len(rows))
        batches = range(0, len(rows), _BATCH_LINKS)
        return np.concatenate([self._some(rows.take(every[n : n + _BATCH_LINKS])) for n in batches])

    def _some(self, rows: Rows) -> NDArray[np.float64]:
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
    """The length of the weights of each link, 1 where all words are strange."""
    lengths = np.sqrt(np.bincount(owners, weights * weights, size))
    return np.where(lengths > 0, lengths, 1.0)
