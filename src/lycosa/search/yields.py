"""Exact yield of a node in a known graph (definitions of Davidov & Markovitch 2002).

The yield of a node is the weight of the goals below it, divided by the number of nodes explored
to collect them. These functions need the whole graph: they serve tests, and show how good an
estimate is. Both take the `expand` and `goal` of a search; `depth` restricts the graph to nodes
at most that many steps away, the node itself included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from lycosa.search.heuristic import Node


def pessimistic_yield(
    node: Node,
    expand: Callable[[Node], Iterable[Node]],
    goal: Callable[[Node], float],
    depth: int | None = None,
) -> float:
    """Return the yield if all reachable nodes are visited to collect their goals.

    >>> below = {1: [2, 3], 2: [4, 5], 3: [], 4: [], 5: []}
    >>> pessimistic_yield(1, below.get, {5: 1}.__contains__)
    0.2
    """
    reached = list(_reachable(node, expand, depth))
    return sum(float(goal(each)) for each in reached) / len(reached)


def optimistic_yield(
    node: Node,
    expand: Callable[[Node], Iterable[Node]],
    goal: Callable[[Node], float],
    depth: int | None = None,
    *,
    exact: int = 10,
) -> float:
    """Return the yield if only nodes on the way to goals are visited.

    These nodes are the smallest subgraph with a path from the node to every goal, a directed
    Steiner tree. With up to `exact` goals dynamic programming over sets of goals finds it
    (after Dreyfus & Wagner 1971), in time that grows with 3 to the number of goals. With more
    goals the tree is approximate: it grows by the shortest path to the nearest goal outside
    (Takahashi & Matsuyama 1980), and the result may be too low, never too high.

    >>> below = {1: [2, 3], 2: [4, 5], 3: [], 4: [], 5: []}
    >>> optimistic_yield(1, below.get, {4: 1, 5: 1}.__contains__)
    0.5
    """
    reached = _reachable(node, expand, depth)
    weights = [float(goal(each)) for each in reached]
    number = {each: k for k, each in enumerate(reached)}
    below = [sorted({number[s] for s in expand(each) if s in number}) for each in reached]
    goals = [k for k, weight in enumerate(weights) if weight and k]  # 0 is the node itself
    size = _steiner_size if len(goals) <= exact else _nearest_first_size
    return sum(weights) / size(below, goals)


def _reachable(
    node: Node, expand: Callable[[Node], Iterable[Node]], depth: int | None
) -> dict[Node, None]:
    """Return the reachable nodes, nearest first."""
    reached = {node: None}
    front, level = reached, 0
    while front and level != depth:
        front = {s: None for each in front for s in expand(each) if s not in reached}
        reached.update(front)
        level += 1
    return reached


def _steiner_size(below: list[list[int]], goals: list[int]) -> int:
    """Return the number of nodes of the smallest tree from node 0 to all goals."""
    if not goals:
        return 1
    # Row S, column v: the least number of edges of a tree from v to the goals in S.
    edges = np.full((1 << len(goals), len(below)), np.inf)
    for k, each in enumerate(goals):
        edges[1 << k, each] = 0
    tails = np.array([tail for tail, heads in enumerate(below) if heads])
    heads = np.array([head for successors in below for head in successors])
    begins = np.cumsum([0] + [len(successors) for successors in below if successors])[:-1]
    sets = sorted(range(1, len(edges)), key=int.bit_count)
    for size, same in groupby(sets, key=int.bit_count):
        rows = np.array(list(same))
        if size > 1:
            for row in rows.tolist():
                edges[row] = _join_trees(edges, row)
        edges[rows] = _relax_edges(edges[rows], tails, heads, begins)
    return int(edges[-1, 0]) + 1


def _join_trees(edges: NDArray[np.float64], row: int) -> NDArray[np.float64]:
    """Return the least cost of two trees with the same root that divide the goals of a set."""
    rest = row & (row - 1)  # the lowest goal always goes to the other half
    halves = []
    half = rest
    while half:
        halves.append(half)
        half = (half - 1) & rest
    parts = np.array(halves)
    best: NDArray[np.float64] = (edges[parts] + edges[row ^ parts]).min(axis=0)
    return best


def _relax_edges(
    costs: NDArray[np.float64],
    tails: NDArray[np.int64],
    heads: NDArray[np.int64],
    begins: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Extend trees to all nodes that lead to their root, at a cost of 1 for each edge."""
    while True:
        through = np.minimum.reduceat(costs[:, heads], begins, axis=1) + 1
        if not (through < costs[:, tails]).any():
            return costs
        costs[:, tails] = np.minimum(costs[:, tails], through)


def _nearest_first_size(below: list[list[int]], goals: list[int]) -> int:
    """Return the size of a tree from node 0 that repeatedly grows to the nearest goal."""
    tree, left = {0}, set(goals)
    while left:
        above = dict.fromkeys(tree, -1)
        for each in (queue := sorted(tree)):
            if each in left:
                break
            fresh = [head for head in below[each] if head not in above]
            above.update(dict.fromkeys(fresh, each))
            queue += fresh
        while each not in tree:
            tree.add(each)
            each = above[each]
        left -= tree
    return len(tree)
