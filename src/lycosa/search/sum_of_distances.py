"""Sum heuristic for multiple goals (Davidov & Markovitch 2002)."""

from __future__ import annotations

from lycosa.search.heuristic import DistanceHeuristic, Node


class SumOfDistances(DistanceHeuristic[Node]):
    """Values a node by minus the weighted sum of the distances to all goals.

    H(n) = -sum over g of weight(g) h(n, g). It prefers the side with most goals. With goals on
    all sides it approaches all of them at once, and stays in the middle. As in the paper's
    comparison found goals keep their weight by default. With `fade` below 1 values rise, and
    every found goal makes the search rescore all open nodes.

    >>> import numpy as np
    >>> heuristic = SumOfDistances(lambda n: abs(np.array([2.0, 9.0]) - n), {2: 0}.get, fade=0)
    >>> heuristic.value(3)
    -7.0
    >>> heuristic.found(2, 1.0), heuristic.value(3)
    (True, -6.0)
    """

    def value(self, node: Node) -> float:
        """Return minus the weighted sum over the goals that count."""
        row = self._row(node)[self._live]
        return -float(row @ self._weights[self._live])

    def found(self, node: Node, weight: float, /) -> bool:
        """Reduce the weight of the goal, which raises the values of nodes far from it."""
        return self._fade_goal(node)
