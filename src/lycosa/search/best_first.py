"""Best-first search for many goals: figure 2 of Davidov & Markovitch 2002.

A search for one goal ends when it meets one. This one collects it and goes on,
until its allowance is spent or enough was found.
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
    """One step of a search: the n-th, the node expanded, and the goals first seen by it.

    Step 0 expands nothing (`node` is None) and reports the goals among the
    start nodes. `generated` counts all nodes seen so far, the start included.
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
    """Collect goals, the most promising node first; every step is handed out as it is made.

    `goal` gives the weight of a goal, 0 for any other node; True and False will
    do. The search ends after `limit` expansions, or after the step with which
    the weights collected reach `wanted` (with goals of weight 1 that is their
    number), or when no node waits. Nodes that the heuristic holds equal, value
    and tie, are taken in the order of discovery; a node keeps its place in it
    however often it is valued anew.

    >>> from lycosa.search import BreadthFirst
    >>> def halves(n): return [2 * n, 2 * n + 1]
    >>> steps = mg_best_first([1], halves, lambda n: n % 5 == 0, BreadthFirst(), wanted=2)
    >>> [(step.n, step.node, step.found) for step in steps if step.found]
    [(2, 2, ((5, 1.0),)), (5, 5, ((10, 1.0),))]
    """
    most = inf if limit is None else limit
    enough = inf if wanted is None else wanted
    waiting = _OpenList(heuristic)
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
            waiting.value_anew()
        for each in new:
            waiting.push(each)
        yield Expansion(n, node, found, len(seen))
        if not waiting or n >= most or collected >= enough:
            return
        n += 1
        node = waiting.pop()
        successors = list(expand(node))


def _weight(goal: Callable[[Node], float], node: Node) -> float:
    weight = float(goal(node))
    if not 0 <= weight < inf:
        raise ContractError(f"The goal gave {node!r} {weight}; a weight is finite, never negative.")
    return weight


class _OpenList(Generic[Node]):
    """The nodes that wait, best first. Known values are never too low, see `Heuristic`."""

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

    def value_anew(self) -> None:
        self._heap = [self._entry(place, node) for _, _, place, node in self._heap]
        heapify(self._heap)

    def _entry(self, place: int, node: Node) -> tuple[float, float, int, Node]:
        """A place in the heap, least first; no two nodes have the same number."""
        value, tie = self._heuristic.value(node), self._heuristic.tie(node)
        if isnan(value) or isnan(tie):
            raise ContractError(f"The heuristic gave {node!r} NaN; values and ties are numbers.")
        return -value, -tie, place, node
