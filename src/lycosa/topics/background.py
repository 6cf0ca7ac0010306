"""Background class: documents that belong to no topic of the tree.

Its word distribution starts as that of the whole corpus. That fits a recipe among papers better
than any leaf does, while for a paper some leaf fits better than the corpus. In the rounds of EM
the class learns the words of the documents assigned to it.

The likelihood of a document leaves its own words out: the corpus contains them all, a leaf only
if the document is in it, so they would favour the class. A document that shares its words with
no other is therefore never in the background class.

>>> counts = sparse.csr_matrix(np.array([[9, 0, 0], [0, 9, 9], [0, 9, 9]], np.float32))
>>> outside = Background.of(counts, outside=np.array([0.0, 1.0, 1.0])).others(counts)
>>> bool(outside[1] / 18 > outside[0] / 9)     # for each word: the other two are alike
True
>>> probability_inside(np.array([-30.0, -90.0, -90.0]), outside).round(2).tolist()
[1.0, 0.0, 0.0]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.topics.naive_bayes import BATCH_DOCUMENTS, SMOOTHING, Floats

OUTSIDE_PRIOR = 0.01
"""Prior probability that a document is outside the tree."""

CORPUS_WORDS = 30.0
"""Pseudo-count of the words of the whole corpus, beside those the class has learned."""


class Background(NamedTuple):
    """Word counts of the background class.

    `sums` are the expected counts of each word outside the tree, `every` its counts in the whole
    corpus, and `outside` the probabilities of the training documents to be outside.
    """

    sums: NDArray[np.float64]
    every: NDArray[np.float64]
    outside: NDArray[Any]

    @classmethod
    def of(cls, counts: sparse.csr_matrix, outside: NDArray[Any]) -> Background:
        """Learn from documents that are outside with these probabilities."""
        every = np.asarray(counts.sum(axis=0), np.float64).ravel()
        return cls(counts.T @ outside.astype(np.float64), every, outside)

    @property
    def logs(self) -> Floats:
        """Log-probability of each word outside the tree."""
        all_ = self.every + SMOOTHING
        found = self.sums + CORPUS_WORDS * all_ / all_.sum()
        return np.asarray(np.log(found / found.sum()), np.float32)

    def others(self, counts: sparse.csr_matrix) -> NDArray[np.float64]:
        """Return the log-likelihood of each training document, leaving its own words out."""
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
    """Return the probability that documents are in the tree, from their log-likelihoods.

    `likelihood` (in the tree) is discounted already, `outside` is divided by `discount` here.
    """
    odds = np.log(OUTSIDE_PRIOR / (1 - OUTSIDE_PRIOR)) + outside / discount - likelihood
    return np.asarray(1 / (1 + np.exp(np.clip(odds, -50, 50))), np.float32)
