"""Blocking: the index that selects the pairs of normal forms to compare.

The number of all pairs is too large. Forms that share a blocking key form a block,
and a form is compared only with the first `MAX_COMPARED_PER_BLOCK` forms of each of its
blocks, so the number of comparisons per form is bounded. A larger block is mostly
one much cited work, for which a few forms suffice, or a key that is not specific.

The index is a log-structured merge tree (`sorted_runs`). The pairs do not depend on the
batches in which forms are added.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.sorted_runs import SortedRuns, expand_ranges, key_range
from lycosa.scratch import Scratch

KEYS_AT_ONCE = 50_000
"""Keys that are looked up at once."""
MAX_COMPARED_PER_BLOCK = 32
"""The number of forms of a block that every form of the block is compared with."""

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class BlockingIndex:
    """The index of all forms by their blocking keys; `scratch` makes its arrays.

    >>> blocks = BlockingIndex()
    >>> keys = np.array([[7, 1], [8, 2], [7, 2]], np.uint64)      # of forms 0, 1 and 2
    >>> [pairs.tolist() for pairs in blocks.add(0, keys)]
    [[2, 2], [0, 1]]
    """

    def __init__(self, scratch: Scratch | None = None) -> None:
        self._scratch = scratch or Scratch()
        self._runs = SortedRuns(self._scratch)

    @classmethod
    def of_first(cls, keys: Keys, forms: Numbers) -> Self:
        """Return an index of the first forms of blocks, sorted by key and form."""
        found = cls()
        found._runs.add(keys, forms.astype(np.int32))
        return found

    def add(self, start: int, keys: Keys) -> tuple[Numbers, Numbers]:
        """Add forms, and return the pairs to compare as newer and older forms.

        The forms are numbered from `start`; each has a row of `keys`, 0 for no key.
        """
        wanted, forms = sorted_entries(start, keys)
        before = np.zeros(len(wanted), np.int64)
        for some in self._parts(wanted):
            for run, _ in self._runs:
                low, high = key_range(run, wanted[some])
                before[some] += high - low
        first = np.searchsorted(wanted, wanted, "left")
        rank = np.arange(len(wanted)) - first
        kept = before + rank < MAX_COMPARED_PER_BLOCK
        self._runs.add(wanted[kept], forms[kept].astype(np.int32))
        return self._pairs(wanted, forms)

    def pairs_among(self, forms: Numbers, keys: Keys) -> tuple[Numbers, Numbers]:
        """Return the pairs to compare within a set of forms that were added before."""
        wanted, rows = sorted_entries(0, keys)
        newer, older = self._pairs(wanted, forms[rows])
        inside = np.isin(older, forms)
        return newer[inside], older[inside]

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return self._runs.nbytes

    def first_of(self, keys: Keys) -> tuple[Keys, Numbers]:
        """Return the first forms of blocks, given by their sorted keys: pairs of key and form."""
        found: list[tuple[Keys, Numbers]] = [(np.empty(0, np.uint64), np.empty(0, np.int64))]
        for some in self._parts(keys):
            for which, forms in self._found(keys[some]):
                found.append((keys[some][which], forms))
        every, forms = (np.concatenate(part) for part in zip(*found, strict=True))
        order = np.lexsort((forms, every))
        return every[order], forms[order]

    def _pairs(self, wanted: Keys, forms: Numbers) -> tuple[Numbers, Numbers]:
        pairs = [np.empty(0, np.int64)]
        for some in self._parts(wanted):
            for which, older in self._found(wanted[some]):
                newer = forms[some][which]
                earlier = older < newer
                pairs.append((newer[earlier] << 32) | older[earlier])
        return unpack_pairs(np.concatenate(pairs))

    def _found(self, wanted: Keys) -> Iterator[tuple[Numbers, Numbers]]:
        """Yield the entries of keys in each run: the position of the key, and the form."""
        for run, members in self._runs:
            which, places = expand_ranges(*key_range(run, wanted))
            yield which, members[places].astype(np.int64)

    def _parts(self, keys: Keys) -> Iterator[slice]:
        """Yield parts of sorted keys; what was read for one leaves memory before the next."""
        for start in range(0, len(keys), KEYS_AT_ONCE):
            yield slice(start, start + KEYS_AT_ONCE)
            self._scratch.release()


def unpack_pairs(pairs: Numbers) -> tuple[Numbers, Numbers]:
    """Split packed pairs into two arrays, sorted and without duplicates."""
    pairs.sort()  # much faster than `np.unique`, which hashes
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    return pairs >> 32, pairs & 0xFFFFFFFF


def compact_pairs(one: Numbers, two: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return the forms that pairs consist of, in order, and the pairs as positions among them.

    Forms are marked, not sorted: batches for large indexes have millions of pairs.

    >>> [part.tolist() for part in compact_pairs(np.array([9, 7]), np.array([7, 4]))]
    [[4, 7, 9], [2, 1], [1, 0]]
    """
    size = max(one.max(initial=-1), two.max(initial=-1)) + 1
    occurs = np.zeros(size, np.bool_)
    occurs[one] = occurs[two] = True
    position = np.cumsum(occurs, dtype=np.int64) - 1
    return np.flatnonzero(occurs), position[one], position[two]


def sorted_entries(start: int, keys: Keys) -> tuple[Keys, Numbers]:
    """Return the keys of rows in order with the numbers of the rows, without 0 and duplicates."""
    flat = keys.ravel()
    forms = np.repeat(np.arange(start, start + len(keys)), keys.shape[1])
    used = flat > 0
    flat, forms = flat[used], forms[used]
    order = np.lexsort((forms, flat))
    flat, forms = flat[order], forms[order]
    new = np.ones(len(flat), bool)
    new[1:] = (flat[1:] != flat[:-1]) | (forms[1:] != forms[:-1])
    return flat[new], forms[new]
