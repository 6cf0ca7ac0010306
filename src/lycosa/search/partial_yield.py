"""Partial yield: what was found so far below a node says what is still to be found there.

Davidov & Markovitch 2002, "Inferring yield from partial yield". For every
expanded node and every depth d from 1 to D two counters are kept (figure 3):
`AN(n, d)`, how many nodes were expanded in the part of the graph that begins
with n and is d levels deep, and `AG(n, d)`, the weight of the goals among
them. A new node is counted once at each ancestor, however many paths lead there.

The yield of a node that waits is estimated from its brothers (figure 4): for
each parent the mean of AG/AN over the parent's supported children; a parent
without any passes the question on to its own parents. One thing is added,
because a mean over one child is a poor estimate: with `shrink` above 0 the mean
is taken as if there were that many children more, with the yield of all nodes.

A link counts only if it was found before its end was expanded, so the graph
has no circles: parents are always older than their children.

What makes it cheap. Of a node's parents the first few are kept. Of the
children of a node only the sum of their yields is kept, and corrected when
one of them changes. What a node says of its children (its promise) is worked
out when its sum changes; it is not worked out again when only what its own
parents say has changed, until its turn comes or `refresh` is called.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints

DEPTH = 3
PARENTS = 4
NONE = -1
_ROOM = 1024

_Number = TypeVar("_Number", bound=np.number[Any])


class PartialYield:
    """The counters of all nodes, and what can be expected of those that wait.

    `level` is the depth d for which yields are asked; `threshold` is how many
    nodes below a child must exceed before it is supported.

    >>> tree = PartialYield(level=1, shrink=0.0)
    >>> _ = tree.add(0, 0.0, np.array([1, 2, 3]))    # the start leads to 1, 2 and 3
    >>> _ = tree.add(1, 1.0), tree.add(2, 0.0)       # one of two was a goal
    >>> tree.estimates(np.array([3]))
    array([0.5])
    >>> tree.counters(0)
    ([1.0, 3.0, 3.0], [0.0, 1.0, 1.0])
    """

    def __init__(
        self,
        depth: int = DEPTH,
        *,
        level: int = 2,
        threshold: int = 0,
        shrink: float = 1.0,
        parents: int = PARENTS,
    ) -> None:
        self.depth = depth
        self.level = level
        self.threshold = threshold
        self.shrink = shrink
        self.expanded = 0
        self.goals = 0.0
        self._parents = np.full((_ROOM, parents), NONE, np.int32)
        self._nodes = np.zeros((_ROOM, depth), np.float32)  # AN; 0: the node still waits
        self._goals = np.zeros((_ROOM, depth), np.float32)  # AG
        self._sum = np.zeros(_ROOM)  # of the yields of its supported children
        self._count = np.zeros(_ROOM, np.int32)  # how many those are
        self._promise = np.zeros(_ROOM, np.float32)
        self._first = np.zeros(_ROOM, np.int32)  # where its children begin in the log
        self._size = np.zeros(_ROOM, np.int32)
        self._log = np.empty(_ROOM, np.int32)
        self._end = 0
        self._seen = 0
        self._order: list[int] = []

    @property
    def nbytes(self) -> int:
        """The memory of the arrays."""
        return sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray))

    @property
    def rate(self) -> float:
        """Goals among the nodes so far: what is expected where nothing is known."""
        return (self.goals + 0.1) / (self.expanded + 1)

    @property
    def branching(self) -> float:
        """How many new children a node has on average."""
        return self._seen / max(1, self.expanded)

    def waits(self, nodes: Ints) -> NDArray[np.bool_]:
        """Which of these nodes, that were seen before, have not been expanded."""
        waits: NDArray[np.bool_] = self._nodes[nodes, 0] == 0
        return waits

    def waiting(self) -> Ints:
        """All children that have not been expanded, in the order of their numbers."""
        waits = (self._nodes[:, 0] == 0) & (self._parents[:, 0] != NONE)
        numbers: Ints = waits.nonzero()[0].astype(np.int32)
        return numbers

    def counters(self, node: int) -> tuple[list[float], list[float]]:
        """AN and AG of a node for the depths 1 to D."""
        return self._nodes[node].tolist(), self._goals[node].tolist()

    def add(self, node: int, weight: float, children: Ints = NO_INTS) -> Ints:
        """A node was expanded: count it (figure 3) and note its children.

        `weight` is that of the goal it is, 0 for none. Returned are the
        ancestors whose promise changed, nearest first, then the node itself.
        """
        self._make_room(max(node, int(children.max(initial=0))) + 1)
        self.expanded += 1
        self.goals += weight
        levels = self._ancestors(node)
        within = levels[: self.level]  # those whose yield, at the depth asked for, changes
        touched = within[0] if len(within) == 1 else np.concatenate(within)
        before, supported_before = self._supported_yields(touched)
        self._nodes[node] = 1
        self._goals[node] = weight
        for k, nodes in enumerate(levels[1:], 1):
            self._nodes[nodes, k:] += 1
            if weight:
                self._goals[nodes, k:] += weight
        after, supported = self._supported_yields(touched)
        parents = self._parents[touched]
        has = parents >= 0
        ends = parents[has]
        if len(ends):
            rows = has.nonzero()[0]
            np.add.at(self._sum, ends, (after - before)[rows])
            np.add.at(self._count, ends, (supported.astype(np.int32) - supported_before)[rows])
        if len(children):
            self._link(node, children[self._nodes[children, 0] == 0])
        self._order.append(node)
        changed = [*levels[1 : self.level + 1], levels[0]]
        for nodes in reversed(changed[:-1]):  # the oldest first, as the younger listen to them
            self._promise[nodes] = self._promises(nodes)
        self._promise[node] = self._promises(levels[0])[0]
        return np.concatenate(changed)

    def _ancestors(self, node: int) -> list[Ints]:
        """The node, its parents, the parents of those, … to depth D; each once."""
        levels = [np.array([node], np.int32)]
        seen = {node}
        for _ in range(self.depth - 1):
            parents = self._parents[levels[-1]].ravel().tolist()
            new = [p for p in dict.fromkeys(parents) if p >= 0 and p not in seen]
            if not new:
                break
            seen.update(new)
            levels.append(np.array(new, np.int32))
        return levels

    def yields(self, nodes: Ints) -> NDArray[np.float64]:
        """The partial yield AG/AN of expanded nodes at the depth asked for."""
        column = self.level - 1
        yields: NDArray[np.float64] = self._goals[nodes, column] / self._nodes[nodes, column]
        return yields

    def _supported_yields(self, nodes: Ints) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """AG/AN at the depth asked for, and who is supported; the others yield 0."""
        size = self._nodes[nodes, self.level - 1]
        supported = size > self.threshold
        yields = np.zeros(len(nodes))
        np.divide(self._goals[nodes, self.level - 1], size, out=yields, where=supported)
        return yields, supported

    def _link(self, node: int, children: Ints) -> None:
        size = len(children)
        if self._end + size > len(self._log):
            room = np.empty(self._end // 4 + size + _ROOM, np.int32)
            self._log = np.concatenate((self._log[: self._end], room))
        self._log[self._end : self._end + size] = children
        self._first[node] = self._end
        self._size[node] = size
        self._end += size
        free = self._parents[children] == NONE
        self._seen += int(free.all(axis=1).sum())
        has_room = free.any(axis=1)
        self._parents[children[has_room], free[has_room].argmax(axis=1)] = node

    def waiting_children(self, node: int) -> Ints:
        """The children of an expanded node that still wait."""
        first = self._first.item(node)
        children = self._log[first : first + self._size.item(node)]
        waiting: Ints = children[self._nodes[children, 0] == 0]
        return waiting

    def promises(self, nodes: Ints) -> NDArray[np.float32]:
        """What these expanded nodes were last heard to say of their children."""
        return self._promise[nodes]

    def _promises(self, nodes: Ints) -> NDArray[np.float64]:
        """The mean yield of their supported children, else what their parents say."""
        count = self._count[nodes]
        total = self._sum[nodes] + self.shrink * self.rate
        promises = self.estimates(nodes)
        np.divide(total, count + self.shrink, out=promises, where=count > 0)
        return promises

    def estimates(self, nodes: Ints) -> NDArray[np.float64]:
        """The expected yield of nodes (figure 4): the mean of what their parents promise."""
        parents = self._parents[nodes]
        has = parents >= 0
        count = has.sum(axis=1)
        total = np.where(has, self._promise[parents], 0.0).sum(axis=1)
        means = np.full(len(nodes), self.rate)
        np.divide(total, count, out=means, where=count > 0)
        return means

    def refresh(self, level: int | None = None) -> None:
        """Work out all promises anew, the oldest first; `level` changes the depth asked for."""
        if level is not None and level != self.level:
            self.level = level
            self._sum[:] = 0
            self._count[:] = 0
            nodes = np.array(self._order, np.int32)
            yields, supported = self._supported_yields(nodes)
            parents = self._parents[nodes]
            has = parents >= 0
            rows = has.nonzero()[0]
            np.add.at(self._sum, parents[has], yields[rows])
            np.add.at(self._count, parents[has], supported[rows].astype(np.int32))
        for node in self._order:
            one = np.array([node], np.int32)
            self._promise[one] = self._promises(one)

    def _make_room(self, size: int) -> None:
        have = len(self._sum)
        if size <= have:
            return
        more = size + size // 4 + _ROOM - have
        self._parents = _longer(self._parents, more, NONE)
        self._nodes = _longer(self._nodes, more)
        self._goals = _longer(self._goals, more)
        self._sum = _longer(self._sum, more)
        self._count = _longer(self._count, more)
        self._promise = _longer(self._promise, more)
        self._first = _longer(self._first, more)
        self._size = _longer(self._size, more)


def _longer(array: NDArray[_Number], more: int, value: int = 0) -> NDArray[_Number]:
    room = np.full((more, *array.shape[1:]), value, array.dtype)
    return np.concatenate((array, room))
