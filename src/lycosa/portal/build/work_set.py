"""The works of a portal, numbered in the order of their ids, with their citation graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.citations import Citations
from lycosa.portal.build.grouping import Groups
from lycosa.portal.build.member_table import Members
from lycosa.portal.build.packed_members import NameColumn

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WorkSet:
    """All works; the id of a work, in `ids` by its number, is the name of its first member."""

    ids: NameColumn
    of: Numbers
    """The number of the work of every member."""
    graph: Citations
    """The citations between works, by their numbers."""

    @classmethod
    def from_groups(cls, members: Members, groups: Groups) -> WorkSet:
        """Number the works of groups and derive their citations."""
        is_first = groups.of == np.arange(len(groups.of))
        place = (np.cumsum(is_first) - 1)[groups.of]
        names = members.names.array[is_first]
        order = np.argsort(names, kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        of = rank[place]
        starts = np.array(members.starts, np.int64)
        citing = np.repeat(of[starts[:-1]], np.diff(starts) - 1)
        cited = np.delete(of, starts[:-1])
        graph = Citations(np.stack((citing, cited), axis=1), len(names))
        return cls(NameColumn.of(names[order]), of, graph)

    def __len__(self) -> int:
        return len(self.ids)

    def numbers(self, ids: NDArray[np.bytes_]) -> Numbers:
        """Return the works that have some ids, -1 for none."""
        every = self.ids.array
        if not len(every):
            return np.full(len(ids), -1)
        at = np.minimum(np.searchsorted(every, ids), len(every) - 1)
        return np.where(every[at] == ids, at, -1)

    def number(self, id: str) -> int:
        """Return the work that has an id, -1 for none."""
        return int(self.numbers(np.array([id.encode("ascii", "replace")]))[0])

    def members(self) -> Iterator[list[int]]:
        """Yield the members of each work, in order."""
        order = np.argsort(self.of, kind="stable").astype(np.int32)
        start = 0
        for size in np.bincount(self.of, minlength=len(self)):
            yield order[start : start + size].tolist()
            start += size
