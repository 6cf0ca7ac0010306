"""Multinomial naive Bayes over documents with probabilistic class labels.

McCallum & Nigam 1998; the probabilistic labels (shares) are those of Nigam, McCallum, Thrun &
Mitchell 2000. `prior` gives the probability of a class, and a row of `logs` the log-probability
of each word in it.

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
"""Pseudo-count of each word (Lidstone).

A whole occurrence (Laplace) would outweigh the words of a class of short texts; in EM small
classes would also lose their documents to large ones, round by round.
"""

BATCH_DOCUMENTS = 16_384
"""Documents scored together, which bounds the temporary memory."""


def lidstone(sums: NDArray[Any], more: float = SMOOTHING) -> NDArray[Any]:
    """Return the log-probability of each word in each class, with pseudo-count `more`."""
    total = more * sums.shape[1] + sums.sum(axis=1, keepdims=True)
    return np.asarray(np.log((more + sums) / total))


def prior(shares: Floats) -> NDArray[np.float64]:
    """Return the probability of each class, with a pseudo-count of one document."""
    sums = 1 + shares.sum(axis=0, dtype=np.float64)
    return np.asarray(sums / sums.sum())


def word_sums(counts: sparse.csr_matrix, shares: Floats) -> Floats:
    """Return the expected count of each word (columns) in each class (rows)."""
    return np.ascontiguousarray((counts.T @ shares).T)


def scores(counts: sparse.csr_matrix, logs: NDArray[Any], prior: NDArray[Any]) -> Floats:
    """Return the joint log-probability of each document with each class."""
    columns = np.ascontiguousarray(logs.T, np.float32)
    found = counts @ columns
    found += np.log(prior).astype(np.float32)
    return np.asarray(found, np.float32)


def normalise(scores: Floats) -> NDArray[np.float64]:
    """Turn log-scores into shares in place; return the log of each row's sum.

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
