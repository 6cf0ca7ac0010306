"""Explanations of scores: the most predictive words of a model, and the words of a link."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Bag
from lycosa.core import ExplainingPolicy, Page, ScoreContribution, WordEffect, WrappingPolicy
from lycosa.learn.linear_model import LinearModel, ModelReader, softmax

_POINTS_PER_PANEL = 4  # of Gauss-Legendre quadrature
_MAX_PANELS = 20_000


class PredictiveWord(NamedTuple):
    """A word that predicts a bin of a linear model."""

    word: str
    channel: str
    """The name of the channel (anchor, URL, …) in which the word predicts the bin."""
    score: float
    """How well it predicts, as `predictive_words` computes it; above 0."""


def explain_score(policy: object, page: Page, index: int) -> tuple[ScoreContribution, ...]:
    """Return the contributions to a link's score; () if no policy, outer or inner, explains it."""
    while policy is not None:
        if isinstance(policy, ExplainingPolicy):
            return tuple(policy.explain(page, index))
        policy = policy.policy if isinstance(policy, WrappingPolicy) else None
    return ()


@dataclass(frozen=True, slots=True, eq=False)
class LinkExplanation:
    """The value that a linear model gives a link, split among the link's words.

    `base` is the value of a link without words; the `effects`, the largest first,
    add up to `value - base`. `probabilities` are those of the bins.
    """

    value: float
    base: float
    probabilities: tuple[float, ...]
    effects: tuple[WordEffect, ...]


def predictive_words(model: LinearModel, bin: int, count: int = 10) -> list[PredictiveWord]:
    """Return the most predictive words of a bin, best first (Rennie & McCallum 1999, table 2).

    Words of a naive Bayes model are ranked by the weighted log-odds ratio,
    P(w|bin) log(P(w|bin) / P(w|other bins)): its weights are the logarithms of
    P(w|bin), its bias those of the bins' shares.

    An SVM has no word probabilities or frequencies. Its words are ranked by
    their weight for the bin less their largest weight for another bin: what the
    word alone adds to the log-odds of the bin against the next best.
    """
    others = np.arange(len(model.means)) != bin
    by_counts = is_naive_bayes(model)
    shares = softmax(model.bias[None, others])[0]
    found = []
    for channel, vocabulary, weights in zip(
        model.neighbourhood.channels, model.vocabularies, model.weights, strict=True
    ):
        if by_counts:
            probability = np.exp(weights[:, bin])
            elsewhere = np.exp(weights[:, others]) @ shares
            scores = probability * np.log(probability / elsewhere)
        else:
            scores = model.slope * (weights[:, bin] - weights[:, others].max(axis=1))
        # A stable sort keeps words of equal score in the order of the vocabulary.
        best = np.argsort(-scores, kind="stable")[:count]
        found += [
            PredictiveWord(vocabulary.words[n], channel.name, float(scores[n]))
            for n in best.tolist()
            if scores[n] > 0
        ]
    return sorted(found, key=lambda word: -word.score)[:count]


def is_naive_bayes(model: LinearModel) -> bool:
    """Return whether the weights are logarithms of the words' probabilities in each bin."""
    known = [weights for weights in model.weights if len(weights)]
    return not model.root and all(np.allclose(np.exp(w).sum(axis=0), 1) for w in known)


def explain_link(reader: ModelReader, page: Page, index: int) -> LinkExplanation:
    """Return the effect of every word of link number `index` of a page on its value.

    The value is not linear in the sum of the weights: where a bin is nearly
    certain, removing one word changes almost nothing, although the words
    together decide. So effects are integrated gradients (Sundararajan, Taly &
    Yan 2017): the mean gradient of the value on the straight line from a link
    without words to this one, times what the word adds to each bin.
    """
    model = reader.model
    words, exponents = _terms(model, page, index)
    bias = model.slope * model.bias
    effects = exponents @ _mean_gradient(bias, exponents.sum(axis=0), model.means)
    found = [
        WordEffect(*word, effect) for word, effect in zip(words, effects.tolist(), strict=True)
    ]
    probabilities = reader.probabilities(page)[index]
    return LinkExplanation(
        float(probabilities @ model.means),
        float(softmax(bias[None])[0] @ model.means),
        tuple(probabilities.tolist()),
        tuple(sorted(found, key=lambda effect: -abs(effect.effect))),
    )


def model_contribution(part: str, reader: ModelReader, page: Page, index: int) -> ScoreContribution:
    """Return the explanation of `explain_link` as a contribution named `part`."""
    link = explain_link(reader, page, index)
    return ScoreContribution(part, link.value, link.effects, base=link.base)


def _terms(
    model: LinearModel, page: Page, index: int
) -> tuple[list[tuple[str, str, int]], NDArray[np.float64]]:
    """Return the known words of a link (word, bag, count), and what each adds to the exponents."""
    words: list[tuple[str, str, int]] = []
    rows = [np.zeros((0, len(model.means)))]
    for channel, vocabulary, weights in zip(
        model.neighbourhood.channels, model.vocabularies, model.weights, strict=True
    ):
        table = page.tables.paths if channel.reads_paths else page.tables.words
        bags = {bag: _tokens(page.bag(bag, channel.near), index) for bag in channel.bags}
        length = sum(map(len, bags.values())) if model.root else 1
        for bag, tokens in bags.items():
            for token, count in Counter(tokens).items():
                number = vocabulary.words.find(table[token])
                if number is not None:
                    words.append((table[token], bag, count))
                    rows.append(weights[None, number] * (count / np.sqrt(length)))
    return words, model.slope * np.concatenate(rows)


def _tokens(bag: Bag, index: int) -> list[int]:
    """Return the words of one link."""
    pieces = np.flatnonzero(bag.owner == index)
    ranges = zip(bag.start[pieces].tolist(), bag.stop[pieces].tolist(), strict=True)
    return [token for start, stop in ranges for token in bag.tokens[start:stop].tolist()]


def _mean_gradient(
    bias: NDArray[np.float64], sums: NDArray[np.float64], means: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the mean gradient of the value by the exponents between `bias` and `bias + sums`.

    >>> far = _mean_gradient(np.zeros(2), np.array([100.0, 0.0]), np.array([1.0, 0.0]))
    >>> far.round(6).tolist()      # times 100: from 0.5 to almost 1
    [0.005, -0.005]
    """
    # At most one unit of exponent per panel, or the quadrature could miss the sigmoid's step.
    panels = min(ceil(np.ptp(sums)) + 1, _MAX_PANELS)
    points, shares = np.polynomial.legendre.leggauss(_POINTS_PER_PANEL)
    inside = (np.arange(panels)[:, None] + (points + 1) / 2).ravel() / panels
    probabilities = softmax(bias + inside[:, None] * sums)
    values = probabilities @ means
    gradients = probabilities * (means - values[:, None])
    return np.asarray(np.tile(shares / 2, panels) / panels @ gradients)
