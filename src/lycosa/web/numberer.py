"""Numbers of the words of texts and of URLs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from lycosa.content import NO_INTS, Ints, Strings, Table
from lycosa.web.run_numbers import RunNumbers
from lycosa.web.word_scanner import WordScanner
from lycosa.web.words import MARK, SPACED_MARK, path_of

_NUMBER_BYTES = np.dtype(np.int32).itemsize


class Numberer:
    """Converts text to the numbers of its words.

    `table` numbers the words; at most `capacity` words are cached, and as many runs between
    spaces of texts with unusual characters.

    >>> table = Table()
    >>> Numberer(table).numbers("The paper, the Paper")
    array([0, 1, 0, 1], dtype=int32)
    >>> list(table)
    ['the', 'paper']
    """

    def __init__(self, table: Table, capacity: int = 500_000) -> None:
        self._scanner = WordScanner(table, capacity)
        self._runs = RunNumbers(table, capacity)

    def numbers(self, text: str) -> Ints:
        """Return the numbers of the text's words in reading order; the array is read-only."""
        return self.marked(text.replace(MARK, " "))[0]

    def marked(self, text: str) -> tuple[Ints, list[int]]:
        """Return the numbers of the words, and the position of each mark among them.

        A mark stands between spaces.

        >>> Numberer(Table()).marked(f"Our {MARK} paper {MARK}")
        (array([0, 1], dtype=int32), [1, 2])
        """
        found = self._scanner.scan(text)
        return self._runs.numbers(text.lower().split()) if found is None else found


class UrlWords(NamedTuple):
    """The words of URLs: those of URL i are `tokens[ends[i]:ends[i + 1]]`."""

    tokens: Ints
    ends: list[int]


NO_URL_WORDS = UrlWords(NO_INTS, [])


class UrlNumberer:
    """Returns the numbers of the words of URLs, through a cache.

    Most links of a page are in the menu of its site. `numberer` numbers the words, and
    `urls` has the URLs; the cache is emptied when it holds more than `capacity` URLs.

    >>> urls = Table(["http://a.example/b/c", "http://a.example/b"])
    >>> UrlNumberer(Numberer(Table()), urls).numbers([1, 0])
    UrlWords(tokens=array([0, 0, 1], dtype=int32), ends=[0, 1, 3])
    """

    def __init__(self, numberer: Numberer, urls: Strings, capacity: int = 50_000) -> None:
        self._numberer = numberer
        self._urls = urls
        self._capacity = capacity
        self._known: dict[int, bytes] = {}  # the numbers of the words of a URL, as bytes

    def numbers(self, urls: Iterable[int]) -> UrlWords:
        """Return the words of each URL, given by its number."""
        known = self._known
        if len(known) > self._capacity:
            known.clear()
        numbers = list(urls)
        missing = [url for url in dict.fromkeys(numbers) if url not in known]
        if missing:
            # All in one text, since a call costs more than the words of a URL.
            text = SPACED_MARK.join([_words_of(self._urls[url]) for url in missing])
            tokens, marks = self._numberer.marked(text)
            data, start = tokens.tobytes(), 0
            for url, mark in zip(missing, (*marks, len(tokens)), strict=True):
                stop = mark * _NUMBER_BYTES
                known[url] = data[start:stop]
                start = stop
        parts = [known[url] for url in numbers]
        ends = [end // _NUMBER_BYTES for end in accumulate(map(len, parts), initial=0)]
        return UrlWords(np.frombuffer(b"".join(parts), np.int32), ends)


def _words_of(url: str) -> str:
    """Return the part of a URL that has words, without escapes."""
    path = path_of(url)
    return (unquote(path) if "%" in path else path).replace(MARK, " ")
