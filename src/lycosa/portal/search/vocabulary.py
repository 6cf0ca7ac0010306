"""The words of an index and how many works have each, for spelling and completion.

A table beside the index, written with every commit and mapped when it is read.
It may be a commit behind; nothing that is found depends on it.

>>> words = Vocabulary.counted({"robot": 5, "robots": 9, "spider": 2})
>>> words.completed("rob")
['robots', 'robot']
>>> words.count("spider"), words.count("fly")
(2, 0)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tantivy import Searcher

from lycosa.files import replace_file

FILE = "words.npy"
LONGEST = 24
"""Characters; longer words are hardly words."""
MOST = 200_000
"""Words that are kept, those of most works."""
_ROW = np.dtype(
    [("word", f"U{LONGEST}"), ("count", np.int32), ("length", np.int8), ("letters", np.uint64)]
)


def codes(words: NDArray[np.str_]) -> NDArray[np.uint32]:
    """The letters of words as numbers, a row for each word, with zeros behind."""
    width = words.dtype.itemsize // 4
    return np.ascontiguousarray(words).view(np.uint32).reshape(len(words), width)


def letters(codes: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Which letters words have: 64 bits that letters share."""
    bits = np.left_shift(np.uint64(1), (codes % 64).astype(np.uint64))
    return np.asarray(np.bitwise_or.reduce(np.where(codes > 0, bits, np.uint64(0)), axis=1))


class Vocabulary:
    """Words in their order, and of each its works, its length and its letters."""

    def __init__(self, rows: NDArray[Any]) -> None:
        self.words: NDArray[np.str_] = rows["word"]
        self.counts: NDArray[np.int32] = rows["count"]
        self._rows = rows

    @classmethod
    def counted(cls, counts: Mapping[str, int]) -> Vocabulary:
        """Those of a mapping, except words of digits and words too long."""
        wanted = [
            (word, count)
            for word, count in counts.items()
            if 1 < len(word) <= LONGEST and not word.isdecimal()
        ]
        wanted.sort(key=lambda pair: (-pair[1], pair[0]))
        wanted = sorted(wanted[:MOST])
        rows = np.zeros(len(wanted), _ROW)
        rows["word"], rows["count"] = zip(*wanted, strict=True) if wanted else ((), ())
        rows["length"] = np.char.str_len(rows["word"])
        rows["letters"] = letters(codes(rows["word"]))
        return cls(rows)

    @classmethod
    def of(cls, searcher: Searcher) -> Vocabulary:
        """The words of an index."""
        return cls.counted(dict(searcher.terms_with_prefix("any", "")))

    @classmethod
    def load(cls, folder: Path) -> Vocabulary:
        """What was saved beside an index; nothing if that cannot be read."""
        try:
            rows = np.load(folder / FILE, mmap_mode="r")
        except (OSError, ValueError, EOFError):
            rows = np.empty(0, _ROW)
        return cls(rows if rows.dtype == _ROW else np.empty(0, _ROW))

    def save(self, folder: Path) -> None:
        """Put it beside an index, in one step."""
        with replace_file(folder / FILE) as part, part.open("wb") as file:
            np.save(file, self._rows)

    # Copied when first needed, for columns of their own are several times faster to go through.
    @cached_property
    def lengths(self) -> NDArray[np.int8]:
        """How many letters each word has."""
        return np.ascontiguousarray(self._rows["length"])

    @cached_property
    def letters(self) -> NDArray[np.uint64]:
        """The letters of each word, as bits."""
        return np.ascontiguousarray(self._rows["letters"])

    def count(self, word: str) -> int:
        """How many works have a word."""
        at = bisect_left(self.words, word)
        return int(self.counts[at]) if at < len(self.words) and self.words[at] == word else 0

    def beginnings(self, prefix: str) -> range:
        """The numbers of the words that begin so."""
        # numpy would copy all words to search them.
        return range(
            bisect_left(self.words, prefix), bisect_left(self.words, prefix + chr(0x10FFFF))
        )

    def uses(self, prefix: str) -> int:
        """In how many works words are that begin so, those counted again that have several.

        >>> Vocabulary.counted({"robot": 5, "robots": 9, "spider": 2}).uses("rob")
        14
        """
        found = self.beginnings(prefix)
        return int(self.counts[found.start : found.stop].sum())

    def completed(self, prefix: str, most: int = 8) -> list[str]:
        """Words that begin so, those of most works first."""
        found = self.beginnings(prefix)
        best = np.argsort(-self.counts[found.start : found.stop], kind="stable")[:most]
        return [str(self.words[found[k]]) for k in best]
