"""Multinomial naive Bayes with documents that belong to classes in shares.

McCallum & Nigam 1998; the shares are those of Nigam, McCallum, Thrun & Mitchell
2000. A document's class is drawn by `prior`, then its words one by one by the
row of `logs` of that class.

>>> sums = np.array([[3.0, 1.0], [0.0, 4.0]])                 # two classes, two words
>>> np.exp(lidstone(sums, 1.0)).round(3).tolist()             # (1 + n) / (V + N)
[[0.667, 0.333], [0.167, 0.833]]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float32]
SMOOTHING = 0.03
"""A whole occurrence of each word (Laplace) would outweigh what a class of short texts has.

In EM small classes would also lose their documents to large ones, round by round.
"""

BATCH_DOCUMENTS = 16_384
"""How many documents are scored at once; it bounds what is needed beside the result."""


def lidstone(sums: NDArray[Any], more: float = SMOOTHING) -> NDArray[Any]:
    """The logarithm of the probability of each word in each class, each seen `more` often."""
    total = more * sums.shape[1] + sums.sum(axis=1, keepdims=True)
    return np.asarray(np.log((more + sums) / total))


def prior(shares: Floats) -> NDArray[np.float64]:
    """The share of each class among the documents, each with one document more."""
    sums = 1 + shares.sum(axis=0, dtype=np.float64)
    return np.asarray(sums / sums.sum())


def word_sums(counts: sparse.csr_matrix, shares: Floats) -> Floats:
    """How often each word is expected in each class: a row for each class."""
    return np.ascontiguousarray((counts.T @ shares).T)


def scores(counts: sparse.csr_matrix, logs: NDArray[Any], prior: NDArray[Any]) -> Floats:
    """The logarithm of the probability of each document together with each class."""
    columns = np.ascontiguousarray(logs.T, np.float32)
    found = counts @ columns
    found += np.log(prior).astype(np.float32)
    return np.asarray(found, np.float32)


def normalise(scores: Floats) -> NDArray[np.float64]:
    """Turn scores into shares where they stand; returns the logarithm of each row's sum.

    >>> some = np.log(np.array([[1.0, 3.0]], np.float32))
    >>> normalise(some).round(3).tolist(), some.round(3).tolist()
    ([1.386], [[0.25, 0.75]])
    """
    sums = np.empty(len(scores))
    for begin in range(0, len(scores), BATCH_DOCUMENTS):
        batch = scores[begin : begin + BATCH_DOCUMENTS]
        top = batch.max(axis=1, keepdims=True)
        batch -= top
        np.exp(batch, out=batch)
        total = batch.sum(axis=1, keepdims=True)
        batch /= total
        sums[begin : begin + BATCH_DOCUMENTS] = (top + np.log(total)).ravel()
    return sums
