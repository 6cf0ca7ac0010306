"""The lists of references that each normal form stands in.

Each form has a linked list of its sources in three arrays, so that a form costs four bytes and
an entry of a list sixteen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.scratch import Scratch

Numbers = NDArray[np.int64]


class SourceLists:
    """The sources of forms: numbers that the caller chooses, one for each list of references.

    `scratch` makes the arrays.

    >>> lists = SourceLists()
    >>> lists.add(np.array([0, 2, 0]), np.array([70, 70, 80]))
    >>> lists.add(np.array([2]), np.array([80]))
    >>> [part.tolist() for part in lists.find(np.array([0, 1, 2]))]
    [[0, 2, 0, 2], [80, 80, 70, 70]]
    """

    def __init__(self, scratch: Scratch | None = None) -> None:
        scratch = scratch or Scratch()
        # Entries are numbered from 1, and 0 stands for none: new rows are 0.
        self._last = scratch.array(np.int32)  # the last entry of each form
        self._previous = scratch.array(np.int32)  # the entry of the same form before an entry
        self._source = scratch.array(np.int64)
        self._count = 1

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
        last = self._last.reserve(int(forms[-1]) + 1)
        entries = np.arange(start, self._count)
        first = np.diff(forms, prepend=-1) > 0
        self._previous.reserve(self._count)[entries] = np.where(first, last[forms], entries - 1)
        self._source.reserve(self._count)[entries] = sources
        last[forms] = entries  # numpy assigns in order: the last entry of a form stays

    def find(self, forms: Numbers) -> tuple[Numbers, Numbers]:
        """Return the positions in `forms` of entries, and the source of each entry."""
        places, sources = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        within = np.flatnonzero(forms < len(self._last.rows))
        entry = self._last.rows[forms[within]]
        while len(entry):
            within, entry = within[entry > 0], entry[entry > 0]
            places.append(within)
            sources.append(self._source.rows[entry])
            entry = self._previous.rows[entry]
        return np.concatenate(places), np.concatenate(sources)

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(each.rows.nbytes for each in (self._last, self._previous, self._source))
