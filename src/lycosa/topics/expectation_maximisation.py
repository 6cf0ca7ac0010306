"""From keyword labels to a classifier of all documents, by expectation maximisation.

McCallum et al. 1999: a naive Bayes classifier is made from the documents that a
keyword labels; then, in rounds, all documents are labelled anew in shares (E),
and the classifier is made anew from all of them (M). Keywords give the start.

>>> counts = sparse.csr_matrix(np.array([[2, 0, 1], [0, 2, 0], [0, 0, 2]], np.float32))
>>> start = np.array([[1, 0], [0, 1], [0, 0]], np.float32)     # nothing is known of the third
>>> learned = learn(counts, start, rounds=3)
>>> learned.shares.argmax(axis=1).tolist()                     # it shares a word with the first
[0, 1, 0]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.topics.background import Background, probability_inside
from lycosa.topics.naive_bayes import Floats, lidstone, normalise, prior, scores, word_sums
from lycosa.topics.neighbours import Affinity, Neighbours
from lycosa.topics.shrinkage import Shrinkage

MEAN_FIELD_ROUNDS = 3
"""Rounds of mean field in each round of EM."""

MIN_MOVED_SHARE = 1e-3
"""When no more than this share of the documents changes its topic, all is said."""


class EMRound(NamedTuple):
    """One round: what was made likely, and the share of documents that moved.

    `likelihood` is the logarithm for each word of the text, of the scores as they
    are, discounted and with evidence, but without neighbours and the class outside.
    """

    likelihood: float
    moved: float


class EMResult(NamedTuple):
    """What EM ended with; rows of `sums` and `logs` and columns of `shares` are classes.

    What is missing from 1 in a row of `shares` is the share outside; `background` are the
    logarithms of the probabilities of words there.
    """

    sums: Floats
    logs: Floats
    prior: NDArray[np.float64]
    weights: list[NDArray[Any]] | None
    affinity: Affinity | None
    background: Floats | None
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
    outside: bool = False,
    still: float = MIN_MOVED_SHARE,
) -> EMResult:
    """Run EM from the shares that documents start with; those of no class are empty rows.

    The words of a document are worth one `discount`-th of what they would be if they
    were independent; `evidence` is added to what they say. With `outside` there is a class
    for documents that fit no other. Rounds end early when less than the share `still` of
    the documents moves.
    """
    shares = start
    squared = counts.power(2) if shrinkage else None
    lengths = np.asarray(counts.sum(axis=1), np.float64).ravel()
    total = max(float(lengths.sum()), 1.0)
    best = np.where(start.any(axis=1), start.argmax(axis=1), -1)
    weights = affinity = background = None
    within = np.ones(len(start), np.float32)
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
        if outside:
            background = Background.of(counts, 1 - within)
            within = probability_inside(likelihood, background.others(counts), discount)
            shares *= within[:, None]
        if neighbours is not None:
            for _ in range(MEAN_FIELD_ROUNDS):
                affinity = neighbours.affinity(shares, share)
                shares = neighbours.settled(found, shares, affinity, 1)
                shares *= within[:, None]
        now = shares.argmax(axis=1)
        history.append(EMRound(float(likelihood.sum()) / total, float((now != best).mean())))
        best = now
        if history[-1].moved < still:
            break
    outer = None if background is None else background.logs
    return EMResult(sums, logs, share, weights, affinity, outer, shares, history)
