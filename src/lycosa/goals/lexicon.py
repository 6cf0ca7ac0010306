"""Lexicon: a number for each word, computed once for every word of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lycosa.content import Strings
from lycosa.core import Page

MAX_TABLES = 16
"""Tables of words for which values are cached."""


class Lexicon:
    """A number for every word, so that a page costs one array look-up for each of its words.

    A table of words may grow during a crawl; only its new words are computed.
    `value` is a function of a word, or a mapping where other words are 0;
    `dtype` is the type of the numbers.

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
        self._cache: dict[int, tuple[Strings, int, NDArray[Any]]] = {}

    def __reduce__(self) -> tuple[type[Lexicon], tuple[Any, DTypeLike]]:
        # The cache is not worth sending to another process.
        return type(self), (self._value, self._dtype)

    def values(self, page: Page) -> NDArray[Any]:
        """Return the number of each word of a page, in reading order."""
        tokens = page.content.tokens  # first, because parsing may add words to the table
        return self._table_values(page.tables.words).take(tokens)

    def distinct(self, page: Page) -> NDArray[Any]:
        """Return the number of each distinct word of a page, in no order."""
        tokens = np.unique(page.content.tokens)
        return self._table_values(page.tables.words).take(tokens)

    def _table_values(self, table: Strings) -> NDArray[Any]:
        _, seen, values = self._cache.get(id(table)) or (table, 0, np.zeros(0, self._dtype))
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
            if len(self._cache) >= MAX_TABLES and id(table) not in self._cache:
                self._cache.clear()
            # A reference to the table, so that its id is not given to another object.
            self._cache[id(table)] = table, size, values
        return values
