"""The columns of links by the numbers of their URLs, in some 1.4 bytes a column.

A new row is written as it is, two bytes a column. When such rows have become many they are
packed: a column that is among the most frequent ones takes one byte, which is its place
among them, and any other two. The columns of a site's links are much the same, so that more
than half are frequent. Rows that were replaced or removed are left out on that occasion.

A packed row has three parts: the frequent columns, the low bytes of the others, and their
high bytes; so many rows are read in a few calls of numpy.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.learn.link_words import Rows, gather_rows, range_indices
from lycosa.learn.row_sums import PLAIN, PackedRows, read_packed, sums_of_packed
from lycosa.snapshots import StateReader, StateWriter

BLOCK = 2**16
"""Rows that are read at once: all of them as numbers would take more than the store."""
MAX_COLUMNS = 255
"""Columns of a row: their number is stored in a byte."""

_INITIAL_URLS = 1024
_MAX_FREQUENT = 254
_MIN_PLAIN = 2**22  # columns that are worth packing
_MAX_PLAIN_SHARE = 0.25  # the bytes of rows that are not packed, to those of the others
_MAX_SMALL_PLACE = 2**32 - 1  # that a number of four bytes can hold
_ARRAYS = ("_first", "_size", "_frequent")


class StoredRows(NamedTuple):
    """Some rows of a store, valid until it changes."""

    store: PackedRows
    numbers: Ints

    def sums(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each row the sum of the weights of its columns."""
        return sums_of_packed(self.store, self.numbers, weights)


