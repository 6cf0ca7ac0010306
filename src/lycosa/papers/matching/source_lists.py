"""The lists of references that each normal form stands in.

Each form has a linked list of its sources in three arrays, so that a form costs four bytes and
an entry of a list sixteen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


class SourceLists:
    """The sources of forms: numbers that the caller chooses, one for each list of references.

    >>> lists = SourceLists()
    >>> lists.add(np.array([0, 2, 0]), np.array([70, 70, 80]))
    >>> lists.add(np.array([2]), np.array([80]))
    >>> [part.tolist() for part in lists.find(np.array([0, 1, 2]))]
    [[0, 2, 0, 2], [80, 80, 70, 70]]
    """

    def __init__(self) -> None:
        self._last = np.full(0, -1, np.int32)  # the last entry of each form
        self._previous = np.empty(0, np.int32)  # the entry of the same form before an entry
        self._source = np.empty(0, np.int64)
        self._count = 0

    def add(self, forms: NDArray[Any], sources: NDArray[Any]) -> None:
        """Add entries of lists: their forms, and the source of each."""
        if not len(forms):
            return
        order = np.lexsort((sources, forms))
        forms, sources = forms[order], sources[order]
        new = np.ones(len(forms), bool)
        new[1:] = (forms[1:] != forms[:-1]) | (sources[1:] != sources[:-1])
        forms, sources = forms[new], sources[new]
        start, self._count = self._count, self._count + len(forms)
        self._last = _with_room(self._last, int(forms[-1]) + 1, -1)
        self._previous = _with_room(self._previous, self._count)
        self._source = _with_room(self._source, self._count)
        entries = np.arange(start, self._count)
        first = np.diff(forms, prepend=-1) > 0
        self._previous[entries] = np.where(first, self._last[forms], entries - 1)
        self._source[entries] = sources
        self._last[forms] = entries  # numpy assigns in order: the last entry of a form stays

    def find(self, forms: Numbers) -> tuple[Numbers, Numbers]:
        """Return the positions in `forms` of entries, and the source of each entry."""
        places, sources = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        within = np.flatnonzero(forms < len(self._last))
        entry = self._last[forms[within]]
        while len(entry):
            within, entry = within[entry >= 0], entry[entry >= 0]
            places.append(within)
            sources.append(self._source[entry])
            entry = self._previous[entry]
        return np.concatenate(places), np.concatenate(sources)

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return self._last.nbytes + self._previous.nbytes + self._source.nbytes


def _with_room(array: NDArray[Any], size: int, value: int = 0) -> NDArray[Any]:
    if size <= len(array):
        return array
    larger = np.full(size + size // 2, value, array.dtype)
    larger[: len(array)] = array
    return larger
