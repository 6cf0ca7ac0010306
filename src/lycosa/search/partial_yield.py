"""Partial yield: estimate the yield of an open node from the explored part of the graph.

Davidov & Markovitch 2002, "Inferring yield from partial yield". For every
expanded node and every depth d from 1 to D two counters are kept (figure 3):
`AN(n, d)`, the number of expanded nodes in the subgraph that starts at n and is
d levels deep, and `AG(n, d)`, the weight of the goals among them. A new node is
counted once at each ancestor, however many paths lead there.

The yield of an open node is estimated from its siblings (figure 4): for each
parent the mean of AG/AN over the parent's supported children; a parent without
any uses the estimate of its parents. One thing is added, because a mean over
one child is a poor estimate: with `shrink` above 0 the mean includes that many
pseudo-children with the yield of all nodes.

A link counts only if it was found before its end was expanded, so the graph
has no cycles: parents are always expanded before their children.

How the cost is bounded. A node keeps its first few parents. Of its children a
node keeps only the sum of their yields, corrected when one of them changes. The
estimate of a node for its children (its promise) is computed when that sum
changes; a change of its parents' promises alone does not update it until
`refresh` is called. The few ancestors of a node are visited one by one: for a
handful of numbers, reading an array through a `memoryview` is several times
faster than numpy.
"""

from __future__ import annotations

from array import array
from itertools import chain
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints

DEPTH = 3
"""Levels below a node that are counted (D)."""

PARENTS = 4
"""Parents of a node that are kept."""

NONE = -1
_INITIAL_CAPACITY = 1024
_EXPANDED = 255

_Number = TypeVar("_Number", bound=np.number[Any])


