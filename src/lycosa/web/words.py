"""Text to words: the one place that decides what a word is."""

from __future__ import annotations

import re
from itertools import chain
from urllib.parse import unquote

from lycosa.content import Table

MARK = "\0"
"""Stands between spaces where a place in a text is to be found again; its number is -1."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
# Letters and digits, at most 64 in a row so that garbage cannot make a word of a
# megabyte; Chinese and Japanese, which write no spaces, go one character at a time.
WORD = re.compile(rf"[^\W_{_CJK}]{{1,64}}|[{_CJK}]")
"""A word, of a text in lower case."""


def words(text: str) -> list[str]:
    """The words of a text in reading order, in lower case.

    >>> words("Rennie & McCallum (1999), pp. 335-343")
    ['rennie', 'mccallum', '1999', 'pp', '335', '343']
    """
    return WORD.findall(text.lower())


def url_words(url: str) -> list[str]:
    """The words of a URL's directories, file name and query; the host is left out.

    >>> url_words("http://www.cs.example.edu/~smith/papers/TR-96%2012.ps.gz?lang=en")
    ['smith', 'papers', 'tr', '96', '12', 'ps', 'gz', 'lang', 'en']
    """
    path = url.split("/", 3)[3:]
    return words(unquote(path[0])) if path else []


class _Runs(dict[str, tuple[int, ...]]):
    """What a run of characters between spaces is made of, worked out once."""

    __slots__ = ("capacity", "table")

    def __init__(self, table: Table, capacity: int) -> None:
        self.table = table
        self.capacity = capacity

    def __missing__(self, run: str) -> tuple[int, ...]:
        numbers = (-1,) if run == MARK else tuple(self.table.numbers(words(run)))
        if len(run) <= 64:
            if len(self) >= self.capacity:
                self.clear()
            self[run] = numbers
        return numbers


class Numberer:
    """Text to the numbers of its words, several times faster than word by word.

    Running text repeats itself: nearly every run between two spaces ("paper,")
    was seen before, and a look-up is all it costs.

    >>> table = Table()
    >>> Numberer(table).numbers(f"The paper, {MARK} the Paper")
    [0, 1, -1, 0, 1]
    >>> list(table)
    ['the', 'paper']
    """

    def __init__(self, table: Table, capacity: int = 500_000) -> None:
        self._runs = _Runs(table, capacity)

    def numbers(self, text: str) -> list[int]:
        """The numbers of the text's words in reading order."""
        return list(chain.from_iterable(map(self._runs.__getitem__, text.split())))
