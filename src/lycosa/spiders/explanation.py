"""Explanations: which words a model goes by, and which words gave a link its value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Bag
from lycosa.core import Page
from lycosa.learn.linear_model import LinearModel, ModelReader, softmax

_POINTS = 4  # of Gauss and Legendre, in each panel
_MOST_PANELS = 20_000


class PredictiveWord(NamedTuple):
    """A word that speaks for a bin, and the channel it was found in."""

    word: str
    channel: str
    score: float


class Effect(NamedTuple):
    """What the occurrences of one word in one bag of a link added to its value."""

    word: str
    bag: str
    times: int
    effect: float


class Opinion(NamedTuple):
    """What one part of a spider says of a link, and by which words.

    `weight` is how much the spider listens to that part, `base` what the part
    says of a link without words, and `about` what else there is to know.
    """

    part: str
    value: float
    effects: tuple[Effect, ...] = ()
    weight: float = 1.0
    base: float = 0.0
    about: str = ""

    def to_json(self) -> dict[str, Any]:
        """The same for JSON."""
        facts = self._asdict()
        del facts["effects"]
        return facts | {"words": [effect._asdict() for effect in self.effects]}


@runtime_checkable
class Explaining(Protocol):
    """A spider, or a part of one, that can say why."""

    def explain(self, page: Page, index: int, /) -> Sequence[Opinion]:
        """What is thought now of link number `index` of a page that was scored."""


def opinions(spider: object, page: Page, index: int) -> tuple[Opinion, ...]:
    """What a spider can say of a link, or the one inside it, its `policy`; else nothing."""
    while spider is not None:
        if isinstance(spider, Explaining):
            return tuple(spider.explain(page, index))
        spider = getattr(spider, "policy", None)
    return ()


@dataclass(frozen=True, slots=True, eq=False)
class LinkExplanation:
    """The value of a link, and where it comes from.

    `base` is what a link without a word is worth; the effects, the largest
    first, add up to `value - base`. `probabilities` are those of the bins.
    """

    value: float
    base: float
    probabilities: tuple[float, ...]
    effects: tuple[Effect, ...]


def predictive_words(model: LinearModel, bin: int, count: int = 10) -> list[PredictiveWord]:
    """The most predictive words of a bin, the best first (Rennie & McCallum 1999, table 2).

    A naive Bayes model ranks them by the weighted log-odds ratio,
    P(w|bin) log(P(w|bin) / P(w|other bins)); both are found in its weights, the
    logarithms of P(w|bin), and in its bias, those of the bins' shares.

    An SVM knows no probabilities of words, nor how frequent they are. Its words
    are ranked by their weight for the bin less their largest weight for another:
    what a word, alone, adds to the log-odds of the bin against its best rival.
    """
    others = np.arange(len(model.means)) != bin
    by_counts = is_naive_bayes(model)
    shares = softmax(model.bias[None, others])[0]
    found = []
    for channel, vocabulary, weights in zip(
        model.neighbourhood.channels, model.vocabularies, model.weights, strict=True
    ):
        if by_counts:
            mine = np.exp(weights[:, bin])
            scores = mine * np.log(mine / (np.exp(weights[:, others]) @ shares))
        else:
            scores = model.slope * (weights[:, bin] - weights[:, others].max(axis=1))
        # Equal scores in the order in which the words were met.
        best = np.argsort(-scores, kind="stable")[:count]
        found += [
            PredictiveWord(vocabulary.words[n], channel.name, float(scores[n]))
            for n in best.tolist()
            if scores[n] > 0
        ]
    return sorted(found, key=lambda word: -word.score)[:count]


def is_naive_bayes(model: LinearModel) -> bool:
    """Whether the weights are logarithms of the words' probabilities in each bin."""
    known = [weights for weights in model.weights if len(weights)]
    return not model.root and all(np.allclose(np.exp(w).sum(axis=0), 1) for w in known)


def explain_link(reader: ModelReader, page: Page, index: int) -> LinkExplanation:
    """What every word of link number `index` of a page did to its value.

    The value bends with the sum of the weights: where a bin is all but certain,
    one word less would change nothing, though the words together changed
    everything. So effects are taken on the way from a link without words to
    this one, all words growing at the same pace: the mean gradient of the value
    on that way, times what the word adds to each bin.
    """
    model = reader.model
    words, exponents = _terms(model, page, index)
    bias = model.slope * model.bias
    effects = exponents @ _mean_gradient(bias, exponents.sum(axis=0), model.means)
    found = [Effect(*word, effect) for word, effect in zip(words, effects.tolist(), strict=True)]
    probabilities = reader.probabilities(page)[index]
    return LinkExplanation(
        float(probabilities @ model.means),
        float(softmax(bias[None])[0] @ model.means),
        tuple(probabilities.tolist()),
        tuple(sorted(found, key=lambda effect: -abs(effect.effect))),
    )


def model_opinion(part: str, reader: ModelReader, page: Page, index: int) -> Opinion:
    """The same as an opinion."""
    why = explain_link(reader, page, index)
    return Opinion(part, why.value, why.effects, base=why.base)


def _terms(
    model: LinearModel, page: Page, index: int
) -> tuple[list[tuple[str, str, int]], NDArray[np.float64]]:
    """The known words of a link (word, bag, count), and what each adds to the exponents."""
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
    """The words of one link."""
    mine = np.flatnonzero(bag.owner == index)
    ranges = zip(bag.start[mine].tolist(), bag.stop[mine].tolist(), strict=True)
    return [token for start, stop in ranges for token in bag.tokens[start:stop].tolist()]


def _mean_gradient(
    bias: NDArray[np.float64], sums: NDArray[np.float64], means: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The gradient of the value by the exponents, on average between `bias` and `bias + sums`.

    >>> far = _mean_gradient(np.zeros(2), np.array([100.0, 0.0]), np.array([1.0, 0.0]))
    >>> far.round(6).tolist()      # times 100: from 0.5 to all but 1
    [0.005, -0.005]
    """
    # Where exponents differ by more than one from panel to panel, a bend could be missed.
    panels = min(ceil(np.ptp(sums)) + 1, _MOST_PANELS)
    points, shares = np.polynomial.legendre.leggauss(_POINTS)
    inside = (np.arange(panels)[:, None] + (points + 1) / 2).ravel() / panels
    probabilities = softmax(bias + inside[:, None] * sums)
    values = probabilities @ means
    gradients = probabilities * (means - values[:, None])
    return np.asarray(np.tile(shares / 2, panels) / panels @ gradients)
