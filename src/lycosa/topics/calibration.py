"""Calibration of probabilities without labels, by hidden keywords.

Naive Bayes assumes independent words and is overconfident, and some topics are easier than
others. To measure this, calibration hides some keywords of each leaf and removes their words
from the documents that contain them. A classifier fitted with the other keywords gives the
probabilities of these documents, and the hidden keyword gives the label.

Two things are fitted: the temperature that maximises the likelihood of the hidden labels (Guo,
Pleiss, Sun & Weinberger 2017), and a logistic curve from the probability of the best leaf to
its accuracy (Platt 1999), with a level for every leaf that is shrunk towards the common one.

The result is underconfident rather than overconfident: the documents have lost their most
informative words, and a keyword is not always right.

>>> shares = np.array([[0.99, 0.01], [0.99, 0.01], [0.01, 0.99]] * 20, np.float32)
>>> found = Calibration.of(shares, np.array([0, 1, 1] * 20))     # half of the first leaf is wrong
>>> found.apply(shares)[[0, 2]].max(axis=1).round(1)
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
"""Number of folds; each hides one keyword of so many."""

TIE_BREAK = 1.001
"""Least ratio of the best leaf to the second; equal ones would change places by rounding."""

MIN_TEMPERATURE, MAX_TEMPERATURE = 0.2, 20.0
"""Range of the search for the temperature."""


class HiddenKeywords(NamedTuple):
    """One fold: the remaining rules, and the corpus without the words of the hidden keywords.

    `topics[d]` is the topic of the hidden keyword that would label document d, or -1.
    """

    rules: RuleList
    corpus: Corpus
    topics: NDArray[np.int32]


def hide_keywords(
    rules: RuleList, corpus: Corpus, leaves: NDArray[np.int32], seed: int = 0
) -> Iterator[HiddenKeywords]:
    """Yield the folds of the leaves' keywords; the only keyword of a topic is never hidden."""
    topics = np.array([rule.topic for rule in rules.rules], np.int32)
    matches = rules.matches(corpus)
    first = rules.first(matches)
    fold = np.full(len(topics), -1)
    chance = np.random.default_rng(seed)
    for leaf in leaves.tolist():
        own = chance.permutation(np.flatnonzero(topics == leaf))
        if len(own) > 1:
            fold[own] = (np.arange(len(own)) + chance.integers(FOLDS)) % FOLDS
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
    """Temperature of the shares, and logistic curve of the best leaf's log-odds.

    `levels` has the intercept of the curve for each leaf, `slope` is common to all.
    """

    temperature: float
    slope: float
    levels: NDArray[np.float64]

    @classmethod
    def none(cls, leaves: int) -> Calibration:
        """Return the calibration that leaves shares unchanged."""
        return cls(1.0, 1.0, np.zeros(leaves))

    @classmethod
    def of(cls, shares: Floats, truth: NDArray[np.int64]) -> Calibration:
        """Fit a calibration to the shares of documents whose leaves are known."""
        if not len(truth):
            return cls.none(shares.shape[1])
        fitted = temperature(shares, truth)
        warm = apply_temperature(shares, fitted)
        best = warm.argmax(axis=1)
        return cls(fitted, *_curve(_odds(warm.max(axis=1)), best, best == truth, shares.shape[1]))

    def apply(self, shares: Floats, known: NDArray[np.bool_] | None = None) -> Floats:
        """Return calibrated shares; the best leaf stays the best.

        Hidden keywords distinguish leaves, so only the shares of leaves change, among
        themselves. The shares of documents that are not `known` become 0.
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
        right = np.maximum(right, TIE_BREAK * second / (1 + second))
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
    """Fit the slope and the levels of a logistic curve by Newton's method."""
    inputs = np.column_stack([odds, np.ones(len(odds)), np.eye(leaves)[best]])
    # Normal priors: the slope around 1, the levels of the leaves around the common one.
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
    """Return the temperature that maximises the likelihood of these classes."""
    logs = np.log(np.maximum(shares, 1e-30)).astype(np.float32)
    rows = np.arange(len(truth))
    low, high = np.log(MIN_TEMPERATURE), np.log(MAX_TEMPERATURE)

    def cost(at: float) -> float:
        # One label in a hundred is taken for chance, so that no label is impossible.
        right = apply_temperature(shares, np.exp(at), logs)[rows, truth]
        return -float(np.log(0.99 * right + 0.01 / shares.shape[1]).mean())

    # Golden-section search: the cost has one minimum.
    ratio = (np.sqrt(5) - 1) / 2
    for _ in range(30):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if cost(left) < cost(right):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))


def apply_temperature(shares: Floats, temperature: float, logs: Floats | None = None) -> Floats:
    """Return shares at a temperature; above 1 they become more even."""
    if logs is None:
        logs = np.log(np.maximum(shares, np.float32(1e-30)))
    found = np.asarray(logs / np.float32(temperature), np.float32)
    normalise(found)
    return found


def _strike_words(corpus: Corpus, struck: sparse.csr_matrix) -> Corpus:
    """Return the corpus without the words that `struck` marks in each document."""
    keys = np.repeat(np.arange(len(corpus)), np.diff(struck.indptr)) * len(corpus.words)
    gone = np.isin(corpus.owners * len(corpus.words) + corpus.tokens, keys + struck.indices)
    kept = np.concatenate(([0], np.cumsum(~gone)))
    return replace(corpus, tokens=corpus.tokens[~gone], offsets=kept[corpus.offsets])
