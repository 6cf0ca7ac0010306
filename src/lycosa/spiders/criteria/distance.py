"""Distance: the discounted distance to the nearest reward."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lycosa.sites.graph import Graph
from lycosa.spiders.criteria.criterion import check_gamma, targets
from lycosa.spiders.criteria.powers import powers


@dataclass(frozen=True, slots=True)
class Distance:
    """Gamma to the power of the distance to the nearest reward (Motahari Nezhad &
    Barfourosh, figure 3; Rennie & McCallum 1999, section 2.3, for a single reward).

    A link to a reward has distance 0 and so the value 1; where no reward can be
    reached the value is 0.

    >>> graph = Graph.from_edges(4, [0, 1], [1, 2])
    >>> Distance(gamma=0.5)(graph, np.array([0.0, 0.0, 1.0, 0.0])).tolist()
    [0.25, 0.5, 1.0, 0.0]
    """  # noqa: D205

    name: ClassVar[str] = "distance"
    """The key in `CRITERIA`."""

    gamma: float = 0.5
    """The discount for each step; between 0 and 1, both excluded."""

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    def __call__(self, graph: Graph, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every page the value of a link to it."""
        distances = graph.reverse().distances(targets(graph, rewards))
        discounts = powers(self.gamma, int(distances.max(initial=0)) + 1)
        return np.where(distances < 0, 0.0, discounts[np.maximum(distances, 0)])
