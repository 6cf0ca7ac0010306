"""The sum heuristic of Davidov & Markovitch 2002: how far all goals are together."""

from __future__ import annotations

from lycosa.search.heuristic import DistanceHeuristic, Node


class SumOfDistances(DistanceHeuristic[Node]):
    """Minus the sum of the distances to all goals: H(n) = -sum over g of weight(g) h(n, g).

    It prefers the side where most goals lie. With goals all around it tries to
    approach all of them at once, and stays in the middle. As in the paper's
    comparison nothing fades by default. Where goals do fade, values rise, and
    every goal found costs a look at all waiting nodes.

    >>> import numpy as np
    >>> heuristic = SumOfDistances(lambda n: abs(np.array([2.0, 9.0]) - n), {2: 0}.get, fade=0)
    >>> heuristic.value(3)
    -7.0
    >>> heuristic.found(2, 1.0), heuristic.value(3)
    (True, -6.0)
    """

    def value(self, node: Node) -> float:
        """Minus the weighted sum over the goals that count."""
        row = self._row(node)[self._live]
        return -float(row @ self._weights[self._live])

    def found(self, node: Node, weight: float, /) -> bool:
        """Let the goal fade; then the nodes far from it gain."""
        return self._faded(node)
