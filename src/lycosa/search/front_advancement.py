"""Front advancement heuristic for multiple goals (Davidov & Markovitch 2002)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lycosa.search.heuristic import DistanceHeuristic, Node


class FrontAdvancement(DistanceHeuristic[Node]):
    """Values a node by the weight of the goals it is nearer to than all expanded nodes.

    H(n) = sum of weight(g) over the goals g with h(n, g) < min over closed c of h(c, g).
    Progress towards one goal counts, whatever it costs with the others, so the search does
    not stay in the middle as with the sum of distances. By default a found goal loses all its
    weight (`fade=0`). Values only fall.

    Behind a wall no node makes progress and all values are 0. Then the node nearest to a goal
    that still counts goes first; with `nearest=False` ties are first in, first out, which
    finds far fewer goals.

    >>> import numpy as np
    >>> heuristic = FrontAdvancement(lambda n: abs(np.array([2.0, 9.0, 9.0]) - n), {2: 0}.get)
    >>> _ = heuristic.expanded(5, [4, 6])
    >>> heuristic.value(4), heuristic.value(6), heuristic.value(5)
    (1.0, 2.0, 0.0)
    >>> _ = heuristic.found(2, 1.0)
    >>> heuristic.value(4), heuristic.value(6)
    (0.0, 2.0)
    """

    def __init__(
        self,
        distances: Callable[[Node], NDArray[np.float64]],
        group: Callable[[Node], int | None],
        *,
        weights: ArrayLike | None = None,
        fade: float = 0.0,
        nearest: bool = True,
    ) -> None:
        super().__init__(distances, group, weights=weights, fade=fade)
        self._nearest_first = nearest
        self._front: float | NDArray[np.float64] = np.inf  # least distance of the expanded nodes

    def value(self, node: Node) -> float:
        """Return the weight of the goals that the node is nearer to than the front."""
        ahead = self._row(node) < self._front
        # Weights of 0 included: a sum over the same terms cannot rise by rounding.
        return float(self._weights.dot(ahead))

    def tie(self, node: Node) -> float:
        """Return minus the distance to the nearest goal that counts."""
        return -self._nearest(node) if self._nearest_first else 0.0

    def expanded(self, node: Node, successors: Sequence[Node], /) -> bool:
        """Move the front to the node where the node is nearer."""
        self._front = np.minimum(self._front, self._row(node))
        return False
