"""Which forms may belong together: blocks of forms that share a key.

Comparing all pairs is out of the question. Forms that share a key are in one
block, and a form is compared with the first `MAX_COMPARED_PER_BLOCK` of each of its blocks
only, so the work for one form has a bound. A block larger than that is mostly
one much cited work, where any few forms will do, or a key that says little.

The index is a list of sorted arrays, each at least twice as long as the next
(O'Neil et al. 1996): twelve bytes an entry, cheap to add to, and it makes no
difference in which portions forms are added.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MAX_COMPARED_PER_BLOCK = 32

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class BlockingIndex:
    """The blocks so far.

    >>> blocks = BlockingIndex()
    >>> keys = np.array([[7, 1], [8, 2], [7, 2]], np.uint64)      # of forms 0, 1 and 2
    >>> [pairs.tolist() for pairs in blocks.add(0, keys)]
    [[2, 2], [0, 1]]
    """

    def __init__(self) -> None:
        self._runs: list[tuple[Keys, NDArray[np.int32]]] = []

    def add(self, start: int, keys: Keys) -> tuple[Numbers, Numbers]:
        """Add forms numbered from `start`, a row of keys each: pairs to compare, newer first."""
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

    def among(self, forms: Numbers, keys: Keys) -> tuple[Numbers, Numbers]:
        """The pairs to compare among some forms that were added."""
        wanted, rows = _entries(0, keys)
        newer, older = self._pairs(wanted, forms[rows])
        mine = np.isin(older, forms)
        return newer[mine], older[mine]

    @property
    def nbytes(self) -> int:
        """The memory of the arrays."""
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
        (one, mine), (two, yours) = self._runs[-2:]
        keys = np.concatenate((one, two))
        order = np.argsort(keys, kind="stable")  # older forms stay before newer ones
        self._runs[-2:] = [(keys[order], np.concatenate((mine, yours))[order])]


def unpack_pairs(pairs: Numbers) -> tuple[Numbers, Numbers]:
    """Pairs of numbers in one, each pair once and in order, as two."""
    pairs.sort()  # much faster than `np.unique`, which hashes
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    return pairs >> 32, pairs & 0xFFFFFFFF


def _entries(start: int, keys: Keys) -> tuple[Keys, Numbers]:
    """The keys of some rows in order, and the numbers of the rows; no key is 0, none twice."""
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
