"""A table of strings in as little memory as their characters need: for millions of URLs and words.

A `Table` has two objects, a place in a list and one in a dict for every string, some 140 bytes
besides the characters. Here the strings are UTF-8 bytes one after the other; a hash
table with open addressing (Knuth, volume 3, 6.4) finds their numbers: 11 bytes besides the
characters. It is made of parts that grow one by one, so that there is neither a long pause
nor a moment with two tables. Strings that were looked up lately are in a dict, so that the
links of a site's menu cost what they cost in a `Table`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import overload

import numpy as np
from xxhash import xxh3_64_intdigest

from lycosa.content import Table

_PARTS = 256  # of the hash table
_PART = _PARTS - 1  # the bits of a hash that choose the part
# An entry of the hash table: the upper half of the hash, and one more than the number.
_FINGERPRINT = (2**32 - 1) << 32
_NUMBER = 2**32 - 1
_INITIAL_SLOTS = 8  # of a part
_SPARE = 8  # slots at the end of a part that are no entry's first choice
_MAX_LOAD = 0.8  # the share of the slots of a part that are used
_GROWTH = 1.4
_NONE = -1
_BLOCK_BITS = 16  # strings of one block: places are stored relative to its beginning
_IN_BLOCK = (1 << _BLOCK_BITS) - 1


class _Recent(dict[str, int]):
    """The numbers of strings that were looked up lately; others are looked up in the table."""

    __slots__ = ("_capacity", "_table")

    def __init__(self, table: CompactTable, capacity: int) -> None:
        self._table = table
        self._capacity = capacity

    def __missing__(self, text: str) -> int:
        number = self._table.number_of_bytes(_encoded(text))
        self.add(text, number)
        return number

    def add(self, text: str, number: int) -> None:
        """Add a string, if need be in the place of all others."""
        if len(self) >= self._capacity:
            self.clear()
        self[text] = number


class CompactTable(Table):
    """A growing list of distinct strings, each with a number, as a `Table`.

    Parameters
    ----------
    strings
        The first ones, numbered from 0 in their order.
    recent
        Strings whose numbers are kept in a dict, where they are found faster.

    >>> urls = CompactTable(["http://a.example/"])
    >>> urls.number("http://a.example/b"), urls.numbers(["http://a.example/"])
    (1, [0])
    >>> urls[1], urls.find("http://b.example/"), list(urls.strings[1:])
    ('http://a.example/b', None, ['http://a.example/b'])
    """

    __slots__ = ("_bases", "_bytes", "_places", "_recent", "_slots", "_used")

    def __init__(self, strings: Iterable[str] = (), recent: int = 100_000) -> None:
        self._recent = _Recent(self, recent)
        self.number = self._recent.__getitem__
        self._clear()
        self.numbers(strings)

    def _clear(self) -> None:
        self._recent.clear()
        self._bytes = bytearray()
        self._places = array("I")  # where each string begins, from the beginning of its block
        self._bases = array("Q")  # where each block begins
        self._slots = [array("Q", repeat(0, _INITIAL_SLOTS + _SPARE)) for _ in range(_PARTS)]
        self._used = array("i", repeat(0, _PARTS))  # slots of each part

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, number: int, /) -> str:
        places, bases = self._places, self._bases
        if number < 0:
            number += len(places)
        # As `_key`, without a call: the words and URLs of every page are read here.
        begin, after = bases[number >> _BLOCK_BITS] + places[number], number + 1
        if after == len(places):
            return self._bytes[begin:].decode("utf-8", "surrogatepass")
        end = bases[after >> _BLOCK_BITS] + places[after]
        return self._bytes[begin:end].decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    @property
    def nbytes(self) -> int:
        """The size of the strings and of the arrays in bytes, without the recent ones."""
        slots = sum(part.itemsize * len(part) for part in self._slots)
        return len(self._bytes) + 4 * len(self._places) + 8 * len(self._bases) + slots

    @property
    def strings(self) -> Sequence[str]:
        """All strings in the order of their numbers; it grows with the table."""
        return _StringList(self)

    def find(self, text: str, /) -> int | None:
        """Return the number of a string, or None if it has none."""
        number = self._recent.get(text)
        if number is None:
            key = _encoded(text)
            number, _ = self._search(key, xxh3_64_intdigest(key))
            if number == _NONE:
                return None
            self._recent.add(text, number)
        return number

    def numbers(self, texts: Iterable[str], /) -> list[int]:
        """Return the numbers of many strings, new ones where they have none."""
        return list(map(self._recent.__getitem__, texts))

    def restore(self, strings: Iterable[str], /) -> None:
        """Replace all strings by these distinct ones, numbered from 0 in their order."""
        self._clear()
        for text in strings:
            self.number_of_bytes(_encoded(text))

    def number_of_bytes(self, key: bytes) -> int:
        """Return the number of a string given as UTF-8, a new one if it has none."""
        hashed = xxh3_64_intdigest(key)
        number, at = self._search(key, hashed)
        if number == _NONE:
            number = self._append(key)
            part = hashed & _PART
            entry = (hashed & _FINGERPRINT) | number + 1
            slots = self._slots[part]
            slots[at] = entry
            self._used[part] += 1
            # The last slots are never the first choice of an entry: a search ends there.
            if self._used[part] > _MAX_LOAD * len(slots) or at >= len(slots) - 2:
                self._slots[part] = _larger(slots)
        return number

    def _search(self, key: bytes, hashed: int) -> tuple[int, int]:
        """Return the number of a string and its slot; `_NONE` and an empty slot if it is new."""
        slots = self._slots[hashed & _PART]
        at = (hashed >> 32) * (len(slots) - _SPARE) >> 32
        wanted = hashed >> 32
        while entry := slots[at]:
            if entry >> 32 == wanted and self._key((entry & _NUMBER) - 1) == key:
                return (entry & _NUMBER) - 1, at
            at += 1
        return _NONE, at

    def _append(self, key: bytes) -> int:
        number, begin = len(self._places), len(self._bytes)
        if not number & _IN_BLOCK:
            self._bases.append(begin)
        self._places.append(begin - self._bases[-1])
        self._bytes += key
        return number

    def _key(self, number: int) -> bytearray:
        places, bases = self._places, self._bases
        begin = bases[number >> _BLOCK_BITS] + places[number]
        after = number + 1
        if after == len(places):
            return self._bytes[begin:]
        return self._bytes[begin : bases[after >> _BLOCK_BITS] + places[after]]


def _larger(old: array[int]) -> array[int]:
    """Return the entries of a part in one with more slots.

    In the order of their first choices every entry gets its own, or the slot after that of the
    entry before it.
    """
    entries = np.frombuffer(old, np.uint64)
    entries = np.sort(entries[entries > 0])
    size = int(_GROWTH * len(old))
    while True:
        first = ((entries >> np.uint64(32)) * np.uint64(size) >> np.uint64(32)).astype(np.int64)
        order = np.arange(len(entries))
        places = np.maximum.accumulate(first - order) + order
        if places[-1] < size + _SPARE - 2:
            break
        size += size // 8 + 1
    slots = np.zeros(size + _SPARE, np.uint64)
    slots[places] = entries
    return array("Q", slots.tobytes())


class _StringList(Sequence[str]):
    """The strings of a table as a sequence."""

    def __init__(self, table: CompactTable) -> None:
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, index: int, /) -> str: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[str]: ...
    def __getitem__(self, index: int | slice, /) -> str | list[str]:
        if isinstance(index, slice):
            return [self._table[number] for number in range(*index.indices(len(self)))]
        return self._table[index]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
