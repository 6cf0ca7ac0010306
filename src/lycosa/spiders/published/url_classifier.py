"""On-line logistic regression over the words of URLs, which recognises targets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Strings, Tables
from lycosa.core import Page
from lycosa.learn.logistic import sigmoid
from lycosa.web.words import url_words

_LEARNING_RATE = 0.5
_INITIAL_BIAS = -2.0  # targets are rare
_MAX_LOG_ODDS = 30.0  # beyond it a probability would be 0 or 1


class URLClassifier:
    """The probability that a URL is a target.

    >>> from lycosa.content import Table
    >>> tables = Tables(Table(["papers", "ps", "html"]), Table(), Table())
    >>> classifier = URLClassifier()
    >>> for _ in range(20):
    ...     classifier.learn(tables, "http://a.edu/papers/1.ps", True)
    ...     classifier.learn(tables, "http://a.edu/papers/2.html", False)
    >>> classifier.probability(tables.words, "http://a.edu/new.ps") > 0.5
    True
    >>> classifier.probability(tables.words, "http://a.edu/new.html") < 0.2
    True
    """

    def __init__(self) -> None:
        self._weights = np.zeros(1024)
        self._bias = _INITIAL_BIAS
        self._numbers: dict[str, int] = {}  # a cache: lookups in a stored table are slow

    def learn(self, tables: Tables, url: str, is_target: bool) -> None:
        """Update the weights of the words of a fetched URL."""
        words = self._words(tables.words, url)
        self._grow(len(tables.words))
        step = (
            _LEARNING_RATE
            * (is_target - self.probability(tables.words, url))
            / (1 + len(words)) ** 0.5
        )
        self._bias += step
        np.add.at(self._weights, words, step)

    def probability(self, table: Strings, url: str) -> float:
        """Return the probability of a single URL."""
        self._grow(len(table))
        return float(self._probabilities(self._weights[self._words(table, url)].sum()))

    def of_links(self, page: Page) -> NDArray[np.float64]:
        """Return the probability of each link of a page."""
        bag = page.bag("url")  # first, because reading the page may add words to the table
        self._grow(len(page.tables.words))
        return self._probabilities(bag.sums(self._weights))

    def _probabilities(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return sigmoid(np.clip(self._bias + sums, -_MAX_LOG_ODDS, _MAX_LOG_ODDS))

    def _grow(self, size: int) -> None:
        if size > len(self._weights):
            zeros = np.zeros(size + size // 4 - len(self._weights))
            self._weights = np.concatenate((self._weights, zeros))

    def _words(self, table: Strings, url: str) -> list[int]:
        """Return the numbers of the words of a URL that are in the table."""
        found = []
        for word in url_words(url):
            number = self._numbers.get(word)
            if number is None and (number := table.find(word)) is not None:
                self._numbers[word] = number
            if number is not None:
                found.append(number)
        return found
