"""Connected components of a growing graph: union by size (Tarjan 1975), members listed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


class ConnectedComponents:
    """Which nodes hang together, and which components have changed.

    >>> graph = ConnectedComponents()
    >>> graph.join(4, np.array([1, 3]), np.array([0, 1]))
    >>> graph.members(0).tolist(), graph.members(2).tolist()
    ([0, 1, 3], [2])
    >>> [each.tolist() for each in graph.changed()], list(graph.changed())
    ([[0, 1, 3]], [])
    """

    def __init__(self) -> None:
        self._root = np.empty(0, np.int32)
        self._members: dict[int, list[int]] = {}
        self._changed: set[int] = set()

    def join(self, size: int, one: Numbers, two: Numbers) -> None:
        """There are `size` nodes now, and these pairs are joined."""
        if size > len(self._root):
            room = np.arange(size + size // 2, dtype=np.int32)
            room[: len(self._root)] = self._root
            self._root = room
        links = set(zip(self._root[one].tolist(), self._root[two].tolist(), strict=True))
        for a, b in sorted(links):
            self._unite(int(self._root[a]), int(self._root[b]))

    def members(self, node: int) -> Numbers:
        """All nodes that hang together with one."""
        root = int(self._root[node])
        return np.sort(np.array(self._members.get(root, [node]), np.int64))

    def changed(self) -> Iterator[Numbers]:
        """The components that have grown since this was last asked."""
        roots, self._changed = sorted(self._changed), set()
        for root in roots:
            yield np.sort(np.array(self._members[root], np.int64))

    def _unite(self, a: int, b: int) -> None:
        if a == b:
            return
        mine, other = self._members.pop(a, [a]), self._members.pop(b, [b])
        if len(mine) < len(other):
            a, b, mine, other = b, a, other, mine
        mine += other
        self._root[other] = a
        self._members[a] = mine
        self._changed.discard(b)
        self._changed.add(a)
