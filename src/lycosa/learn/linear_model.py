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

from lycosa.content import Bag, Content, Tables, prefix_sums
from lycosa.core import Page
from lycosa.learn.neighbourhoods import Neighbourhood
from lycosa.learn.vocabularies import Vocabulary, WeightLookup, merge_vocabularies

_SMALL_PAGE_WORDS = 500  # words of a page


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
    """A model and the tables of the pages it is shown.

    The words of a page are looked up once, with the weights of all channels.
    """

    def __init__(self, model: LinearModel, tables: Tables) -> None:
        self.model = model
        channels = model.neighbourhood.channels
        page = [k for k, c in enumerate(channels) if not set(c.bags) <= {"url", "path"}]
        bins = len(model.means)
        self._columns = {k: np.s_[:, n * bins : (n + 1) * bins] for n, k in enumerate(page)}
        self._page: WeightLookup | None = None
        if page:
            both = merge_vocabularies(
                [model.vocabularies[k] for k in page], [model.weights[k] for k in page]
            )
            self._page = WeightLookup(*both, tables.words)
        self._apart = {
            k: WeightLookup(
                model.vocabularies[k],
                model.weights[k],
                tables.paths if channel.reads_paths else tables.words,
            )
            for k, channel in enumerate(channels)
            if k not in self._columns
        }

    def parts(self, page: Page) -> list[NDArray[np.float64]]:
        """For each channel the sums of every link by bin."""
        content = page.content
        channels = self.model.neighbourhood.channels
        bags = [[content.bag(name, c.near) for name in c.bags] for c in channels]
        prefix = None
        if self._page is not None and self._reads_all(bags, content):
            prefix = prefix_sums(self._page.rows(content.tokens))
        return [
            self._scaled(bags[k], [self._sums(k, bag, content, prefix) for bag in bags[k]], content)
            for k in range(len(channels))
        ]

    def _reads_all(self, bags: list[list[Bag]], content: Content) -> bool:
        """Whether one pass over the page for all channels beats one over the words of each bag.

        The second also has to find them, which takes about as long again. On a
        small page it takes longer to find out.
        """
        if len(content.tokens) <= _SMALL_PAGE_WORDS:
            return True
        read = [bag for k in self._columns for bag in bags[k] if bag.tokens is content.tokens]
        total = sum(int((bag.stop - bag.start).sum()) for bag in read)
        return len(content.tokens) * len(self._columns) <= 2 * total

    def _sums(
        self, k: int, bag: Bag, content: Content, prefix: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        if self._page is None or k in self._apart:
            rows = self._apart[k].rows
            one_each = self.model.neighbourhood.channels[k].reads_paths
            return rows(bag.tokens) if one_each else bag.sums_by(rows)
        words, columns = self._page, self._columns[k]
        if prefix is not None and bag.tokens is content.tokens:
            return bag.sums_of(prefix[columns])
        return bag.sums_by(lambda tokens: words.rows(tokens)[columns])

    def _scaled(
        self, bags: list[Bag], sums: list[NDArray[np.float64]], content: Content
    ) -> NDArray[np.float64]:
        total = sums[0] if len(sums) == 1 else np.sum(sums, axis=0)
        if not self.model.root or bags[0].tokens is content.paths:  # one path a link
            return total
        return scale_by_root_length(bags, total)

    def probabilities(self, page: Page) -> NDArray[np.float64]:
        """The probability of every bin for each link."""
        sums = np.sum(self.parts(page), axis=0) + self.model.bias
        return softmax(self.model.slope * sums)

    def values(self, page: Page) -> NDArray[np.float64]:
        """The estimated value of each link."""
        return self.probabilities(page) @ self.model.means


def scale_by_root_length(bags: list[Bag], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sums of a channel's bags over the root of their number of words."""
    lengths = bags[0].lengths
    for bag in bags[1:]:
        lengths = lengths + bag.lengths
    return sums / np.sqrt(np.maximum(lengths, 1.0))[:, None]


def softmax(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities in proportion to the exponentials of the sums of each row."""
    shifted = np.exp(sums - sums.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))
