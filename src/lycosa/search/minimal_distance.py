"""The traditional heuristic, how far the nearest goal is, as Davidov & Markovitch 2002 compare."""

from __future__ import annotations

from lycosa.search.heuristic import DistanceHeuristic, Node


class MinimalDistance(DistanceHeuristic[Node]):
    """Minus the distance to the nearest goal: H(n) = -min over g of h(n, g) / weight(g).

    Right for a search that ends at the first goal. For many goals it is
    short-sighted: it does not see where goals are dense, and the goals it has
    found go on attracting it. As in the paper's comparison nothing fades by
    default; with `fade=0` it goes for the nearest goal not yet found. Values
    only fall.

    >>> import numpy as np
    >>> heuristic = MinimalDistance(lambda n: abs(np.array([2.0, 9.0]) - n), {2: 0}.get, fade=0)
    >>> heuristic.value(3)
    -1.0
    >>> heuristic.found(2, 1.0), heuristic.value(3)
    (False, -6.0)
    """

    def value(self, node: Node) -> float:
        """Minus the distance to the nearest goal that counts; without any, minus infinity."""
        return -self._nearest(node)
