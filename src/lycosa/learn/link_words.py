"""What is remembered of every discovered URL: the words of the link that led to it.

A crawl that learns while it goes must be able to look at all links that wait
again, and at all it has followed. Kept are at most eight words of each of four
bags (anchor, URL, near, headings), from the first page that led there, hashed
to 16 bits: about 50 bytes a URL (Weinberger et al. 2009, "Feature Hashing for
Large Scale Multitask Learning").
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.content import Bag, Ints
from lycosa.core import Page

COLUMNS = 2**16
CHANNELS = (("anchor", 0), ("url", 0), ("near", 5), ("heads", 0))
MOST = 8  # words of each channel
_ROOM = 1024


class LinkWords:
    """The words of links by the number of the URL they lead to."""

    def __init__(self) -> None:
        self._first = np.full(_ROOM, -1, np.int32)  # where its words begin in the log; -1: unknown
        self._size = np.zeros(_ROOM, np.uint8)
        self._log = np.empty(_ROOM, np.uint16)
        self._end = 0

    @property
    def nbytes(self) -> int:
        """The memory of the arrays."""
        return self._first.nbytes + self._size.nbytes + self._log.nbytes

    def add(self, page: Page) -> Ints:
        """Remember the links of a page that lead to URLs met for the first time; returns those."""
        targets = page.targets
        self._make_room(int(targets.max(initial=-1)) + 1)
        new = self._first[targets] < 0
        numbers = targets[new]
        if not len(numbers):
            return numbers
        parts = [
            _hashed(_rows(_some(page.bag(name, near), new), MOST), channel)
            for channel, (name, near) in enumerate(CHANNELS)
        ]
        sizes = np.sum([size for size, _ in parts], axis=0)
        owner = np.concatenate([np.repeat(np.arange(len(size)), size) for size, _ in parts])
        words = np.concatenate([part for _, part in parts])[owner.argsort(kind="stable")]
        self._write(numbers, sizes, words)
        return numbers

    def _write(self, numbers: Ints, sizes: NDArray[np.int64], words: NDArray[np.uint16]) -> None:
        end = self._end + len(words)
        if end > len(self._log):
            room = np.empty(end - self._end + end // 4, np.uint16)
            self._log = np.concatenate((self._log[: self._end], room))
        self._log[self._end : end] = words
        self._first[numbers] = self._end + np.cumsum(sizes) - sizes
        self._size[numbers] = sizes
        self._end = end

    def _make_room(self, size: int) -> None:
        have = len(self._first)
        if size > have:
            more = size + size // 4 - have
            self._first = np.concatenate((self._first, np.full(more, -1, np.int32)))
            self._size = np.concatenate((self._size, np.zeros(more, np.uint8)))

    def knows(self, numbers: Ints) -> NDArray[np.bool_]:
        """Which URLs were met as links; seeds were not."""
        inside = numbers < len(self._first)
        return inside & (self._first[np.where(inside, numbers, 0)] >= 0)

    def matrix(self, numbers: Ints) -> sparse.csr_matrix:
        """A row for each known URL, a column for each hashed word: 1 where it has it."""
        sizes = self._size[numbers].astype(np.int64)
        ends = np.cumsum(sizes)
        index = np.repeat(self._first[numbers] - (ends - sizes), sizes) + np.arange(sizes.sum())
        columns = self._log[index].astype(np.int32)
        data = np.ones(len(columns), np.float32)
        starts = np.concatenate(([0], ends)).astype(np.int32)
        return sparse.csr_matrix((data, columns, starts), shape=(len(numbers), COLUMNS))


def _some(bag: Bag, wanted: NDArray[np.bool_]) -> Bag:
    """The bags of some of the links."""
    mine = wanted[bag.owner]
    place = np.cumsum(wanted) - 1
    owner = place[bag.owner[mine]].astype(np.int32)
    return Bag(bag.tokens, owner, bag.start[mine], bag.stop[mine], int(wanted.sum()))


def _rows(bag: Bag, most: int) -> tuple[NDArray[np.int64], Ints]:
    """How many words each link has, and the words, at most so many each."""
    offsets, tokens = bag.rows()
    sizes = np.minimum(np.diff(offsets), most)
    ends = np.cumsum(sizes)
    index = np.repeat(offsets[:-1] - (ends - sizes), sizes) + np.arange(int(sizes.sum()))
    return sizes, tokens[index]


def _hashed(
    rows: tuple[NDArray[np.int64], Ints], channel: int
) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    sizes, tokens = rows
    keys = (tokens.astype(np.uint64) * np.uint64(len(CHANNELS)) + np.uint64(channel)) + np.uint64(1)
    # Fibonacci hashing (Knuth, volume 3, 6.4): the high bits of a product are well mixed.
    mixed = keys * np.uint64(0x9E3779B97F4A7C15)
    return sizes, (mixed >> np.uint64(48)).astype(np.uint16)
