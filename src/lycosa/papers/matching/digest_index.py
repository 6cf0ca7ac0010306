"""Index of normal forms by their digests, in sorted arrays.

A dictionary of millions of digests takes two hundred bytes for each; here it is twelve, beside
the digest itself. The first eight bytes of a digest are the key, and digests that share them
are compared.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.sorted_runs import SortedRuns, expand_ranges, key_range
from lycosa.scratch import Scratch

Digests = NDArray[np.bytes_]


class DigestIndex:
    """The numbers of forms by their digests; `scratch` makes the arrays.

    >>> index, every = DigestIndex(), np.array([b"d" * 16, b"a" * 16, b"c" * 16])
    >>> index.add(0, every)
    >>> index.find(np.array([b"c" * 16, b"x" * 16, b"d" * 16]), every).tolist()
    [2, -1, 0]
    """

    def __init__(self, scratch: Scratch | None = None) -> None:
        self._runs = SortedRuns(scratch)

    def add(self, start: int, digests: Digests) -> None:
        """Add forms, numbered from `start`."""
        if len(digests):
            heads = _heads(digests)
            order = np.argsort(heads, kind="stable")
            self._runs.add(heads[order], (start + order).astype(np.int32))

    def find(self, wanted: Digests, digests: Digests) -> NDArray[np.int64]:
        """Return the forms that have some digests, -1 for none; `digests` are those of all."""
        return _find(wanted, digests, self._runs)


def find_digests(wanted: Digests, digests: Digests) -> NDArray[np.int64]:
    """Return the places of some digests among others, -1 for none."""
    heads = _heads(digests)
    order = np.argsort(heads, kind="stable")
    return _find(wanted, digests, [(heads[order], order)])


def _find(
    wanted: Digests,
    digests: Digests,
    runs: Iterable[tuple[NDArray[np.uint64], NDArray[np.integer]]],
) -> NDArray[np.int64]:
    found = np.full(len(wanted), -1)
    for keys, forms in runs:
        which, places = expand_ranges(*key_range(keys, _heads(wanted)))
        numbers = forms[places]
        same = digests[numbers] == wanted[which]
        found[which[same]] = numbers[same]
    return found


def _heads(digests: Digests) -> NDArray[np.uint64]:
    """Return the first eight bytes of digests as numbers, which are sorted much faster."""
    whole = np.ascontiguousarray(digests, "S16")
    return np.ascontiguousarray(whole.view(np.uint64).reshape(-1, 2)[:, 0])
