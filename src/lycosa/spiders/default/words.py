"""The words of links as columns: 16 bits of a hash of the word and its bag.

Words of the anchor, of the URL, near the link and in the headings above it; pairs of
neighbouring words in the URL; and the starts of words of anchor and URL, their first
letters without digits, which forms of a word have in common. Few links are read one by one
(`columns`): most pages have one or two new links, for which numpy arrays are slower than lists.
Many links of a page are read at once (`batch`), with the same columns.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Content, Ints, Strings
from lycosa.core import Page
from lycosa.learn.link_reader import WordHashes, read_columns
from lycosa.learn.link_words import headings_above, range_indices, read_words

BatchBag: TypeAlias = tuple[NDArray[np.intp], NDArray[np.uint16]]
"""One bag of many links: the index of the link that each column belongs to, and the columns."""

NEAR = 5
"""Words before and after an anchor that count as near."""
WORDS = ("anchor", "url", "near", "heads")
"""The bags that hold words; kinds of columns are numbered in this order."""
STARTS = ("anchor", "url")
"""The bags whose words have columns for their starts, too."""
START_LETTERS = 5
_ANCHOR, _URL = map(WORDS.index, STARTS)
_PAIR, _START = len(WORDS), len(WORDS) + 1  # further kinds; starts have one for each bag
_DIGITS = str.maketrans("", "", "0123456789")
_MASK = 2**64 - 1
_NO_HASHES = np.empty(0, np.uint32)
_MIX = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: Fibonacci hashing
SALTS = [kind * 0xD1342543DE82EF95 & _MASK for kind in (0, 1, 2, 3, 5, 6, 7)]


class WordColumns:
    """The columns of the words of a table, each computed when it is first needed."""

    def __init__(self) -> None:
        self._hashes = array("I")  # of every word, if a column of it was computed
        self._columns = [array("H") for _ in WORDS]  # of every word in every bag; 0: not computed
        self._starts = [array("H") for _ in STARTS]  # the same for starts

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(known.itemsize * len(known) for known in self._arrays)

    @property
    def _arrays(self) -> tuple[array[int], ...]:
        return self._hashes, *self._columns, *self._starts

    def columns(self, page: Page, links: Sequence[int]) -> list[tuple[list[int], ...]]:
        """Return the columns of some links of a page: of each bag, of pairs, of starts."""
        content = page.content  # whose words may be new in the table
        return read_columns(content, links, NEAR, self.known(page))

    def known(self, page: Page) -> WordHashes:
        """Return the columns of all words of the table of a page whose content was read."""
        self._grow(page.tables.words)
        compute = self._new, self._new_start
        return self._hashes, self._columns, self._starts, *compute, _MIX, SALTS[_PAIR]

    def batch(self, page: Page, links: NDArray[np.intp]) -> list[BatchBag]:
        """Return the columns of many links of a page: of each bag, of pairs, of starts."""
        content = page.content  # whose words may be new in the table
        self._grow(page.tables.words)
        tokens, title = content.tokens, content.title_size
        anchors, owner = _anchors_of_many(content, links)
        start, stop = content.start[anchors], content.stop[anchors]
        before = np.maximum(start - NEAR, np.minimum(title, start))
        after = np.minimum(stop + NEAR, len(tokens))
        in_anchor, anchor_owner = _ranges(tokens, start, stop, owner)
        in_near, near_owner = _ranges(
            tokens,
            np.concatenate((before, stop)),
            np.concatenate((start, after)),
            np.concatenate((owner, owner)),
        )
        url_start, url_stop = content.url_start[links], content.url_stop[links]
        in_url, url_owner = _ranges(content.url_tokens, url_start, url_stop, np.arange(len(links)))
        url_columns = self._many(1, in_url)
        # The hashes of these words were computed with their columns.
        hashes = np.frombuffer(self._hashes, np.uint32).take(in_url) if len(in_url) else _NO_HASHES
        hashes = (hashes.astype(np.uint64) + np.uint64(1)) * np.uint64(_MIX)
        neighbours = (url_owner[1:] == url_owner[:-1]).nonzero()[0]
        pairs = hashes[neighbours] * np.uint64(31) + hashes[neighbours + 1] * np.uint64(17)
        pairs = (pairs + np.uint64(SALTS[_PAIR])) >> np.uint64(48)
        starts = self._many_starts(_ANCHOR, in_anchor), self._many_starts(_URL, in_url)
        return [
            (anchor_owner, self._many(0, in_anchor)),
            (url_owner, url_columns),
            (near_owner, self._many(2, in_near)),
            self._heads_of_many(content, anchors, owner),
            (url_owner[neighbours], pairs.astype(np.uint16)),
            (np.concatenate((anchor_owner, url_owner)), np.concatenate(starts)),
        ]

    def _heads_of_many(
        self, content: Content, anchors: NDArray[np.intp], owner: NDArray[np.intp]
    ) -> BatchBag:
        """Return the columns of the title and the headings above some anchors."""
        headings = content.heading[anchors].tolist()
        title = content.tokens[: content.title_size].tolist()
        words: list[int] = []
        ranges: dict[int, tuple[int, int]] = {}
        for heading in headings:
            if heading not in ranges:
                first = len(words)
                words += title
                words += _above(content, heading)
                ranges[heading] = first, len(words)
        above = self._many(3, np.array(words, np.int32))
        start, stop = np.array([ranges[heading] for heading in headings], np.intp).reshape(-1, 2).T
        columns, owners = _ranges(above, start, stop, owner)
        return owners, columns

    def _many(self, kind: int, words: Ints) -> NDArray[np.uint16]:
        """Return the columns of many words in one kind of bag."""
        return _take(self._columns[kind], words, partial(self._new, kind))

    def _many_starts(self, kind: int, words: Ints) -> NDArray[np.uint16]:
        """Return the columns of the starts of many words in one of the `STARTS`."""
        return _take(self._starts[kind], words, partial(self._new_start, kind))

    def named(self, page: Page, link: int) -> Iterator[tuple[int, str, str]]:
        """Yield the columns of one link, each with its word, pair or start, and its bag."""
        table = page.tables.words
        (read,), (bags,) = read_words(page.content, [link], NEAR), self.columns(page, [link])
        anchor, url, near, heads = ([table[word] for word in bag] for bag in read)
        pairs = [f"{one} {two}" for one, two in pairwise(url)]
        kinds = [*zip(WORDS, (anchor, url, near, heads), strict=True), ("url", pairs)]
        for columns, (bag, names) in zip(bags, kinds, strict=False):  # starts are left
            yield from ((column, name, bag) for column, name in zip(columns, names, strict=True))
        owned = zip(STARTS, (anchor, url), strict=True)
        starts = [(f"{start_of(word)}*", bag) for bag, words in owned for word in words]
        yield from ((column, *start) for column, start in zip(bags[_START], starts, strict=True))

    def _grow(self, table: Strings) -> None:
        """Use this table from now on, with room for all its words."""
        self._table = table
        added = len(table) - len(self._hashes)
        if added > 0:
            added += len(table) // 16
            for known in self._arrays:
                known.frombytes(bytes(added * known.itemsize))

    def _new_start(self, kind: int, word: int) -> int:
        """Compute the column of the start of a word in one of the `STARTS`."""
        column = _column(_hash(start_of(self._table[word])), _START + kind)
        self._starts[kind][word] = column
        return column

    def _new(self, kind: int, word: int) -> int:
        """Compute the column of a word in one kind of bag."""
        hashed = self._hashes[word]
        if not hashed:
            hashed = self._hashes[word] = _hash(self._table[word])
        column = self._columns[kind][word] = _column(hashed, kind)
        return column


def _hash(text: str) -> int:
    """Return a hash of 32 bits."""
    return crc32(text.encode("utf-8", "replace"))


def _column(hashed: int, kind: int) -> int:
    """Return the column of a hash in one kind of bag."""
    return ((hashed + 1) * _MIX + SALTS[kind] & _MASK) >> 48


def start_of(word: str) -> str:
    """Return the first letters of a word, without digits; 0 for a number.

    >>> start_of("tutorial5"), start_of("tutors"), start_of("1999")
    ('tutor', 'tutor', '0')
    """
    letters = word if word.isalpha() else word.translate(_DIGITS)
    return letters[:START_LETTERS] or "0"


def _take(known: array[int], words: Ints, compute: Callable[[int], int]) -> NDArray[np.uint16]:
    """Return the known columns of words; those that are 0 are computed first."""
    if not len(words):
        return np.empty(0, np.uint16)
    view = np.frombuffer(known, np.uint16)
    columns = view.take(words)
    if not columns.all():
        for word in set(words[columns == 0].tolist()):
            compute(word)
        columns = view.take(words)
    return columns


def _anchors_of_many(
    content: Content, links: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the anchors of some links, and the position of the link of each in `links`."""
    if len(content.owner) == len(content.paths):  # one each, in the order of the links
        return links, np.arange(len(links))
    position = np.full(len(content.paths), -1, np.intp)
    position[links] = np.arange(len(links))
    owner = position[content.owner]
    anchors = (owner >= 0).nonzero()[0]
    return anchors, owner[anchors]


def _ranges(
    values: NDArray[Any], start: NDArray[Any], stop: NDArray[Any], owner: NDArray[np.intp]
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the values of ranges, one after the other, and the owner of each."""
    size = np.maximum(stop - start, 0).astype(np.int64)
    index = range_indices(start, size, size.cumsum() - size)
    return values.take(index), np.repeat(owner, size)


def _above(content: Content, heading: int) -> list[int]:
    """Return the words of a heading and of the headings above it."""
    found: list[int] = []
    for start, stop in headings_above(content, heading):
        found += content.tokens[start:stop].tolist()
    return found
