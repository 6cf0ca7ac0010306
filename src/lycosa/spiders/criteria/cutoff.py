"""Cutoff: rewards one after the other, level by level, and 0 below a bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lycosa.errors import UsageError
from lycosa.sites.graph import Graph
from lycosa.spiders.criteria.criterion import check_gamma, targets
from lycosa.spiders.criteria.powers import powers
from lycosa.spiders.criteria.reach import rings

LEVELS = 10
"""Distances that count, from 0, the page itself, to 9."""
_TOLERANCE = 1e-12  # relative: a sum of powers that should equal the cutoff may be a bit below


@dataclass(frozen=True, slots=True)
class Cutoff:
    """Rewards are taken level by level; each takes one unit of time and so does
    the step to the next level (Motahari Nezhad & Barfourosh, figure 3).

    Ten levels count, level 0 is the page itself. A value below `cutoff` becomes
    0. The paper gives no cutoff: 0.1 keeps, with gamma 0.5, a single reward
    three steps away, as Future(Five) does, and drops it further away.

    >>> graph = Graph.from_edges(4, [0, 1, 1], [1, 2, 3])
    >>> Cutoff(gamma=0.5)(graph, np.array([0.0, 0.0, 1.0, 1.0])).tolist()
    [0.375, 0.75, 1.0, 1.0]
    >>> Cutoff(gamma=0.5, cutoff=0.4)(graph, np.array([0.0, 0.0, 1.0, 1.0])).tolist()
    [0.0, 0.75, 1.0, 1.0]
    """  # noqa: D205

    name: ClassVar[str] = "cutoff"
    """The key in `CRITERIA`."""

    gamma: float = 0.5
    """The discount for each step; between 0 and 1, both excluded."""
    cutoff: float = 0.1
    """The value below which a value becomes 0; 0 cuts nothing off."""

    def __post_init__(self) -> None:
        check_gamma(self.gamma)
        if not 0 <= self.cutoff < np.inf:
            raise UsageError(f"cutoff must be a number, 0 or more; it was {self.cutoff}.")

    def __call__(self, graph: Graph, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every page the value of a link to it."""
        depth = np.zeros((LEVELS, len(graph)), np.int64)
        for ring in rings(graph, targets(graph, rewards), LEVELS - 1):
            depth[ring.distance, ring.pages] += ring.counts
        score = np.zeros(len(graph))
        count = np.zeros(len(graph), np.int64)
        discounts = powers(self.gamma, int(depth.sum(axis=0).max(initial=0)) + LEVELS)
        # The figure's inner loop adds gamma ** count once for each reward of the level.
        sums = np.append(0.0, np.cumsum(discounts[: depth.max(initial=0)]))
        for found in depth:
            score += discounts[count] * sums[found]
            count += found + 1
        score[score < self.cutoff * (1 - _TOLERANCE)] = 0.0
        return score
