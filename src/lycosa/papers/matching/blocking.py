"""Blocking: the index that selects the pairs of normal forms to compare.

The number of all pairs is too large. Forms that share a blocking key form a block,
and a form is compared only with the first `MAX_COMPARED_PER_BLOCK` forms of each of its
blocks, so the number of comparisons per form is bounded. A larger block is mostly
one much cited work, for which a few forms suffice, or a key that is not specific.

The index is a log-structured merge tree (O'Neil et al. 1996), a list of sorted arrays,
each at least twice as long as the next: twelve bytes an entry, cheap to extend. The
pairs do not depend on the batches in which forms are added.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

MAX_COMPARED_PER_BLOCK = 32
"""The number of forms of a block that every form of the block is compared with."""

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class BlockingIndex:
    """The index of all forms by their blocking keys.

    >>> blocks = BlockingIndex()
    >>> keys = np.array([[7, 1], [8, 2], [7, 2]], np.uint64)      # of forms 0, 1 and 2
    >>> [pairs.tolist() for pairs in blocks.add(0, keys)]
    [[2, 2], [0, 1]]
    """

    def __init__(self) -> None:
        self._runs: list[tuple[Keys, NDArray[np.int32]]] = []

    @classmethod
    def of_first(cls, keys: Keys, forms: Numbers) -> Self:
        """Return an index of the first forms of blocks, sorted by key and form."""
        found = cls()
        found._runs.append((keys, forms.astype(np.int32)))
        return found

    def add(self, start: int, keys: Keys) -> tuple[Numbers, Numbers]:
        """Add forms, and return the pairs to compare as newer and older forms.

        The forms are numbered from `start`; each has a row of `keys`, 0 for no key.
        """
        wanted, forms = _entries(start, keys)
        before = np.zeros(len(wanted), np.int64)
        for run, _ in self._runs:
            low, high = _range(run, wanted)
            before += high - low
        first = np.searchsorted(wanted, wanted, "left")
        rank = np.arange(len(wanted)) - first
        kept = before + rank < MAX_COMPARED_PER_BLOCK
        self._runs.append((wanted[kept], forms[kept].astype(np.int32)))
        pairs = self._pairs(wanted, forms)
        while len(self._runs) > 1 and len(self._runs[-2][0]) < 2 * len(self._runs[-1][0]):
            self._merge()
        return pairs

    def pairs_among(self, forms: Numbers, keys: Keys) -> tuple[Numbers, Numbers]:
        """Return the pairs to compare within a set of forms that were added before."""
        wanted, rows = _entries(0, keys)
        newer, older = self._pairs(wanted, forms[rows])
        inside = np.isin(older, forms)
        return newer[inside], older[inside]

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(keys.nbytes + forms.nbytes for keys, forms in self._runs)

    def _pairs(self, wanted: Keys, forms: Numbers) -> tuple[Numbers, Numbers]:
        pairs = [np.empty(0, np.int64)]
        for run, members in self._runs:
            low, high = _range(run, wanted)
            sizes = high - low
            places = np.repeat(low - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
            newer, older = np.repeat(forms, sizes), members[places].astype(np.int64)
            earlier = older < newer
            pairs.append((newer[earlier] << 32) | older[earlier])
        return unpack_pairs(np.concatenate(pairs))

    def _merge(self) -> None:
        (old_keys, old_forms), (new_keys, new_forms) = self._runs[-2:]
        keys = np.concatenate((old_keys, new_keys))
        order = np.argsort(keys, kind="stable")  # older forms stay before newer ones
        self._runs[-2:] = [(keys[order], np.concatenate((old_forms, new_forms))[order])]


def unpack_pairs(pairs: Numbers) -> tuple[Numbers, Numbers]:
    """Split packed pairs into two arrays, sorted and without duplicates."""
    pairs.sort()  # much faster than `np.unique`, which hashes
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    return pairs >> 32, pairs & 0xFFFFFFFF


def _entries(start: int, keys: Keys) -> tuple[Keys, Numbers]:
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


def _range(run: Keys, wanted: Keys) -> tuple[Numbers, Numbers]:
    return np.searchsorted(run, wanted, "left"), np.searchsorted(run, wanted, "right")
