"""Distance table: a few levels, by the distance and the number of rewards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lycosa.sites.graph import Graph
from lycosa.spiders.criteria.criterion import targets
from lycosa.spiders.criteria.reach import rings

MIN_REWARDS_OF_LAST_ROW = 101

COLUMN_STARTS = (1, 3, 5)
"""The distances at which the table's columns 1-2, 3-4 and 5+ begin."""

VALUES: NDArray[np.float64] = np.array([[1.0, 0.250, 0.063, 0.016], [1.0, 0.500, 0.125, 0.031]])
VALUES.setflags(write=False)


@dataclass(frozen=True, slots=True)
class DistanceTable:
    """The value of the Distance spider, read from a table (Zhang's slides on
    Rennie & McCallum 1999, "Distance Spider").

    | Rewards | 0     | 1-2   | 3-4   | 5+    | never |
    |---------|-------|-------|-------|-------|-------|
    | 0       |       |       |       |       | 0.000 |
    | 1-100   | 1.000 | 0.250 | 0.063 | 0.016 |       |
    | 101+    | 1.000 | 0.500 | 0.125 | 0.031 |       |

    The copy of the slide is damaged and is read as follows. Its last column, "8",
    is an infinity sign. "Max reward" is the number of rewards that can be reached
    from the page, at any distance. Distance 0 has the value 1.000 in both rows,
    because the spider must "rank research papers above all others".

    >>> graph = Graph.from_edges(4, [0, 1], [1, 2])
    >>> DistanceTable()(graph, np.array([0.0, 0.0, 1.0, 0.0])).tolist()
    [0.25, 0.25, 1.0, 0.0]
    """  # noqa: D205

    name: ClassVar[str] = "distance-table"
    """The key in `CRITERIA`."""

    def __call__(self, graph: Graph, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every page the value of a link to it."""
        goals = targets(graph, rewards)
        distances = graph.reverse().distances(goals)
        reachable = np.zeros(len(graph), np.int64)
        for ring in rings(graph, goals):
            reachable[ring.pages] += ring.counts
        row = (reachable >= MIN_REWARDS_OF_LAST_ROW).astype(np.int64)
        column = np.searchsorted(COLUMN_STARTS, distances, side="right")
        return np.where(distances < 0, 0.0, VALUES[row, column])
