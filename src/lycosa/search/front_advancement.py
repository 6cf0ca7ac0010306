"""Front advancement, the heuristic of Davidov & Markovitch 2002 for many goals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lycosa.search.heuristic import DistanceHeuristic, Node


class FrontAdvancement(DistanceHeuristic[Node]):
    """How many goals a node is nearer to than everything expanded so far.

    H(n) = sum of weight(g) over the goals g with h(n, g) < min over closed c of
    h(c, g). Progress towards one goal counts, whatever it costs with the others,
    so the search does not stay in the middle as the sum of distances does. A
    found goal is forgotten (`fade=0`) unless told otherwise. Values only fall.

    Where a wall stands in the way no node makes progress and all values are 0.
    Of equal nodes the one nearest to a goal that still counts goes first; with
    `nearest=False` it is first in, first out, which finds much less.

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
        self._front: float | NDArray[np.float64] = np.inf  # of all expanded nodes, the least

    def value(self, node: Node) -> float:
        """The weight of the goals that the node is nearer to than the front."""
        ahead = self._row(node) < self._front
        # All weights, also those that are 0: a sum in fixed order cannot rise by rounding.
        return float(self._weights.dot(ahead))

    def tie(self, node: Node) -> float:
        """Minus the distance to the nearest goal that counts."""
        return -self._nearest(node) if self._nearest_first else 0.0

    def expanded(self, node: Node, successors: Sequence[Node], /) -> bool:
        """Advance the front."""
        self._front = np.minimum(self._front, self._row(node))
        return False
