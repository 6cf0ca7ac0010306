"""Connected components of a growing graph: union by size (Tarjan 1975).

The nodes of a component are a circular list, so that a node costs twelve bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.blocking import unpack_pairs
from lycosa.scratch import Scratch

Numbers = NDArray[np.int64]


class ConnectedComponents:
    """The connected components of a graph, with a record of those that changed.

    `scratch` makes the arrays.

    >>> graph = ConnectedComponents()
    >>> graph.join(4, np.array([1, 3]), np.array([0, 1]))
    >>> graph.members(0).tolist(), graph.members(2).tolist()
    ([0, 1, 3], [2])
    >>> [each.tolist() for each in graph.pop_changed()], list(graph.pop_changed())
    ([[0, 1, 3]], [])
    """

    def __init__(self, scratch: Scratch | None = None) -> None:
        scratch = scratch or Scratch()
        self._count = 0
        self._root = scratch.array(np.int32)
        self._next = scratch.array(np.int32)  # the next node of the component, in a circle
        self._size = scratch.array(np.int32)  # of the component, if the node is its root
        self._changed = scratch.array(np.uint8)  # whether it changed, if the node is its root

    def join(self, size: int, one: Numbers, two: Numbers) -> None:
        """Extend the graph to `size` nodes and add edges between these pairs."""
        if size > self._count:
            new = np.arange(self._count, size)
            for column, values in ((self._root, new), (self._next, new), (self._size, 1)):
                column.reserve(size)[self._count : size] = values
            self._changed.reserve(size)
            self._count = size
        root = self._root.rows
        links = unpack_pairs((root[one].astype(np.int64) << 32) | root[two])
        # A view is several times faster than an array where single numbers are read.
        roots = root.data
        for a, b in zip(*(ends.tolist() for ends in links), strict=True):
            self._unite(roots[a], roots[b])

    def touch(self, nodes: Numbers) -> None:
        """Count the components of some nodes as changed."""
        roots = self._root.rows[nodes[nodes < self._count]]
        self._changed.rows[roots[self._size.rows[roots] > 1]] = 1

    def members(self, node: int) -> Numbers:
        """Return all nodes of the component of a node."""
        return np.sort(np.array(self._circle(node), np.int64))

    def labels(self, size: int) -> NDArray[np.int32]:
        """Return the least node of the component of each of the first `size` nodes."""
        every = np.arange(size, dtype=np.int32)
        known = min(size, self._count)
        root = self._root.rows[:known]
        first = np.empty(self._count, np.int32)
        first[root[::-1]] = every[:known][::-1]  # numpy assigns in order: the least node stays
        every[:known] = first[root]
        return every

    def pop_changed(self) -> Iterator[Numbers]:
        """Yield the components that have grown since the last call."""
        changed = self._changed.rows[: self._count]
        roots = np.flatnonzero(changed)
        changed[roots] = 0
        for root in roots.tolist():
            yield self.members(root)

    def _circle(self, node: int) -> list[int]:
        following = self._next.rows.data
        found, here = [node], node
        while here < self._count and (here := following[here]) != node:
            found.append(here)
        return found

    def _unite(self, a: int, b: int) -> None:
        if a == b:
            return
        size, following, changed = self._size.rows, self._next.rows, self._changed.rows
        if size[a] < size[b]:
            a, b = b, a
        self._root.rows[self._circle(b)] = a
        following[a], following[b] = following[b], following[a]  # one circle of two
        size[a] += size[b]
        changed[b], changed[a] = 0, 1
