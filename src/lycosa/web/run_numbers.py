"""Numbers of the words in runs of characters between spaces, through a cache.

A run ("paper,") has one word, or several, or none. Its numbers are cached as bytes, which
are joined without an object for each number.

>>> table = Table()
>>> numbers, marks = RunNumbers(table, 100).numbers(["(the", "paper,", MARK, "paper"])
>>> numbers.tolist(), marks, list(table)
([0, 1, 1], [2], ['the', 'paper'])
"""

from __future__ import annotations

from array import array
from struct import Struct

import numpy as np

from lycosa.content import Ints, Table
from lycosa.web.words import MARK, MAX_WORD_CHARACTERS, WORD

_MAX_CACHED_CHARACTERS = 64
_PUNCTUATION = ".,;:!?()[]{}\"'-"
_PACK = Struct("i").pack


class _RunCache(dict[str, bytes]):
    """The numbers of the words in a run, as bytes; -1 for a mark."""

    __slots__ = ("capacity", "table")

    def __init__(self, table: Table, capacity: int) -> None:
        self.table = table
        self.capacity = capacity

    def __missing__(self, run: str) -> bytes:
        word = run.strip(_PUNCTUATION)
        if len(word) <= MAX_WORD_CHARACTERS and word.isascii() and word.isalnum():
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


class RunNumbers:
    """Numbers the words of runs.

    `table` numbers the words; the cache is emptied when it holds `capacity` runs.
    """

    def __init__(self, table: Table, capacity: int) -> None:
        self._known = _RunCache(table, capacity)

    def numbers(self, runs: list[str]) -> tuple[Ints, list[int]]:
        """Return the numbers of the words of runs in lower case, and the positions of marks.

        The array is read-only.
        """
        numbers = np.frombuffer(b"".join(map(self._known.__getitem__, runs)), np.int32)
        is_mark = numbers < 0
        marks = is_mark.nonzero()[0]
        if not len(marks):
            return numbers, []
        marks -= np.arange(len(marks))
        return numbers[~is_mark], marks.tolist()
