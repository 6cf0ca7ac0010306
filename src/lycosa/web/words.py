"""Word segmentation: the definition of a word, for the whole package."""

from __future__ import annotations

import re
from array import array
from itertools import accumulate
from struct import Struct
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from lycosa.content import NO_INTS, Ints, Strings, Table

MARK = "\0"
"""Marks a position in a text, between spaces; its number is -1."""

_MAX_CACHED_CHARACTERS = 64
_MAX_WORD_CHARACTERS = 64
_PUNCTUATION = ".,;:!?()[]{}\"'-"
_ONE_BYTE = "latin-1"
"""The encoding whose bytes are the first 256 characters of Unicode."""
_PACK = Struct("i").pack
_NUMBER_BYTES = array("i").itemsize
CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
"""Characters of Chinese and Japanese, as a part of a character class."""
# Letters and digits, at most 64 in a row, so that binary data cannot make a word of
# a megabyte; Chinese and Japanese, written without spaces, one character at a time.
WORD = re.compile(rf"[^\W_{CJK}]{{1,{_MAX_WORD_CHARACTERS}}}|[{CJK}]")
"""A word, of a text in lower case."""


def _separated(character: str) -> int:
    """Return the code of a character in lower case; of a space, if it is in no word."""
    lower = character.lower()
    return ord(lower if WORD.fullmatch(lower) or lower == MARK else " ")


# Texts of such characters alone, which most are, are put in lower case and freed of
# punctuation by this table in one call, as bytes.
_SEPARATED = bytes(map(_separated, map(chr, range(256))))


def words(text: str) -> list[str]:
    """Return the words of a text in reading order, in lower case.

    >>> words("Rennie & McCallum (1999), pp. 335-343")
    ['rennie', 'mccallum', '1999', 'pp', '335', '343']
    """
    runs = _runs(text)
    if runs is None or max(map(len, runs), default=0) > _MAX_WORD_CHARACTERS or MARK in text:
        return WORD.findall(text.lower())
    return runs


def _runs(text: str) -> list[str] | None:
    """Return the words of a text, however long, and what contains marks; None if it is unusual.

    A text is unusual if it has characters beyond the first 256 of Unicode.
    """
    try:
        encoded = text.encode(_ONE_BYTE)
    except UnicodeEncodeError:
        return None
    return encoded.translate(_SEPARATED).decode(_ONE_BYTE).split()


def url_words(url: str) -> list[str]:
    """Return the words of a URL's directories, file name and query, without the host.

    >>> url_words("http://www.cs.example.edu/~smith/papers/TR-96%2012.ps.gz?lang=en")
    ['smith', 'papers', 'tr', '96', '12', 'ps', 'gz', 'lang', 'en']
    """
    path = url.split("/", 3)[3:]
    return words(unquote(path[0])) if path else []


class _RunCache(dict[str, bytes]):
    """A cache of the words in a run of characters between spaces: their numbers, as bytes.

    Runs are in lower case. `table` numbers the words; the cache is emptied when it holds
    `capacity` runs.
    """

    __slots__ = ("capacity", "table")

    def __init__(self, table: Table, capacity: int) -> None:
        self.table = table
        self.capacity = capacity

    def __missing__(self, run: str) -> bytes:
        word = run.strip(_PUNCTUATION)
        if len(word) <= _MAX_WORD_CHARACTERS and word.isascii() and word.isalnum():
            # One word, as nearly every run is: no search for more.
            numbers = _PACK(self.table.number(word))
        elif run == MARK:
            numbers = _PACK(-1)
        else:
            numbers = array("i", self.table.numbers(WORD.findall(run))).tobytes()
        if len(run) <= _MAX_CACHED_CHARACTERS:
            if len(self) >= self.capacity:
                self.clear()
            self[run] = numbers
        return numbers


class Numberer:
    """Converts text to the numbers of its words, several times faster than word by word.

    Nearly every word of running text, or run between two spaces ("paper,") if its
    characters are unusual, occurred before, and costs one look-up; its numbers are
    cached as bytes, which are joined without an object for each number. `table` numbers
    the words; at most `capacity` runs are cached.

    >>> table = Table()
    >>> Numberer(table).numbers(f"The paper, {MARK} the Paper")
    array([ 0,  1, -1,  0,  1], dtype=int32)
    >>> list(table)
    ['the', 'paper']
    """

    def __init__(self, table: Table, capacity: int = 500_000) -> None:
        self._runs = _RunCache(table, capacity)

    def numbers(self, text: str) -> Ints:
        """Return the numbers of the text's words in reading order; the array is read-only."""
        runs = _runs(text)
        if runs is None:
            runs = text.lower().split()
        return np.frombuffer(b"".join(map(self._runs.__getitem__, runs)), np.int32)


class UrlWords(NamedTuple):
    """The words of the URLs of links: those of link i are `tokens[start[i]:stop[i]]`."""

    tokens: Ints
    start: Ints
    stop: Ints


NO_URL_WORDS = UrlWords(NO_INTS, NO_INTS, NO_INTS)


class _UrlCache(dict[int, bytes]):
    """A cache of the words of URLs by number: the numbers of the words, as bytes."""

    __slots__ = ("urls", "words")

    def __init__(self, words: Table, urls: Strings) -> None:
        self.words = words
        self.urls = urls

    def __missing__(self, url: int) -> bytes:
        numbers = array("i", self.words.numbers(url_words(self.urls[url]))).tobytes()
        self[url] = numbers
        return numbers


class UrlNumberer:
    """Returns the numbers of the words of URLs, through a cache.

    Most links of a page are in the menu of its site. `words` numbers the words, and
    `urls` has the URLs; the cache is emptied when it holds more than `capacity` URLs.

    >>> urls = Table(["http://a.example/b/c", "http://a.example/b"])
    >>> found = UrlNumberer(Table(), urls).numbers(np.array([1, 0]))
    >>> found.tokens, found.start, found.stop
    (array([0, 0, 1], dtype=int32), array([0, 1], dtype=int32), array([1, 3], dtype=int32))
    """

    def __init__(self, words: Table, urls: Strings, capacity: int = 50_000) -> None:
        self._known = _UrlCache(words, urls)
        self._capacity = capacity

    def numbers(self, urls: Ints) -> UrlWords:
        """Return the words of each URL, given by its number."""
        if len(self._known) > self._capacity:
            self._known.clear()
        parts = list(map(self._known.__getitem__, urls.tolist()))
        ends = np.fromiter(accumulate(map(len, parts), initial=0), np.int32, len(parts) + 1)
        ends //= _NUMBER_BYTES
        return UrlWords(np.frombuffer(b"".join(parts), np.int32), ends[:-1], ends[1:])
