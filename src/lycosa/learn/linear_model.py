"""A linear model over the words around a link: what every learner here makes.

For each bin it adds up the weights of a link's words, channel by channel, and
turns the sums into probabilities of the bins. Naive Bayes and the support
vector machines differ in how they find the weights and in two choices:

* `root`: the sum of a channel is divided by the root of its number of words
  (the SVMs, whose training examples are scaled so), or not (naive Bayes);
* `slope`: how sums become probabilities: softmax of slope times the sums.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Bag, Strings, Tables
from lycosa.core import Page
from lycosa.learn.neighbourhoods import Neighbourhood
from lycosa.learn.vocabularies import Lens, Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class LinearModel:
    """Weights by channel, word and bin; the value of each bin."""

    neighbourhood: Neighbourhood
    vocabularies: tuple[Vocabulary, ...]
    weights: tuple[NDArray[np.float64], ...]
    bias: NDArray[np.float64]
    means: NDArray[np.float64]
    root: bool
    slope: float = 1.0

    def reader(self, tables: Tables) -> ModelReader:
        """The model as it reads pages with these tables."""
        return ModelReader(self, tables)


class ModelReader:
    """A model and the tables of the pages it is shown."""

    def __init__(self, model: LinearModel, tables: Tables) -> None:
        self.model = model
        channels = model.neighbourhood.channels
        strings: list[Strings] = [tables.paths if c.reads_paths else tables.words for c in channels]
        self._lenses = [
            Lens(vocabulary, weights, table)
            for vocabulary, weights, table in zip(
                model.vocabularies, model.weights, strings, strict=True
            )
        ]

    def parts(self, page: Page) -> list[NDArray[np.float64]]:
        """For each channel the sums of every link by bin."""
        channels = self.model.neighbourhood.channels
        return [
            channel_sums([page.bag(bag, c.near) for bag in c.bags], lens.weights, self.model.root)
            for c, lens in zip(channels, self._lenses, strict=True)
        ]

    def probabilities(self, page: Page) -> NDArray[np.float64]:
        """The probability of every bin for each link."""
        sums = np.sum(self.parts(page), axis=0) + self.model.bias
        return softmax(self.model.slope * sums)

    def values(self, page: Page) -> NDArray[np.float64]:
        """The estimated value of each link."""
        return self.probabilities(page) @ self.model.means


def channel_sums(bags: list[Bag], weights: NDArray[np.float64], root: bool) -> NDArray[np.float64]:
    """The sums of one channel, over its root length where the model wants it."""
    sums = bags[0].sums(weights)
    for bag in bags[1:]:
        sums = sums + bag.sums(weights)
    if root:
        lengths = np.sum([bag.lengths for bag in bags], axis=0)
        sums = sums / np.sqrt(np.maximum(lengths, 1.0))[:, None]
    return sums


def softmax(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities in proportion to the exponentials of the sums of each row."""
    shifted = np.exp(sums - sums.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))
