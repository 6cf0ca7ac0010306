"""Immediate: whether the page is a target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lycosa.sites.graph import Graph
from lycosa.spiders.criteria.criterion import targets


@dataclass(frozen=True, slots=True)
class Immediate:
    """1 if the link leads to a target, else 0: no future reward counts
    (Rennie & McCallum 1999, section 3; Motahari Nezhad & Barfourosh, figure 3).

    >>> graph = Graph.from_edges(3, [0, 1], [1, 2])
    >>> Immediate()(graph, np.array([0.0, 0.0, 2.5])).tolist()
    [0.0, 0.0, 1.0]
    """  # noqa: D205

    name: ClassVar[str] = "immediate"
    """The key in `CRITERIA`."""

    def __call__(self, graph: Graph, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every page the value of a link to it."""
        values = np.zeros(len(graph))
        values[targets(graph, rewards)] = 1.0
        return values