class RowStore:
    """Rows of columns, each a number of two bytes, by the number of a URL.

    `min_plain` columns are packed at least.

    >>> store = RowStore(min_plain=2)
    >>> store.grow(8)
    >>> store.set(3, [500, 7])
    >>> store.set(5, [7])
    >>> store.tidy()
    >>> store.set(3, [9, 7, 300])
    >>> rows = store.rows(np.array([5, 3]))
    >>> rows.starts.tolist(), rows.words.tolist()
    ([0, 1, 4], [7, 9, 7, 300])
    """

    def __init__(self, min_plain: int = _MIN_PLAIN) -> None:
        self._min_plain = min_plain
        # Where a row begins: four bytes, or eight if there are very many rows.
        self._first: NDArray[Any] = np.zeros(_INITIAL_URLS, np.uint32)
        self._size = np.zeros(_INITIAL_URLS, np.uint8)
        self._frequent = np.zeros(_INITIAL_URLS, np.uint8)  # how many of its columns are
        self._plain = array("H")
        self._packed = array("B")
        self._columns = np.zeros(0, np.uint16)  # the frequent ones
        self._packings = 0

    @property
    def nbytes(self) -> int:
        """The size of all arrays in bytes."""
        arrays = self._first.nbytes + self._size.nbytes + self._frequent.nbytes
        return arrays + 2 * len(self._plain) + len(self._packed)

    def save(self, state: StateWriter) -> None:
        """Save all rows; what was saved of them before and is as it was is not saved again."""
        for name in _ARRAYS:
            state.array(name, getattr(self, name))
        state.array("columns", self._columns)
        state.value("packings", self._packings)
        state.log(f"plain {self._packings}", self._plain)
        state.log(f"packed {self._packings}", self._packed)

    def restore(self, state: StateReader) -> None:
        """Take over saved rows."""
        for name in _ARRAYS:
            like = None if name == "_first" else getattr(self, name)
            setattr(self, name, state.array(name, like))
        self._columns = state.array("columns", self._columns)
        self._packings = state.value("packings")
        state.fill_log(f"plain {self._packings}", self._plain)
        state.fill_log(f"packed {self._packings}", self._packed)

    def grow(self, size: int) -> None:
        """Make room for the rows of URL numbers below `size`."""
        for name in _ARRAYS:
            value = getattr(self, name)
            zeros = np.zeros(max(0, size - len(value)), value.dtype)
            setattr(self, name, np.concatenate((value, zeros)))

    def set(self, number: int, row: Sequence[int]) -> None:
        """Store the row of a URL, in place of the one it has; what is too much is left out."""
        before = len(self._plain)
        self._plain.extend(row[:MAX_COLUMNS])
        self._first[number] = before
        self._size[number] = len(self._plain) - before
        self._frequent[number] = PLAIN

    def set_many(self, numbers: Ints, rows: Rows) -> None:
        """Store the rows of different URLs."""
        sizes = np.minimum(np.diff(rows.starts), MAX_COLUMNS)
        starts = sizes.cumsum() - sizes
        kept = rows.words[range_indices(rows.starts[:-1], sizes, starts)]
        self._first[numbers] = len(self._plain) + starts
        self._size[numbers] = sizes
        self._frequent[numbers] = PLAIN
        self._plain.frombytes(kept.astype(np.uint16).tobytes())

    def remove(self, numbers: Ints) -> None:
        """Make the rows of some URLs empty."""
        self._size[numbers] = self._frequent[numbers] = 0

    def rows(self, numbers: Ints) -> Rows:
        """Return the rows of some URLs."""
        return Rows(*read_packed(self._view(), numbers))

    def stored(self, numbers: Ints) -> StoredRows:
        """Return the rows of some URLs for sums over their columns, which need no copy of them."""
        return StoredRows(self._view(), numbers)

    def _view(self) -> PackedRows:
        arrays = self._first, self._size, self._frequent
        return (*arrays, self._plain, self._packed, self._columns)

    def tidy(self) -> None:
        """Pack the rows that are not, if they are many."""
        plain = len(self._plain)
        if plain < self._min_plain or 2 * plain < _MAX_PLAIN_SHARE * len(self._packed):
            return
        if not len(self._columns):
            counts = np.bincount(np.frombuffer(self._plain, np.uint16))
            order = (-counts).argsort(kind="stable")[:_MAX_FREQUENT]
            self._columns = order[counts[order] > 0].astype(np.uint16)
        if len(self._packed) + 2 * plain > _MAX_SMALL_PLACE:
            self._first = self._first.astype(np.int64, copy=False)
        self._close_gaps()
        self._pack()
        self._packings += 1

    def _close_gaps(self) -> None:
        """Move all packed rows that belong to a URL to the beginning."""
        end = 0
        if len(self._packed):
            packed = np.frombuffer(self._packed, np.uint8)
            for part in self._stored(is_packed=True):
                # Nothing is overwritten before it is read: all move towards the beginning.
                sizes = 2 * self._size[part].astype(np.int64) - self._frequent[part]
                moved = packed.take(_ranges(self._first[part], sizes))
                packed[end : end + len(moved)] = moved
                self._first[part] = end + sizes.cumsum() - sizes
                end += len(moved)
            del packed  # an array of which there is a view cannot be made shorter
        del self._packed[end:]

    def _pack(self) -> None:
        """Pack the rows that are not."""
        place = np.full(2**16, -1, np.int16)
        place[self._columns] = np.arange(len(self._columns))
        plain = np.frombuffer(self._plain, np.uint16)
        for part in self._stored(is_packed=False):
            rows = gather_rows(plain, self._first[part], self._size[part])
            places = place.take(rows.words)
            is_frequent = places >= 0
            short = np.bincount(rows.owners[is_frequent], minlength=len(rows))
            long = np.diff(rows.starts) - short
            sizes = short + 2 * long
            start = sizes.cumsum() - sizes
            data = np.empty(sizes.sum(), np.uint8)
            data[_ranges(start, short)] = places[is_frequent]
            others = rows.words[~is_frequent]
            data[_ranges(start + short, long)] = others & 255
            data[_ranges(start + short + long, long)] = others >> 8
            self._first[part] = len(self._packed) + start
            self._frequent[part] = short
            self._packed.frombytes(data.tobytes())
        del plain
        del self._plain[:]

    def _stored(self, *, is_packed: bool) -> Iterator[NDArray[np.intp]]:
        """Yield the URLs whose rows are packed or not, in the order of their places."""
        numbers = ((self._size > 0) & ((self._frequent != PLAIN) == is_packed)).nonzero()[0]
        return blocks(numbers[self._first[numbers].argsort()])


def blocks(numbers: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Yield the parts of an array of numbers that have at most `BLOCK` of them."""
    for start in range(0, len(numbers), BLOCK):
        yield numbers[start : start + BLOCK]


def _ranges(first: NDArray[Any], size: NDArray[Any]) -> NDArray[np.int64]:
    """Return the indices of slices, given the start and the length of each."""
    sizes = size.astype(np.int64)
    return range_indices(first, sizes, sizes.cumsum() - sizes)
