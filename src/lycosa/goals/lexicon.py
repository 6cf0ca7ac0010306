"""What a goal makes of words, worked out once for every word of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lycosa.content import Strings
from lycosa.core import Page

TABLES = 16
"""For how many tables of words the values are kept."""


class Lexicon:
    """A number for every word: one look-up in an array for each word of a page.

    Tables of words may grow during a crawl; they are read on from where they
    ended.

    >>> from lycosa.content import Content, Table, Tables
    >>> tables = Tables(Table(["the", "spider", "the"]), Table(["a"]), Table())
    >>> page = Page(0, tables, content=Content(np.array([0, 1, 0], np.int32)))
    >>> Lexicon(len).values(page)
    array([3, 6, 3])
    >>> Lexicon({"spider": 0.5}, np.float64).values(page)
    array([0. , 0.5, 0. ])
    """

    def __init__(
        self, value: Callable[[str], Any] | Mapping[str, Any], dtype: DTypeLike = np.int64
    ) -> None:
        self._value = value
        self._dtype = dtype
        self._known: dict[int, tuple[Strings, int, NDArray[Any]]] = {}

    def __reduce__(self) -> tuple[type[Lexicon], tuple[Any, DTypeLike]]:
        # What was found in tables is not worth carrying to another process.
        return type(self), (self._value, self._dtype)

    def values(self, page: Page) -> NDArray[Any]:
        """The number of each word of a page, in reading order."""
        tokens = page.content.tokens  # read before the table is looked at, for it may add words
        return self._of(page.tables.words).take(tokens)

    def distinct(self, page: Page) -> NDArray[Any]:
        """The number of each different word of a page, in no order."""
        tokens = np.unique(page.content.tokens)
        return self._of(page.tables.words).take(tokens)

    def _of(self, table: Strings) -> NDArray[Any]:
        _, seen, values = self._known.get(id(table)) or (table, 0, np.zeros(0, self._dtype))
        size = len(table)
        if seen < size:
            if size > len(values):
                values = np.concatenate((values, np.zeros(2 * size, self._dtype)))
            value = self._value
            words = map(table.__getitem__, range(seen, size))
            if isinstance(value, Mapping):
                values[seen:size] = [value.get(word, 0) for word in words]
            else:
                values[seen:size] = [value(word) for word in words]
            if len(self._known) >= TABLES and id(table) not in self._known:
                self._known.clear()
            # The table is held, so that nobody else gets its id.
            self._known[id(table)] = table, size, values
        return values
