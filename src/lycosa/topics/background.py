"""Documents on something else altogether: a class of its own beside the leaves.

Its words are at first those of the whole corpus. No leaf has made them its own,
so they fit a recipe among papers better than any leaf does, while a paper finds a
leaf that fits better than all leaves together. In the rounds of EM the class
learns the words of what falls to it.

A document is judged by the words of the others. Its own would speak for the class:
the corpus has them all, a leaf only if the document is in it. So a document that
stands alone with its words is never outside; some others must share them.

>>> counts = sparse.csr_matrix(np.array([[9, 0, 0], [0, 9, 9], [0, 9, 9]], np.float32))
>>> told = Background.of(counts, outside=np.array([0.0, 1.0, 1.0])).others(counts)
>>> bool(told[1] / 18 > told[0] / 9)           # for each word: the other two are alike
True
>>> probability_inside(np.array([-30.0, -90.0, -90.0]), told).round(2).tolist()
[1.0, 0.0, 0.0]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.topics.naive_bayes import BATCH_DOCUMENTS, SMOOTHING, Floats

OUTSIDE_PRIOR = 0.01
"""How probable it is that a document is outside, before a word is read."""

CORPUS_WORDS = 30.0
"""How many words the whole corpus is worth beside those that the class has learned."""


class Background(NamedTuple):
    """How often each word is expected outside the tree, and how often it stands anywhere.

    `outside` are the shares of the documents that it was learned from.
    """

    sums: NDArray[np.float64]
    every: NDArray[np.float64]
    outside: NDArray[Any]

    @classmethod
    def of(cls, counts: sparse.csr_matrix, outside: NDArray[Any]) -> Background:
        """Learn from documents that are outside in these shares."""
        every = np.asarray(counts.sum(axis=0), np.float64).ravel()
        return cls(counts.T @ outside.astype(np.float64), every, outside)

    @property
    def logs(self) -> Floats:
        """The logarithm of the probability of each word outside the tree."""
        all_ = self.every + SMOOTHING
        found = self.sums + CORPUS_WORDS * all_ / all_.sum()
        return np.asarray(np.log(found / found.sum()), np.float32)

    def others(self, counts: sparse.csr_matrix) -> NDArray[np.float64]:
        """The logarithm of the probability of each document it learned from, by the others."""
        lengths = np.asarray(counts.sum(axis=1), np.float64).ravel()
        total = self.sums.sum() - self.outside * lengths + CORPUS_WORDS
        found = np.asarray(-lengths * np.log(total))
        part = CORPUS_WORDS / (self.every + SMOOTHING).sum()
        for begin in range(0, len(found), BATCH_DOCUMENTS):
            batch = counts[begin : begin + BATCH_DOCUMENTS]
            rows = np.repeat(np.arange(batch.shape[0]), np.diff(batch.indptr))
            own, words = batch.data, batch.indices
            left = np.maximum(self.sums[words] - self.outside[begin + rows] * own, 0)
            left += part * (self.every[words] - own + SMOOTHING)
            found[begin : begin + BATCH_DOCUMENTS] += np.bincount(
                rows, own * np.log(left), batch.shape[0]
            )
        return found


def probability_inside(
    likelihood: NDArray[Any], outside: NDArray[Any], discount: float = 1.0
) -> Floats:
    """How probable it is that documents are in the tree, by their likelihood there and outside.

    That in the tree is of discounted words; that outside is not discounted yet.
    """
    odds = np.log(OUTSIDE_PRIOR / (1 - OUTSIDE_PRIOR)) + outside / discount - likelihood
    return np.asarray(1 / (1 + np.exp(np.clip(odds, -50, 50))), np.float32)
