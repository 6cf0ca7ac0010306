"""Multiple-goal best-first search: figure 2 of Davidov & Markovitch 2002.

A single-goal search ends at the first goal. This search collects goals until its limit of
expansions is reached or the collected weight suffices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace
from math import inf, isnan
from typing import Generic

from lycosa.errors import ContractError
from lycosa.search.heuristic import Heuristic, Node


@dataclass(frozen=True, slots=True)
class Expansion(Generic[Node]):
    """Step n of a search: the expanded node, and the goals first seen among its successors.

    Step 0 expands nothing (`node` is None) and reports the goals among the start nodes.
    `found` has pairs of goal and weight. `generated` counts all nodes seen so far, the start
    nodes included.
    """

    n: int
    node: Node | None
    found: tuple[tuple[Node, float], ...]
    generated: int


def mg_best_first(
    starts: Iterable[Node],
    expand: Callable[[Node], Iterable[Node]],
    goal: Callable[[Node], float],
    heuristic: Heuristic[Node],
    *,
    limit: int | None = None,
    wanted: float | None = None,
) -> Iterator[Expansion[Node]]:
    """Expand the most promising node first and collect goals; yield every step.

    * `starts`: the start nodes;
    * `expand`: returns the successors of a node;
    * `goal`: returns the weight of a goal, 0 for any other node; True and False are weights;
    * `heuristic`: gives the values of open nodes;
    * `limit`: maximal number of expansions;
    * `wanted`: collected weight at which the search ends.

    The search also ends when no node is open. Nodes with equal value and tie are expanded in
    the order of discovery; rescoring a node does not change its place in that order.

    >>> from lycosa.search import BreadthFirst
    >>> def halves(n): return [2 * n, 2 * n + 1]
    >>> steps = mg_best_first([1], halves, lambda n: n % 5 == 0, BreadthFirst(), wanted=2)
    >>> [(step.n, step.node, step.found) for step in steps if step.found]
    [(2, 2, ((5, 1.0),)), (5, 5, ((10, 1.0),))]
    """
    max_expansions = inf if limit is None else limit
    max_weight = inf if wanted is None else wanted
    open_list = _OpenList(heuristic)
    seen: set[Node] = set()
    collected, n = 0.0, 0
    node: Node | None = None
    successors = list(starts)
    while True:
        risen = node is not None and heuristic.expanded(node, successors)
        new = [each for each in dict.fromkeys(successors) if each not in seen]
        seen.update(new)
        found = tuple((each, weight) for each in new if (weight := _weight(goal, each)))
        for each, weight in found:
            risen |= heuristic.found(each, weight)
            collected += weight
        if risen:
            open_list.rescore()
        for each in new:
            open_list.push(each)
        yield Expansion(n, node, found, len(seen))
        if not open_list or n >= max_expansions or collected >= max_weight:
            return
        n += 1
        node = open_list.pop()
        successors = list(expand(node))


def _weight(goal: Callable[[Node], float], node: Node) -> float:
    weight = float(goal(node))
    if not 0 <= weight < inf:
        raise ContractError(
            f"The goal returned {weight} for {node!r}; a weight is finite and not negative."
        )
    return weight


class _OpenList(Generic[Node]):
    """Heap of open nodes, best first. Its values are never too low, see `Heuristic`."""

    def __init__(self, heuristic: Heuristic[Node]) -> None:
        self._heuristic = heuristic
        self._heap: list[tuple[float, float, int, Node]] = []
        self._pushed = 0

    def __bool__(self) -> bool:
        return bool(self._heap)

    def push(self, node: Node) -> None:
        heappush(self._heap, self._entry(self._pushed, node))
        self._pushed += 1

    def pop(self) -> Node:
        while True:
            known = self._heap[0]
            now = self._entry(*known[2:])
            if now <= known:
                return heappop(self._heap)[3]
            heapreplace(self._heap, now)

    def rescore(self) -> None:
        self._heap = [self._entry(place, node) for _, _, place, node in self._heap]
        heapify(self._heap)

    def _entry(self, place: int, node: Node) -> tuple[float, float, int, Node]:
        """Return a heap entry; no two nodes have the same `place`."""
        value, tie = self._heuristic.value(node), self._heuristic.tie(node)
        if isnan(value) or isnan(tie):
            raise ContractError(
                f"The heuristic returned NaN for {node!r}; values and ties are numbers."
            )
        return -value, -tie, place, node
