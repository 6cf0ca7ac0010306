"""How sure to be, found without a label: hide keywords and see who finds them again.

Naive Bayes takes words for independent and is too sure of itself, and some
topics are easier than others. To learn how much, some keywords of each leaf are
hidden, and their words struck out of the documents that hold them. A classifier
fitted with the other keywords then says where these documents belong, how sure
it is, and the hidden keyword says whether it is right.

Two things are learned from it: the temperature that makes the hidden keywords
likeliest (Guo, Pleiss, Sun & Weinberger 2017), and a logistic curve from the
probability of the best leaf to how often it is right (Platt 1999), with a level
of its own for every leaf, drawn towards that of all.

It is on the careful side: a document has lost the words that say most, and a
keyword is not always right itself.

>>> sure = np.array([[0.99, 0.01], [0.99, 0.01], [0.01, 0.99]] * 20, np.float32)
>>> found = Calibration.of(sure, np.array([0, 1, 1] * 20))     # half of the first leaf is wrong
>>> found.applied(sure)[[0, 2]].max(axis=1).round(1)
array([0.5, 0.9], dtype=float32)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.learn.logistic import sigmoid
from lycosa.topics.corpus import Corpus
from lycosa.topics.naive_bayes import Floats, normalise
from lycosa.topics.rule_list import RuleList

FOLDS = 4
"""One keyword of so many is hidden at a time."""

MIN_TEMPERATURE, MAX_TEMPERATURE = 0.2, 20.0
"""No temperature is below or above."""


class HiddenKeywords(NamedTuple):
    """What is left when some keywords are hidden.

    `topics[d]` is the topic of the hidden keyword that would decide about
    document d, or -1; the words of the hidden keywords are gone from `corpus`.
    """

    rules: RuleList
    corpus: Corpus
    topics: NDArray[np.int32]


def hide_keywords(
    rules: RuleList, corpus: Corpus, leaves: NDArray[np.int32], seed: int = 0
) -> Iterator[HiddenKeywords]:
    """Hide one part of the leaves' keywords after the other; a topic's only one is never hidden."""
    topics = np.array([rule.topic for rule in rules.rules], np.int32)
    matches = rules.matches(corpus)
    first = rules.first(matches)
    fold = np.full(len(topics), -1)
    chance = np.random.default_rng(seed)
    for leaf in leaves.tolist():
        mine = chance.permutation(np.flatnonzero(topics == leaf))
        if len(mine) > 1:
            fold[mine] = (np.arange(len(mine)) + chance.integers(FOLDS)) % FOLDS
    words = rules.words(corpus)
    for number in range(FOLDS):
        gone = fold == number
        struck = (matches @ sparse.diags(gone.astype(np.float32)) @ words).tocsr()
        kept = RuleList(tuple(r for r, g in zip(rules.rules, gone, strict=True) if not g))
        decided = (first >= 0) & gone[first]
        yield HiddenKeywords(
            kept, _strike_words(corpus, struck), np.where(decided, topics[first], -1)
        )


class Calibration(NamedTuple):
    """What to make of shares: the temperature, and the curve of the best leaf's log-odds."""

    temperature: float
    slope: float
    levels: NDArray[np.float64]

    @classmethod
    def none(cls, leaves: int) -> Calibration:
        """Leave shares as they are."""
        return cls(1.0, 1.0, np.zeros(leaves))

    @classmethod
    def of(cls, shares: Floats, truth: NDArray[np.int64]) -> Calibration:
        """Learn from documents whose leaf was hidden."""
        if not len(truth):
            return cls.none(shares.shape[1])
        heat = temperature(shares, truth)
        warm = apply_temperature(shares, heat)
        best = warm.argmax(axis=1)
        return cls(heat, *_curve(_odds(warm.max(axis=1)), best, best == truth, shares.shape[1]))

    def applied(self, shares: Floats, known: NDArray[np.bool_] | None = None) -> Floats:
        """Shares that say how often they are right; the best leaf stays the best.

        Hidden keywords tell leaves apart, so only their shares change, among themselves. Those
        of documents that nothing is known of are 0.
        """
        leaves, above = np.split(shares, [len(self.levels)], axis=1)
        warm = apply_temperature(leaves, self.temperature)
        rows = np.arange(len(warm))
        best = warm.argmax(axis=1)
        top = warm[rows, best]
        right = 1 / (1 + np.exp(-(self.slope * _odds(top) + self.levels[best])))
        warm[rows, best] = 0
        rest = np.maximum(warm.sum(axis=1), 1e-30)
        second = warm.max(axis=1) / rest
        right = np.maximum(right, second / (1 + second))
        warm *= ((1 - right) / rest).astype(np.float32)[:, None]
        warm[rows, best] = right
        warm *= leaves.sum(axis=1, keepdims=True)
        warm = np.hstack([warm, above])
        if known is not None:
            warm[~known] = 0
        return warm


