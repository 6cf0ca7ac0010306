"""Context graphs: how far a page is from a target, told by what it says.

Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context
Graphs". On training sites pages are put in layers by the number of links to the
nearest target, and a naive Bayes classifier learns the words of each layer. In
a crawl a page that was read is put in its most probable layer, and its links
wait in the queue of that layer. Queues are emptied from the nearest layer on;
within one the surest page goes first. What is beyond the last layer is a class
of its own, whose queue comes last.
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
_LEAST = 2  # times that a word must occur


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """What was learned of the layers: their share of the pages, and the words of each."""

    vocabulary: Vocabulary
    weights: NDArray[np.float64]
    bias: NDArray[np.float64]

    @classmethod
    def of(cls, sites: Sequence[Site], goal: str) -> Layers:
        """Learn from all pages of some sites that say something."""
        if not sites:
            raise UsageError(
                "A context graph is made of other sites; there are none to learn from."
            )
        pages = np.ones(_LAYERS + 1)  # as if one more had been seen in each layer
        counts = [(site, _counts(site, goal, pages)) for site in sites]
        vocabulary = Vocabulary.of(
            [(site.tables.words, mine.sum(axis=1)) for site, mine in counts], _LEAST, None
        )
        sums = np.zeros((len(vocabulary), _LAYERS + 1))
        for site, mine in counts:
            numbers = vocabulary.numbers(site.tables.words)
            known = np.flatnonzero(numbers >= 0)
            sums[numbers[known]] += mine[known]
        return cls(vocabulary, word_weights(sums), np.log(pages / pages.sum()))


class ContextGraph:
    """The queue of a page's layer, and within it how sure the classifier is.

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
        """The next page may be of another site."""
        self._lens: WeightLookup | None = None

    def observe(self, step: Step) -> None:
        """Nothing is learned."""

    def layers(self, page: Page) -> NDArray[np.float64]:
        """How probable each layer is for a page, the last being all that is farther away."""
        if self._lens is None:
            self._lens = WeightLookup(
                self._layers.vocabulary, self._layers.weights, page.tables.words
            )
        rows = self._lens.rows(page.content.tokens)
        known = max(1, int(np.count_nonzero(rows[:, 0])))
        # By the root of the length, or a long page would always be sure.
        sums = self._layers.bias + rows.sum(axis=0) / np.sqrt(known)
        return np.asarray(softmax(sums[None])[0])

    def score(self, page: Page) -> NDArray[np.float64]:
        """One score for all links of the page: the whole part is the queue."""
        return np.full(len(page.targets), _value(self.layers(page)))

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """The layer of the page."""
        layers = self.layers(page)
        layer = int(layers.argmax())
        place = f"{layer} links from a target" if layer < _LAYERS else "far from all targets"
        about = f"the page is {place}, with probability {layers[layer]:.2f}"
        return (ScoreContribution(self.name, _value(layers), about=about),)


def _value(layers: NDArray[np.float64]) -> float:
    layer = int(layers.argmax())
    # Halved: of a layer that is certain the value must stay below the next queue's.
    return _LAYERS - layer + 0.5 * float(layers[layer]) * (1 if layer < _LAYERS else -1)


def _counts(site: Site, goal: str, pages: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often each word stands on pages of each layer; the pages are counted on the way."""
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
        np.bincount(np.concatenate(mine), minlength=size) if mine else np.zeros(size)
        for mine in found
    ]
    return np.stack(columns, axis=1).astype(np.float64)
