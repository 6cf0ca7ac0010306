"""The few rewards nearest to every page, and the path to each of them."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.sites.graph import Graph

MAX_COMPARED = 1 << 22
"""Numbers compared at once, to bound the memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """For every page its `width` nearest rewards, nearest first.

    Row p is `keys[p * width : p * width + filled[p]]`. A key is the distance
    times `size`, the number of pages, plus the page number of the reward: keys
    sort by distance and then by number. `hops` has for each key the next page
    on the path. Both are flat memory, read one number at a time.

    A row suffices for a search as long as fewer than `width` rewards are found,
    and the path is never lost: a reward in the row of a page is no further down
    in the row of the next page on the path to it.

    >>> graph = Graph.from_edges(4, [0, 1, 1], [1, 2, 3])
    >>> near = Nearest.of(graph, np.array([2, 3]), width=1)
    >>> divmod(near.keys[0], near.size)
    (2, 2)
    >>> near.path(0)
    [1, 2]
    """

    size: int
    width: int
    filled: list[int]
    keys: memoryview
    hops: memoryview

    @classmethod
    def of(cls, graph: Graph, rewards: NDArray[np.int64], width: int) -> Nearest:
        """Search backwards from all rewards at once, one level at a time.

        A page whose row is full takes and passes on nothing more.
        """
        size = len(graph)
        back = graph.reverse()
        keys = np.zeros((size, width), np.int64)
        hops = np.zeros((size, width), np.int32)
        filled = np.zeros(size, np.int64)
        pages, goals, following, distance = rewards, rewards, rewards, 0
        while len(pages):
            # Pages are sorted, so the rank of an entry is its offset in the group of its page.
            rank = np.arange(len(pages)) - np.searchsorted(pages, pages)
            column = filled[pages] + rank
            fits = column < width
            pages, goals, following, column = (
                part[fits] for part in (pages, goals, following, column)
            )
            keys[pages, column] = distance * size + goals
            hops[pages, column] = following
            filled += np.bincount(pages, minlength=size)

            owner, sources = back.links(pages)
            room = filled[sources] < width
            owner = owner[room]
            codes = sources[room].astype(np.int64) * size + goals[owner]
            # np.unique keeps the first of equals: the one over the least page number.
            codes, first = np.unique(codes, return_index=True)
            following = pages[owner[first]]
            pages, goals = np.divmod(codes, size)
            new = _absent(keys, filled, pages, goals)
            pages, goals, following = pages[new], goals[new], following[new]
            distance += 1
        return cls(size, width, filled.tolist(), keys.ravel().data, hops.ravel().data)

    def path(self, position: int) -> list[int]:
        """Return the pages to visit, the reward last, for the entry at a position of `keys`.

        Of shortest paths it is the one over the least page numbers.
        """
        key = self.keys[position]
        path = []
        while key >= 2 * self.size:
            page = self.hops[position]
            path.append(page)
            key -= self.size
            start = page * self.width
            position = bisect_left(self.keys, key, start, start + self.filled[page])
        path.append(key % self.size)
        return path


def _absent(
    keys: NDArray[np.int64],
    filled: NDArray[np.int64],
    pages: NDArray[np.int64],
    goals: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Return which of these goals are not yet in the rows of these pages."""
    size, width = keys.shape
    absent = np.ones(len(pages), np.bool_)
    step = max(1, MAX_COMPARED // width)
    for start in range(0, len(pages), step):
        part = slice(start, start + step)
        columns = int(filled[pages[part]].max())
        known = keys[pages[part], :columns]
        same = known % size == goals[part, None]
        same &= np.arange(columns) < filled[pages[part], None]
        absent[part] = ~same.any(axis=1)
    return absent
