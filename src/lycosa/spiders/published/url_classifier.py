"""Whether a URL is a target, by its words alone: logistic regression, learned as pages come in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Strings, Tables
from lycosa.core import Page
from lycosa.learn.logistic import sigmoid
from lycosa.web.words import url_words

_RATE = 0.5
_BIAS = -2.0  # a target is the exception
_SURE = 30.0  # log-odds beyond which a probability would be 0 or 1


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
        self._bias = _BIAS
        self._numbers: dict[str, int] = {}  # a stored table takes its time to find a word

    def learn(self, tables: Tables, url: str, is_target: bool) -> None:
        """Move the weights of the words of a URL towards what it was."""
        words = self._words(tables.words, url)
        self._grow(len(tables.words))
        step = _RATE * (is_target - self.probability(tables.words, url)) / (1 + len(words)) ** 0.5
        self._bias += step
        np.add.at(self._weights, words, step)

    def probability(self, table: Strings, url: str) -> float:
        """How likely a single URL is a target."""
        self._grow(len(table))
        return float(self._squashed(self._weights[self._words(table, url)].sum()))

    def of_links(self, page: Page) -> NDArray[np.float64]:
        """How likely each link of a page is one."""
        bag = page.bag("url")  # first, because to read a page may bring new words
        self._grow(len(page.tables.words))
        return self._squashed(bag.sums(self._weights))

    def _squashed(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return sigmoid(np.clip(self._bias + sums, -_SURE, _SURE))

    def _grow(self, size: int) -> None:
        if size > len(self._weights):
            more = np.zeros(size + size // 4 - len(self._weights))
            self._weights = np.concatenate((self._weights, more))

    def _words(self, table: Strings, url: str) -> list[int]:
        """The numbers of the words of a URL that are in the table."""
        found = []
        for word in url_words(url):
            number = self._numbers.get(word)
            if number is None and (number := table.find(word)) is not None:
                self._numbers[word] = number
            if number is not None:
                found.append(number)
        return found
