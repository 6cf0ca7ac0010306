"""Log-structured merge tree (O'Neil et al. 1996): numbers by keys, in sorted arrays.

A list of sorted arrays, each at least twice as long as the next: twelve bytes an entry, cheap
to extend, and merged in parts, so that the arrays can be larger than memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lycosa.scratch import Scratch

MERGED_AT_ONCE = 1_000_000
"""Entries of the longer array that are merged at once: some ten megabytes."""

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Values = NDArray[np.int32]


class SortedRuns:
    """Entries of a key and a number, sorted by key; of equal keys the older entry is first.

    `scratch` makes the arrays.

    >>> runs = SortedRuns()
    >>> runs.add(np.array([2, 5, 5], np.uint64), np.array([0, 1, 2], np.int32))
    >>> runs.add(np.array([1, 5], np.uint64), np.array([3, 4], np.int32))
    >>> [part.tolist() for part in runs.merged()]
    [[1, 2, 5, 5, 5], [3, 0, 1, 2, 4]]
    """

    def __init__(self, scratch: Scratch | None = None) -> None:
        self._scratch = scratch or Scratch()
        self._runs: list[tuple[Keys, Values]] = []

    def __iter__(self) -> Iterator[tuple[Keys, Values]]:
        return iter(self._runs)

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(keys.nbytes + values.nbytes for keys, values in self._runs)

    def add(self, keys: Keys, values: Values) -> None:
        """Add entries, which are sorted by key."""
        self._runs.append((self._scratch.stored(keys), self._scratch.stored(values)))
        while len(self._runs) > 1 and len(self._runs[-2][0]) < 2 * len(self._runs[-1][0]):
            self._merge()

    def merged(self) -> tuple[Keys, Values]:
        """Return all entries in one sorted array of keys and one of numbers."""
        while len(self._runs) > 1:
            self._merge()
        return self._runs[0] if self._runs else (np.empty(0, np.uint64), np.empty(0, np.int32))

    def _merge(self) -> None:
        (old_keys, old_values), (new_keys, new_values) = self._runs[-2:]
        size = len(old_keys) + len(new_keys)
        keys = self._scratch.zeros(size, np.uint64)
        values = self._scratch.zeros(size, np.int32)
        cuts = old_keys[MERGED_AT_ONCE::MERGED_AT_ONCE]
        old_cuts = [0, *np.searchsorted(old_keys, cuts).tolist(), len(old_keys)]
        new_cuts = [0, *np.searchsorted(new_keys, cuts).tolist(), len(new_keys)]
        at = 0
        for (a, b), (c, d) in zip(pairwise(old_cuts), pairwise(new_cuts), strict=True):
            some = np.concatenate((old_keys[a:b], new_keys[c:d]))
            order = np.argsort(some, kind="stable")
            part = slice(at, at + len(some))
            keys[part] = some[order]
            values[part] = np.concatenate((old_values[a:b], new_values[c:d]))[order]
            at = part.stop
        self._runs[-2:] = [(keys, values)]


def key_range(run: Keys, wanted: Keys) -> tuple[Numbers, Numbers]:
    """Return where the entries of keys begin and end in a sorted array."""
    return np.searchsorted(run, wanted, "left"), np.searchsorted(run, wanted, "right")


def is_among(values: Numbers, others: Numbers) -> NDArray[np.bool_]:
    """Return which values are among others.

    As `numpy.isin`, which hashes large numbers; where both are nearly sorted, as codes of pairs
    are, sorting the one and searching for the other takes a fifth of the time.

    >>> is_among(np.array([3, 5, 8]), np.array([8, 3])).tolist()
    [True, False, True]
    """
    if not len(others):
        return np.zeros(len(values), bool)
    others = np.sort(others, kind="stable")
    at = np.minimum(np.searchsorted(others, values), len(others) - 1)
    return np.asarray(others[at] == values)


def expand_ranges(low: Numbers, high: Numbers) -> tuple[Numbers, Numbers]:
    """Return all places of ranges, with the number of the range of each.

    >>> [part.tolist() for part in expand_ranges(np.array([5, 2]), np.array([7, 3]))]
    [[0, 0, 1], [5, 6, 2]]
    """
    sizes = high - low
    which = np.repeat(np.arange(len(low)), sizes)
    places = np.repeat(low - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
    return which, places
