"""Context graphs: the distance of a page to a target, classified by its words.

Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context
Graphs". On training sites pages are put in layers by the number of links to the
nearest target, and a naive Bayes classifier learns the words of each layer. In
a crawl a page is put in its most probable layer, and its links wait in the queue
of that layer. Queues are emptied from the nearest layer on; within a queue the
page with the highest probability goes first. Pages beyond the last layer are a
class of their own, whose queue comes last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, ScoreContribution, Site, Step
from lycosa.errors import UsageError
from lycosa.learn.linear_model import softmax
from lycosa.learn.naive_bayes import word_weights
from lycosa.learn.vocabularies import Vocabulary, WeightLookup
from lycosa.sites.graph import Graph
from lycosa.spiders.factory import Setup

_LAYERS = 4  # 0, the targets, to 3 links away
_MIN_OCCURRENCES = 2  # of a word on the training sites


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """The naive Bayes model of the layers."""

    vocabulary: Vocabulary
    """The words that number the rows of `weights`."""
    weights: NDArray[np.float64]
    """The logarithm of the probability of each word (row) in each layer (column)."""
    bias: NDArray[np.float64]
    """The logarithm of each layer's share of the pages."""

    @classmethod
    def of(cls, sites: Sequence[Site], goal: str) -> Layers:
        """Return the model of all pages with words of some sites."""
        if not sites:
            raise UsageError(
                "The spider 'context-graph' learns from other sites, and there are none; give some."
            )
        pages = np.ones(_LAYERS + 1)  # Laplace smoothing: one more in each layer
        counts = [(site, _counts(site, goal, pages)) for site in sites]
        vocabulary = Vocabulary.of(
            [(site.tables.words, counted.sum(axis=1)) for site, counted in counts],
            _MIN_OCCURRENCES,
            None,
        )
        sums = np.zeros((len(vocabulary), _LAYERS + 1))
        for site, counted in counts:
            numbers = vocabulary.numbers(site.tables.words)
            known = np.flatnonzero(numbers >= 0)
            sums[numbers[known]] += counted[known]
        return cls(vocabulary, word_weights(sums), np.log(pages / pages.sum()))


class ContextGraph:
    """A policy that scores a link by the layer of its page, and the probability of that layer.

    `layers` is the model of other sites; `name` is the name in results.

    >>> from lycosa.sites.generated import World
    >>> world = World(seed=1, departments=2, pages=100)
    >>> spider = ContextGraph(Layers.of([world.department(1)], "papers"))
    >>> spider.start(Budget())
    >>> site = world.department(0)
    >>> spider.layers(site.page(int(site.seeds[0]))).sum().round(6).item()
    1.0
    """

    def __init__(self, layers: Layers, name: str = "context-graph") -> None:
        self.name = name
        self._layers = layers

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Return a policy whose layers are learned from the training sites."""
        return cls(Layers.of(setup.training, setup.goal))

    def start(self, budget: Budget) -> None:
        """Reset: the next crawl has other tables."""
        self._lens: WeightLookup | None = None

    def observe(self, step: Step) -> None:
        """Do nothing: nothing is learned."""

    def layers(self, page: Page) -> NDArray[np.float64]:
        """Return the probability of each layer for a page; the last is all that is farther away."""
        if self._lens is None:
            self._lens = WeightLookup(
                self._layers.vocabulary, self._layers.weights, page.tables.words
            )
        rows = self._lens.rows(page.content.tokens)
        known = max(1, int(np.count_nonzero(rows[:, 0])))
        # Divided by the root of the length, or every long page would have probability 1.
        sums = self._layers.bias + rows.sum(axis=0) / np.sqrt(known)
        return np.asarray(softmax(sums[None])[0])

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return one score for all links of the page; its integer part is the queue."""
        return np.full(len(page.targets), _value(self.layers(page)))

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the layer of the page and its probability."""
        layers = self.layers(page)
        layer = int(layers.argmax())
        place = f"{layer} links from a target" if layer < _LAYERS else "far from all targets"
        about = f"the page is {place}, with probability {layers[layer]:.2f}"
        return (ScoreContribution(self.name, _value(layers), about=about),)


def _value(layers: NDArray[np.float64]) -> float:
    layer = int(layers.argmax())
    # Halved, so that a layer with probability 1 stays below the next queue.
    return _LAYERS - layer + 0.5 * float(layers[layer]) * (1 if layer < _LAYERS else -1)


def _counts(site: Site, goal: str, pages: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how often each word occurs in each layer; add the pages of each to `pages`."""
    distances = Graph.of(site).reverse().distances(site.wanted(goal))
    layers = np.where((distances < 0) | (distances >= _LAYERS), _LAYERS, distances)
    found: list[list[NDArray[np.int32]]] = [[] for _ in range(_LAYERS + 1)]
    for number, layer in enumerate(layers.tolist()):
        tokens = site.page(number).content.tokens
        if len(tokens):
            found[layer].append(tokens)
            pages[layer] += 1
    size = len(site.tables.words)
    columns = [
        np.bincount(np.concatenate(tokens), minlength=size) if tokens else np.zeros(size)
        for tokens in found
    ]
    return np.stack(columns, axis=1).astype(np.float64)