class PartialYield:
    """Counters of all expanded nodes, and estimates for the open ones.

    * `depth`: D, the number of levels that are counted below a node;
    * `level`: the depth d of the yields that estimates use;
    * `threshold`: a child is supported if more than this many nodes were expanded below it;
    * `shrink`: weight of the yield of all nodes in the mean over children;
    * `parents`: number of parents of a node that are kept.

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
        self.fresh = np.zeros(0, np.intp)
        self._parents = np.full((_INITIAL_CAPACITY, parents), NONE, np.int32)
        self._held = np.zeros(_INITIAL_CAPACITY, np.uint8)  # how many parents are known
        self._taken = np.zeros(_INITIAL_CAPACITY, np.uint8)  # the same, until it is expanded
        self._nodes = np.zeros((_INITIAL_CAPACITY, depth), np.float32)  # AN
        self._goals = np.zeros((_INITIAL_CAPACITY, depth), np.float32)  # AG
        self._sum = np.zeros(_INITIAL_CAPACITY)  # of the yields of its supported children
        self._count = np.zeros(_INITIAL_CAPACITY, np.int32)  # how many those are
        self._promise = np.zeros(
            _INITIAL_CAPACITY, np.float32
        )  # the last stays 0: where NONE looks
        self._expected = np.zeros(_INITIAL_CAPACITY, np.float32)
        self._first = np.zeros(_INITIAL_CAPACITY, np.int32)  # where its children begin in the log
        self._size = np.zeros(_INITIAL_CAPACITY, np.int32)
        self._log = np.empty(_INITIAL_CAPACITY, np.int32)
        self._end = 0
        self._seen = 0  # children, each once
        self._fertile = 0  # nodes with children that were new
        self._order = array("i")
        self._look()

    def _look(self) -> None:
        # To the type checker a memoryview holds bytes; these give what their array has.
        self._nodes_view: Any = memoryview(cast("Any", self._nodes))
        self._goals_view: Any = memoryview(cast("Any", self._goals))
        self._sum_view: Any = memoryview(cast("Any", self._sum))
        self._count_view: Any = memoryview(cast("Any", self._count))
        self._held_view: Any = memoryview(cast("Any", self._held))
        self._promise_view: Any = memoryview(cast("Any", self._promise))

    @property
    def nbytes(self) -> int:
        """Memory of the arrays."""
        arrays = sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray))
        return arrays + self._order.itemsize * len(self._order)

    @property
    def rate(self) -> float:
        """Goals per expanded node, the estimate where nothing else is known."""
        return (self.goals + 0.1) / (self.expanded + 1)

    @property
    def branching(self) -> float:
        """Mean number of new children of a node that has any."""
        return self._seen / max(1, self._fertile)

    def waits(self, nodes: Ints) -> NDArray[np.bool_]:
        """Return which of these known nodes are open, that is, not expanded."""
        waits: NDArray[np.bool_] = self._taken.take(nodes) != _EXPANDED
        return waits

    def waiting(self) -> Ints:
        """Return all open nodes, in the order of their numbers."""
        waits = (self._taken > 0) & (self._taken != _EXPANDED)
        numbers: Ints = waits.nonzero()[0].astype(np.int32)
        return numbers

    def waiting_children(self, node: int) -> Ints:
        """Return the open children of an expanded node that have it as a parent."""
        first = self._first.item(node)
        children = self._log[first : first + self._size.item(node)]
        return children[self.waits(children)]

    def counters(self, node: int) -> tuple[list[float], list[float]]:
        """Return AN and AG of a node for the depths 1 to D."""
        return self._nodes[node].tolist(), self._goals[node].tolist()

    def yields(self, nodes: Ints) -> NDArray[np.float64]:
        """Return the partial yield AG/AN of expanded nodes at depth `level`."""
        column = self.level - 1
        yields: NDArray[np.float64] = self._goals[nodes, column] / self._nodes[nodes, column]
        return yields

    def promise(self, node: int) -> float:
        """Return the latest estimate of an expanded node for its children."""
        return float(self._promise_view[node])

    def expected(self, nodes: Ints) -> NDArray[np.float32]:
        """Return the estimates of nodes at the time of their expansion."""
        return self._expected[nodes]

    def estimates(self, nodes: Ints) -> NDArray[np.float64]:
        """Return the estimated yield of nodes (figure 4): the mean promise of their parents."""
        total = self._promise.take(self._parents.take(nodes, axis=0)).sum(axis=1, dtype=float)
        count = self._held.take(nodes)
        if not count.all():
            return np.where(count > 0, total / np.maximum(count, 1), self.rate)
        means: NDArray[np.float64] = total / count
        return means

    def add(self, node: int, weight: float, children: Ints = NO_INTS) -> list[int]:
        """Count an expanded node (figure 3) and add its children.

        `weight` is the goal weight of the node, 0 for none. Afterwards `fresh` has the
        positions of those children that are open and keep the node as a parent. Return the
        ancestors whose promise changed, nearest first, then the node itself.
        """
        self.fresh = self._fresh(node, children)
        parents, levels = self._ancestors(node)
        self._expected[node] = self._estimate(parents[node])
        self.expanded += 1
        self.goals += weight
        for far, nodes in enumerate(levels[: self.depth]):
            for each in nodes:
                self._count_below(each, far, weight, parents[each])
        if len(self.fresh):
            self._link(node, children[self.fresh])
        self._order.append(node)
        changed = levels[1 : self.level + 1]
        for nodes in reversed(changed):  # the oldest first, because the younger depend on them
            for each in nodes:
                self._make_promise(each)
        self._make_promise(node)
        return [*chain.from_iterable(changed), node]

    def refresh(self, level: int | None = None) -> None:
        """Recompute all promises, the oldest first; `level` changes the depth of the yields."""
        if level is not None and level != self.level:
            self.level = level
            self._sum[:] = 0
            self._count[:] = 0
            for node in self._order:
                self._correct(self._parents_of(node), *self._supported_yield(node))
        for node in self._order:
            self._make_promise(node)

    def _fresh(self, node: int, children: Ints) -> NDArray[np.intp]:
        if node >= len(self._sum) - 1:
            self._grow(node + 1)
        self._taken[node] = _EXPANDED
        try:
            taken = self._taken.take(children)
        except IndexError:
            self._grow(int(children.max()) + 1)
            taken = self._taken.take(children)
        return (taken < self._parents.shape[1]).nonzero()[0]

    def _parents_of(self, node: int) -> list[int]:
        parents: list[int] = self._parents[node, : self._held_view[node]].tolist()
        return parents

    def _ancestors(self, node: int) -> tuple[dict[int, list[int]], list[list[int]]]:
        """Return the parents of all nodes that count this one, and the ancestors by level.

        Each ancestor to depth D occurs once. The first level is the node itself; the last has
        ancestors that do not count the node, but whose children do.
        """
        parents: dict[int, list[int]] = {}
        levels = [[node]]
        seen = {node}
        for _ in range(self.depth):
            level: list[int] = []
            for child in levels[-1]:
                parents[child] = self._parents_of(child)
                for parent in parents[child]:
                    if parent not in seen:
                        seen.add(parent)
                        level.append(parent)
            if not level:
                break
            levels.append(level)
        return parents, levels

    def _count_below(self, node: int, far: int, weight: float, parents: list[int]) -> None:
        """Count a new node `far` levels below a node; 0 is the new node itself."""
        nodes, goals = self._nodes_view, self._goals_view
        value, supported = self._supported_yield(node)
        for d in range(far, self.depth):
            nodes[node, d] += 1
        if weight:
            for d in range(far, self.depth):
                goals[node, d] += weight
        now, supported_now = self._supported_yield(node)
        if now != value or supported_now != supported:
            self._correct(parents, now - value, supported_now - supported)

    def _supported_yield(self, node: int) -> tuple[float, int]:
        """Return AG/AN at depth `level` and 1 for a supported node, else 0 and 0."""
        size = self._nodes_view[node, self.level - 1]
        if size > self.threshold:
            return self._goals_view[node, self.level - 1] / size, 1
        return 0.0, 0

    def _correct(self, parents: list[int], value: float, supported: int) -> None:
        """Add to the parents' sums and counts of their children's yields."""
        for parent in parents:
            self._sum_view[parent] += value
            self._count_view[parent] += supported

    def _estimate(self, parents: list[int]) -> float:
        """Return the mean promise of these parents."""
        if not parents:
            return self.rate
        promises = self._promise_view
        return float(sum([promises[parent] for parent in parents]) / len(parents))

    def _make_promise(self, node: int) -> None:
        """Set the promise: the mean yield of the supported children, else the parents' estimate."""
        count = self._count_view[node]
        self._promise_view[node] = (
            (self._sum_view[node] + self.shrink * self.rate) / (count + self.shrink)
            if count
            else self._estimate(self._parents_of(node))
        )

    def _link(self, node: int, children: Ints) -> None:
        size = len(children)
        if self._end + size > len(self._log):
            room = np.empty(self._end // 4 + size + _INITIAL_CAPACITY, np.int32)
            self._log = np.concatenate((self._log[: self._end], room))
        self._log[self._end : self._end + size] = children
        self._first[node] = self._end
        self._size[node] = size
        self._end += size
        held = self._held.take(children)
        new = size - int(np.count_nonzero(held))
        self._seen += new
        self._fertile += new > 0
        self._parents[children, held] = node
        held += 1
        self._held[children] = held
        self._taken[children] = held

    def _grow(self, size: int) -> None:
        more = size + size // 4 + _INITIAL_CAPACITY - len(self._sum)
        self._parents = _extend(self._parents, more, NONE)
        self._held = _extend(self._held, more)
        self._taken = _extend(self._taken, more)
        self._nodes = _extend(self._nodes, more)
        self._goals = _extend(self._goals, more)
        self._sum = _extend(self._sum, more)
        self._count = _extend(self._count, more)
        self._promise = _extend(self._promise, more)
        self._expected = _extend(self._expected, more)
        self._first = _extend(self._first, more)
        self._size = _extend(self._size, more)
        self._look()


def _extend(values: NDArray[_Number], more: int, value: int = 0) -> NDArray[_Number]:
    room = np.full((more, *values.shape[1:]), value, values.dtype)
    return np.concatenate((values, room))
