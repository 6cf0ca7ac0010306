"""Future(Three), Future(Four), Future(Five): the discounted distance up to a limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lycosa.sites.graph import Graph
from lycosa.spiders.criteria.criterion import check_gamma, targets
from lycosa.spiders.criteria.powers import powers


@dataclass(frozen=True, slots=True)
class FutureThree:
    """1 for immediate reward, gamma for any future reward, zero for none
    (Motahari Nezhad & Barfourosh, figure 3).

    >>> graph = Graph.from_edges(5, [0, 1, 2], [1, 2, 3])
    >>> FutureThree(gamma=0.5)(graph, np.array([0.0, 0.0, 0.0, 1.0, 0.0])).tolist()
    [0.5, 0.5, 0.5, 1.0, 0.0]
    """  # noqa: D205

    name: ClassVar[str] = "future-three"
    """The key in `CRITERIA`."""

    gamma: float = 0.5
    """The discount for each step; between 0 and 1, both excluded."""

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    def __call__(self, graph: Graph, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every page the value of a link to it."""
        distances = graph.reverse().distances(targets(graph, rewards))
        values = np.where(distances == 0, 1.0, self.gamma)
        values[distances < 0] = 0.0
        return values


@dataclass(frozen=True, slots=True)
class FutureFour:
    """1 for immediate reward, gamma for one step, gamma^2 for two steps, zero for
    none (Motahari Nezhad & Barfourosh, figure 3).

    None means none within two steps: what is further away has the value 0.

    >>> graph = Graph.from_edges(5, [0, 1, 2], [1, 2, 3])
    >>> FutureFour(gamma=0.5)(graph, np.array([0.0, 0.0, 0.0, 1.0, 0.0])).tolist()
    [0.0, 0.25, 0.5, 1.0, 0.0]
    """  # noqa: D205

    name: ClassVar[str] = "future-four"
    """The key in `CRITERIA`."""

    gamma: float = 0.5
    """The discount for each step; between 0 and 1, both excluded."""

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    def __call__(self, graph: Graph, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every page the value of a link to it."""
        return _within(2, self.gamma, graph, rewards)


@dataclass(frozen=True, slots=True)
class FutureFive:
    """1 for immediate reward, gamma for one step, gamma^2 for two steps, gamma^3 for
    three steps, zero for none (Motahari Nezhad & Barfourosh, figure 3).

    None means none within three steps: what is further away has the value 0.

    >>> graph = Graph.from_edges(5, [0, 1, 2], [1, 2, 3])
    >>> FutureFive(gamma=0.5)(graph, np.array([0.0, 0.0, 0.0, 1.0, 0.0])).tolist()
    [0.125, 0.25, 0.5, 1.0, 0.0]
    """  # noqa: D205

    name: ClassVar[str] = "future-five"
    """The key in `CRITERIA`."""

    gamma: float = 0.5
    """The discount for each step; between 0 and 1, both excluded."""

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    def __call__(self, graph: Graph, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every page the value of a link to it."""
        return _within(3, self.gamma, graph, rewards)


def _within(
    steps: int, gamma: float, graph: Graph, rewards: NDArray[np.float64]
) -> NDArray[np.float64]:
    distances = graph.reverse().distances(targets(graph, rewards))
    # Distances that are too large or -1, unreachable, take the zero at the end.
    values = np.append(powers(gamma, steps + 1), 0.0)
    return values[np.where(distances > steps, -1, distances)]
