"""Minimal-distance heuristic, the single-goal baseline of Davidov & Markovitch 2002."""

from __future__ import annotations

from lycosa.search.heuristic import DistanceHeuristic, Node


class MinimalDistance(DistanceHeuristic[Node]):
    """Values a node by minus the distance to the nearest goal.

    H(n) = -min over g of h(n, g) / weight(g). It suits a search that ends at the first goal. For
    many goals it ignores where goals are dense, and found goals go on attracting it. As in the
    paper's comparison found goals keep their weight by default; with `fade=0` the search
    heads for the nearest goal not yet found. Values only fall.

    >>> import numpy as np
    >>> heuristic = MinimalDistance(lambda n: abs(np.array([2.0, 9.0]) - n), {2: 0}.get, fade=0)
    >>> heuristic.value(3)
    -1.0
    >>> heuristic.found(2, 1.0), heuristic.value(3)
    (False, -6.0)
    """

    def value(self, node: Node) -> float:
        """Return minus the distance to the nearest goal that counts, minus infinity without any."""
        return -self._nearest(node)
