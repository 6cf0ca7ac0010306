"""Connected components of a growing graph: union by size (Tarjan 1975)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


class ConnectedComponents:
    """The connected components of a graph, with a record of those that changed.

    >>> graph = ConnectedComponents()
    >>> graph.join(4, np.array([1, 3]), np.array([0, 1]))
    >>> graph.members(0).tolist(), graph.members(2).tolist()
    ([0, 1, 3], [2])
    >>> [each.tolist() for each in graph.pop_changed()], list(graph.pop_changed())
    ([[0, 1, 3]], [])
    """

    def __init__(self) -> None:
        self._root = np.empty(0, np.int32)
        self._members: dict[int, list[int]] = {}
        self._changed: set[int] = set()

    def join(self, size: int, one: Numbers, two: Numbers) -> None:
        """Extend the graph to `size` nodes and add edges between these pairs."""
        if size > len(self._root):
            room = np.arange(size + size // 2, dtype=np.int32)
            room[: len(self._root)] = self._root
            self._root = room
        links = set(zip(self._root[one].tolist(), self._root[two].tolist(), strict=True))
        for a, b in sorted(links):
            self._unite(int(self._root[a]), int(self._root[b]))

    def touch(self, nodes: Numbers) -> None:
        """Count the components of some nodes as changed."""
        roots = set(self._root[nodes[nodes < len(self._root)]].tolist())
        self._changed.update(root for root in roots if root in self._members)

    def members(self, node: int) -> Numbers:
        """Return all nodes of the component of a node."""
        root = int(self._root[node])
        return np.sort(np.array(self._members.get(root, [node]), np.int64))

    def labels(self, size: int) -> NDArray[np.int32]:
        """Return the least node of the component of each of the first `size` nodes."""
        found = np.arange(size, dtype=np.int32)
        for nodes in self._members.values():
            found[nodes] = min(nodes)
        return found

    def pop_changed(self) -> Iterator[Numbers]:
        """Yield the components that have grown since the last call."""
        roots, self._changed = sorted(self._changed), set()
        for root in roots:
            yield np.sort(np.array(self._members[root], np.int64))

    def _unite(self, a: int, b: int) -> None:
        if a == b:
            return
        larger, smaller = self._members.pop(a, [a]), self._members.pop(b, [b])
        if len(larger) < len(smaller):
            a, b, larger, smaller = b, a, smaller, larger
        larger += smaller
        self._root[smaller] = a
        self._members[a] = larger
        self._changed.discard(b)
        self._changed.add(a)
