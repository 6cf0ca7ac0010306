"""Linear model over the words around a link: the common result of naive Bayes and the SVMs.

The model sums, for each bin, the weights of a link's words, channel by channel; the softmax of
these sums gives the probabilities of the bins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Bag, Content, Tables, prefix_sums
from lycosa.core import Page
from lycosa.learn.neighbourhoods import Neighbourhood
from lycosa.learn.vocabularies import Vocabulary, WeightLookup, merge_vocabularies

_SMALL_PAGE_WORDS = 500  # on shorter pages one pass over all words is always faster


@dataclass(frozen=True, slots=True, eq=False)
class LinearModel:
    """Weights by channel, word and bin, and the mean value of each bin.

    * `neighbourhood`: the channels, which number vocabularies and weights;
    * `weights[k]`: for channel k a row for each word of `vocabularies[k]`, a column for each bin;
    * `bias`: added to the sums of each bin;
    * `means`: value of each bin; the estimate is their mean by probability;
    * `root`: divide the sum of a channel by the square root of its number of words, as the SVMs
      scale their training examples; naive Bayes does not;
    * `slope`: factor of the sums before the softmax.
    """

    neighbourhood: Neighbourhood
    vocabularies: tuple[Vocabulary, ...]
    weights: tuple[NDArray[np.float64], ...]
    bias: NDArray[np.float64]
    means: NDArray[np.float64]
    root: bool
    slope: float = 1.0

    def reader(self, tables: Tables) -> ModelReader:
        """Return a reader of pages with these tables."""
        return ModelReader(self, tables)


class ModelReader:
    """Applies a model to pages that share their tables.

    It looks up the words of a page once, for the weights of all channels together. `tables`
    are those of the pages.
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
        self._separate = {
            k: WeightLookup(
                model.vocabularies[k],
                model.weights[k],
                tables.paths if channel.reads_paths else tables.words,
            )
            for k, channel in enumerate(channels)
            if k not in self._columns
        }

    def parts(self, page: Page) -> list[NDArray[np.float64]]:
        """Return for each channel a matrix: sums of weights by link and bin."""
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
        """Return whether one pass over the page is faster than a pass over each bag's words.

        A pass over bags also gathers their words, which takes about as long again. On a small
        page counting the words would take longer than either.
        """
        if len(content.tokens) <= _SMALL_PAGE_WORDS:
            return True
        read = [bag for k in self._columns for bag in bags[k] if bag.tokens is content.tokens]
        total = sum(int((bag.stop - bag.start).sum()) for bag in read)
        return len(content.tokens) * len(self._columns) <= 2 * total

    def _sums(
        self, k: int, bag: Bag, content: Content, prefix: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        if self._page is None or k in self._separate:
            rows = self._separate[k].rows
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
        """Return the probability of every bin for each link."""
        sums = np.sum(self.parts(page), axis=0) + self.model.bias
        return softmax(self.model.slope * sums)

    def values(self, page: Page) -> NDArray[np.float64]:
        """Return the estimated value of each link."""
        return self.probabilities(page) @ self.model.means


def scale_by_root_length(bags: list[Bag], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide the sums of a channel's bags by the square root of their number of words."""
    lengths = bags[0].lengths
    for bag in bags[1:]:
        lengths = lengths + bag.lengths
    return sums / np.sqrt(np.maximum(lengths, 1.0))[:, None]


def softmax(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the softmax of each row."""
    shifted = np.exp(sums - sums.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))
