"""Parallel: every reward counts, discounted by its distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lycosa.sites.graph import Graph
from lycosa.spiders.criteria.criterion import check_gamma, targets
from lycosa.spiders.criteria.reach import rings


@dataclass(frozen=True, slots=True)
class Parallel:
    """The number of rewards at each distance times gamma to that distance, summed:
    Future(Parallel) (Motahari Nezhad & Barfourosh, figure 3).

    As if all rewards were fetched in parallel; the value has no bound. The
    figure gives no maximum distance, so all rewards count.

    >>> graph = Graph.from_edges(4, [0, 1, 1], [1, 2, 3])
    >>> Parallel(gamma=0.5)(graph, np.array([0.0, 0.0, 1.0, 1.0])).tolist()
    [0.5, 1.0, 1.0, 1.0]
    """  # noqa: D205

    name: ClassVar[str] = "parallel"
    """The key in `CRITERIA`."""

    gamma: float = 0.5
    """The discount for each step; between 0 and 1, both excluded."""

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    def __call__(self, graph: Graph, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every page the value of a link to it."""
        values = np.zeros(len(graph))
        discounts = [1.0]  # multiplied one by one, see `powers`
        for ring in rings(graph, targets(graph, rewards)):
            while len(discounts) <= ring.distance:
                discounts.append(discounts[-1] * self.gamma)
            values[ring.pages] += ring.counts * discounts[ring.distance]
        return values
