"""The works of a portal, numbered in the order of their ids, with their citation graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.citations import Citations
from lycosa.portal.build.grouping import Groups
from lycosa.portal.build.member_table import Members

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WorkSet:
    """All works; the id of a work, in `ids` by its number, is the name of its first member."""

    ids: Sequence[str]
    of: Numbers
    """The number of the work of every member."""
    graph: Citations
    """The citations between works, by their numbers."""

    @classmethod
    def from_groups(cls, members: Members, groups: Groups) -> WorkSet:
        """Number the works of groups and derive their citations."""
        firsts, place = np.unique(groups.of, return_inverse=True)
        names = members.names.array[firsts]
        order = np.argsort(names, kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        of = rank[place]
        starts = np.array(members.starts, np.int64)
        citing = np.repeat(of[starts[:-1]], np.diff(starts) - 1)
        cited = np.delete(of, starts[:-1])
        graph = Citations(np.stack((citing, cited), axis=1), len(names))
        return cls([name.decode() for name in names[order].tolist()], of, graph)

    def __len__(self) -> int:
        return len(self.ids)

    def members(self) -> Iterator[list[int]]:
        """Yield the members of each work, in order."""
        order = np.argsort(self.of, kind="stable")
        ends = np.searchsorted(self.of[order], np.arange(1, len(self) + 1)).tolist()
        start = 0
        for end in ends:
            yield order[start:end].tolist()
            start = end
