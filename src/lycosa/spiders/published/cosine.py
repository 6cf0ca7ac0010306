"""The cosine of texts to the words of a goal (Salton, Wong & Yang 1975).

A text is a vector of how often each word occurs in it; the goal is one in which
each of its words occurs once. There is no inverse document frequency: at the
start of a crawl there is no collection to count words in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Page, WordEffect
from lycosa.learn.vocabularies import Vocabulary, WeightLookup


class Cosine:
    """The cosine of the texts of a site to `words`, from 0, none of them, to 1.

    >>> from lycosa.content import Content, Table, Tables
    >>> words = Table(["web", "spider"])
    >>> text = Content(tokens=np.array(words.numbers(["a", "spider"]), np.int32))
    >>> page = Page(0, Tables(words, Table(), Table()), content=text)
    >>> round(Cosine(["spider", "fly"]).of_page(page), 3)      # one of two words, both ways
    0.5
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._vocabulary = Vocabulary(dict.fromkeys(words))
        self.forget()

    def forget(self) -> None:
        """Reset: the next page may belong to another site."""
        self._lens: WeightLookup | None = None

    def of_page(self, page: Page) -> float:
        """Return the cosine of the text of a page."""
        tokens = page.content.tokens
        return float(self._of_rows(page, np.zeros(len(tokens), np.int64), tokens, 1)[0])

    def of_links(self, page: Page, *bags: str) -> NDArray[np.float64]:
        """Return for each link of a page the cosine of the words in these bags together."""
        links, tokens = [], []
        for name in bags:
            offsets, words = page.bag(name).rows()
            links.append(np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)))
            tokens.append(words)
        return self._of_rows(page, np.concatenate(links), np.concatenate(tokens), len(page.targets))

    def _of_rows(
        self, page: Page, rows: NDArray[np.int64], tokens: Ints, size: int
    ) -> NDArray[np.float64]:
        """Return the cosine of each of `size` texts; word k belongs to text `rows[k]`."""
        wanted = self._is_wanted(page, tokens)
        if not wanted.any():
            return np.zeros(size)
        shared = np.bincount(rows, wanted, size)
        width = len(page.tables.words)
        times = np.unique(rows * width + tokens, return_counts=True)
        squares = np.bincount(times[0] // width, times[1].astype(np.float64) ** 2, size)
        return np.asarray(shared / np.sqrt(np.maximum(squares, 1) * len(self._vocabulary)))

    def _is_wanted(self, page: Page, tokens: Ints) -> NDArray[np.float64]:
        if self._lens is None:
            ones = np.ones((len(self._vocabulary), 1))
            self._lens = WeightLookup(self._vocabulary, ones, page.tables.words)
        return self._lens.rows(tokens)[:, 0]

    def page_effects(self, page: Page, factor: float) -> list[WordEffect]:
        """Return what each word of the page adds to `factor` times the page's cosine."""
        return self._effects(page, {"page": page.content.tokens}, factor)

    def link_effects(self, page: Page, index: int, factor: float, *bags: str) -> list[WordEffect]:
        """Return what each word of these bags of a link adds to `factor` times their cosine."""
        texts = {}
        for name in bags:
            offsets, tokens = page.bag(name).rows()
            texts[name] = tokens[offsets[index] : offsets[index + 1]]
        return self._effects(page, texts, factor)

    def _effects(self, page: Page, texts: dict[str, Ints], factor: float) -> list[WordEffect]:
        every = np.concatenate(list(texts.values()))
        times = np.unique(every, return_counts=True)[1].astype(np.float64)
        size = float(np.sqrt((times**2).sum() * len(self._vocabulary)))
        return [
            WordEffect(page.tables.words[token], name, count, factor * count / size)
            for name, tokens in texts.items()
            for token, count in Counter(tokens[self._is_wanted(page, tokens) > 0].tolist()).items()
        ]
