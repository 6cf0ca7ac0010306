"""The vocabulary of an index with document frequencies, for spelling and completion.

It is a table in a file beside the index, written with every commit and
memory-mapped when read. It may be one commit behind the index, which is
harmless: it only finds other words for those that no work has.

>>> words = Vocabulary.from_counts({"robot": 5, "robots": 9, "spider": 2})
>>> words.complete("rob")
['robots', 'robot']
>>> words.count("spider"), words.count("fly")
(2, 0)
"""

from __future__ import annotations

import logging
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
MAX_WORD_LENGTH = 24
"""Characters; longer words are mostly debris."""
MAX_WORDS = 200_000
"""Words in the table, the most frequent."""

_log = logging.getLogger("lycosa.portal")
_ROW = np.dtype(
    [
        ("word", f"U{MAX_WORD_LENGTH}"),
        ("count", np.int32),
        ("length", np.int8),
        ("letters", np.uint64),
    ]
)


def codes(words: NDArray[np.str_]) -> NDArray[np.uint32]:
    """Return the code points of words, a row for each, padded with zeros."""
    width = words.dtype.itemsize // 4
    return np.ascontiguousarray(words).view(np.uint32).reshape(len(words), width)


def letters(codes: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return the set of letters of each word as 64 bits; a bit stands for several letters."""
    bits = np.left_shift(np.uint64(1), (codes % 64).astype(np.uint64))
    return np.asarray(np.bitwise_or.reduce(np.where(codes > 0, bits, np.uint64(0)), axis=1))


class Vocabulary:
    """The words of an index in alphabetical order.

    `rows` is a structured array with the word, its document frequency, its
    length and the set of its letters (see `letters`).
    """

    def __init__(self, rows: NDArray[Any]) -> None:
        self.words: NDArray[np.str_] = rows["word"]
        self.counts: NDArray[np.int32] = rows["count"]
        self._rows = rows

    @classmethod
    def from_counts(cls, counts: Mapping[str, int]) -> Vocabulary:
        """Build from document frequencies, without numbers, single letters and words too long."""
        entries = [
            (word, count)
            for word, count in counts.items()
            if 1 < len(word) <= MAX_WORD_LENGTH and not word.isdecimal()
        ]
        if len(entries) > MAX_WORDS:
            entries.sort(key=lambda pair: (-pair[1], pair[0]))
            del entries[MAX_WORDS:]
        entries.sort()
        rows = np.zeros(len(entries), _ROW)
        rows["word"], rows["count"] = zip(*entries, strict=True) if entries else ((), ())
        rows["length"] = np.char.str_len(rows["word"])
        rows["letters"] = letters(codes(rows["word"]))
        return cls(rows)

    @classmethod
    def from_searcher(cls, searcher: Searcher) -> Vocabulary:
        """Build from all words of an index."""
        return cls.from_counts(dict(searcher.terms_with_prefix("any", "")))

    @classmethod
    def load(cls, folder: Path) -> Vocabulary:
        """Load the table beside an index; an empty one if the file is missing or damaged."""
        try:
            rows = np.load(folder / FILE, mmap_mode="r")
        except (OSError, ValueError, EOFError):
            _log.debug("cannot read the vocabulary in %s", folder, exc_info=True)
            rows = np.empty(0, _ROW)
        return cls(rows if rows.dtype == _ROW else np.empty(0, _ROW))

    def save(self, folder: Path) -> None:
        """Save the table beside an index, atomically."""
        with replace_file(folder / FILE) as part, part.open("wb") as file:
            np.save(file, self._rows)

    # Contiguous copies of two columns, created when first needed: scanning them is several times
    # faster than scanning columns of the structured array.
    @cached_property
    def lengths(self) -> NDArray[np.int8]:
        """The length of each word."""
        return np.ascontiguousarray(self._rows["length"])

    @cached_property
    def letters(self) -> NDArray[np.uint64]:
        """The set of letters of each word, as bits."""
        return np.ascontiguousarray(self._rows["letters"])

    def count(self, word: str) -> int:
        """Return in how many works a word occurs."""
        at = bisect_left(self.words, word)
        return int(self.counts[at]) if at < len(self.words) and self.words[at] == word else 0

    def prefix_range(self, prefix: str) -> range:
        """Return the row numbers of the words with a prefix."""
        # numpy.searchsorted would copy all words.
        return range(
            bisect_left(self.words, prefix), bisect_left(self.words, prefix + chr(0x10FFFF))
        )

    def prefix_count(self, prefix: str) -> int:
        """Return the sum of the document frequencies of the words with a prefix.

        >>> Vocabulary.from_counts({"robot": 5, "robots": 9, "spider": 2}).prefix_count("rob")
        14
        """
        found = self.prefix_range(prefix)
        return int(self.counts[found.start : found.stop].sum())

    def complete(self, prefix: str, limit: int = 8) -> list[str]:
        """Return words with a prefix, the most frequent first."""
        found = self.prefix_range(prefix)
        best = np.argsort(-self.counts[found.start : found.stop], kind="stable")[:limit]
        return [str(self.words[found[k]]) for k in best]
