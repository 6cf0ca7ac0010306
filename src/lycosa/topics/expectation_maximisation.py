"""Expectation maximisation from keyword labels to a classifier (McCallum et al. 1999).

The documents that a keyword labels train a first naive Bayes classifier. Each round then
computes the class probabilities of all documents (E) and trains the classifier on all of them
(M).

>>> counts = sparse.csr_matrix(np.array([[2, 0, 1], [0, 2, 0], [0, 0, 2]], np.float32))
>>> start = np.array([[1, 0], [0, 1], [0, 0]], np.float32)     # nothing is known of the third
>>> learned = learn(counts, start, rounds=3)
>>> learned.shares.argmax(axis=1).tolist()                     # it shares a word with the first
[0, 1, 0]
"""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.topics.naive_bayes import Floats, lidstone, normalise, prior, scores, word_sums
from lycosa.topics.neighbours import Affinity, Neighbours
from lycosa.topics.shrinkage import Shrinkage

_log = logging.getLogger("lycosa.topics")

MEAN_FIELD_ROUNDS = 3
"""Mean-field rounds over citations in each round of EM."""

MIN_MOVED_SHARE = 1e-3
"""EM stops when a smaller share of the documents changes its topic."""


class EMRound(NamedTuple):
    """One round of EM: the log-likelihood per word, and the share of documents that moved.

    `likelihood` is that of the discounted scores with evidence, without neighbours.
    """

    likelihood: float
    moved: float


class EMResult(NamedTuple):
    """Result of EM; rows of `sums` and `logs` and columns of `shares` are classes.

    * `sums`, `logs`: expected count and log-probability of each word in each class;
    * `prior`: probability of each class;
    * `weights`: mixture weights of shrinkage by class, None without shrinkage;
    * `affinity`: topics of neighbours, None without citations;
    * `shares`: class probabilities of each document; 1 minus a row's sum is the probability
      that the document is outside the tree;
    * `history`: one entry for each round.
    """

    sums: Floats
    logs: Floats
    prior: NDArray[np.float64]
    weights: list[NDArray[Any]] | None
    affinity: Affinity | None
    shares: Floats
    history: list[EMRound]


def learn(
    counts: sparse.csr_matrix,
    start: Floats,
    *,
    rounds: int,
    shrinkage: Shrinkage | None = None,
    neighbours: Neighbours | None = None,
    discount: float = 1.0,
    evidence: Floats | None = None,
    inside: Floats | None = None,
    still: float = MIN_MOVED_SHARE,
) -> EMResult:
    """Run EM and return its result.

    * `counts`: words by document;
    * `start`: initial class probabilities of documents; rows of zeros are unlabelled;
    * `rounds`: maximal number of rounds after the first classifier;
    * `shrinkage`: mixes the words of classes with those of their ancestors, if given;
    * `neighbours`: adds the evidence of citations, if given;
    * `discount`: divides the log-probabilities of words, which are not independent;
    * `evidence`: added to the scores of documents by class;
    * `inside`: probability of each document to be in the tree, 1 if None;
    * `still`: end when a smaller share of the documents moves.
    """
    shares = start if inside is None else start * inside[:, None]
    squared = counts.power(2) if shrinkage else None
    lengths = np.asarray(counts.sum(axis=1), np.float64).ravel()
    total = max(float(lengths.sum()), 1.0)
    best = np.where(start.any(axis=1), start.argmax(axis=1), -1)
    weights = affinity = None
    history: list[EMRound] = []
    for _ in range(rounds + 1):
        share = prior(shares)
        sums = word_sums(counts, shares)
        if shrinkage is None or squared is None:
            logs = lidstone(sums).astype(np.float32)
        else:
            twice = shares * shares
            logs, weights, _ = shrinkage.estimate(
                sums, word_sums(squared, twice), (lengths * lengths) @ twice, weights
            )
        found = scores(counts, logs / discount, share)
        if evidence is not None:
            found += evidence
        shares = found if neighbours is None else found.copy()
        likelihood = normalise(shares)
        if inside is not None:
            shares *= inside[:, None]
        if neighbours is not None:
            for _ in range(MEAN_FIELD_ROUNDS):
                affinity = neighbours.affinity(shares, share)
                shares = neighbours.settle(found, shares, affinity, 1)
                if inside is not None:
                    shares *= inside[:, None]
        now = shares.argmax(axis=1)
        history.append(EMRound(float(likelihood.sum()) / total, float((now != best).mean())))
        best = now
        _log.debug(
            "EM round %d: log-likelihood %.4f a word, %.4f moved", len(history) - 1, *history[-1]
        )
        if history[-1].moved < still:
            break
    return EMResult(sums, logs, share, weights, affinity, shares, history)