def _odds(share: Floats) -> NDArray[np.float64]:
    kept = np.clip(share.astype(np.float64), 1e-6, 1 - 1e-6)
    return np.asarray(np.log(kept / (1 - kept)))


def _curve(
    odds: NDArray[np.float64], best: NDArray[np.int64], right: NDArray[np.bool_], leaves: int
) -> tuple[float, NDArray[np.float64]]:
    """The slope and the levels of a logistic curve, by Newton's method."""
    inputs = np.column_stack([odds, np.ones(len(odds)), np.eye(leaves)[best]])
    # The slope is taken for about 1; the levels of leaves are taken for alike.
    middle = np.array([1.0, 0.0, *np.zeros(leaves)])
    stiff = np.array([1.0, 1e-3, *np.ones(leaves)])
    found = middle.copy()
    for _ in range(30):
        guess = sigmoid(np.clip(inputs @ found, -30, 30))
        slope = inputs.T @ (right - guess) - stiff * (found - middle)
        bend = (inputs.T * (guess * (1 - guess))) @ inputs + np.diag(stiff)
        step = np.linalg.solve(bend, slope)
        found += step
        if np.abs(step).max() < 1e-6:
            break
    return max(float(found[0]), 0.0), found[1] + found[2:]


def temperature(shares: Floats, truth: NDArray[np.int64]) -> float:
    """The temperature under which these classes are likeliest."""
    logs = np.log(np.maximum(shares, 1e-30)).astype(np.float32)
    rows = np.arange(len(truth))
    low, high = np.log(MIN_TEMPERATURE), np.log(MAX_TEMPERATURE)

    def cost(at: float) -> float:
        # A word may not be what decides: one in a hundred is taken for chance.
        right = apply_temperature(shares, np.exp(at), logs)[rows, truth]
        return -float(np.log(0.99 * right + 0.01 / shares.shape[1]).mean())

    # Golden section; the cost has one valley.
    ratio = (np.sqrt(5) - 1) / 2
    for _ in range(30):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if cost(left) < cost(right):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))


def apply_temperature(shares: Floats, temperature: float, logs: Floats | None = None) -> Floats:
    """Shares at a temperature: above 1 they are drawn together."""
    if logs is None:
        logs = np.log(np.maximum(shares, np.float32(1e-30)))
    found = np.asarray(logs / np.float32(temperature), np.float32)
    normalise(found)
    return found


def _strike_words(corpus: Corpus, struck: sparse.csr_matrix) -> Corpus:
    """The corpus without the words of each document that are struck out."""
    keys = np.repeat(np.arange(len(corpus)), np.diff(struck.indptr)) * len(corpus.words)
    gone = np.isin(corpus.owners * len(corpus.words) + corpus.tokens, keys + struck.indices)
    kept = np.concatenate(([0], np.cumsum(~gone)))
    return replace(corpus, tokens=corpus.tokens[~gone], offsets=kept[corpus.offsets])
