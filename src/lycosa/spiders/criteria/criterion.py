"""The interface of value criteria, and the checks of their arguments."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from lycosa.errors import UsageError
from lycosa.sites.graph import Graph


@runtime_checkable
class Criterion(Protocol):
    """The value of a link when the whole graph is known: the label of training examples.

    All links to one page have the same value, so it is a value of the page.
    """

    @property
    def name(self) -> str:
        """The name in `rl(LEARNER, NEIGHBOURHOOD, CRITERION)`."""

    def __call__(self, graph: Graph, rewards: NDArray[np.float64], /) -> NDArray[np.float64]:
        """Return for every page the value of a link to it.

        `rewards[n]` is the reward of page n, 0 for a page that is not a target.
        """


def check_gamma(gamma: float) -> None:
    """Refuse a discount that is not strictly between 0 and 1."""
    if not 0 < gamma < 1:
        raise UsageError(f"gamma must lie between 0 and 1, both excluded; it was {gamma}.")


def targets(graph: Graph, rewards: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the pages that have a reward, in the order of their numbers.

    >>> targets(Graph.from_edges(3, [0], [1]), np.array([0.0, 1.0, 0.5])).tolist()
    [1, 2]
    """
    if np.shape(rewards) != (len(graph),):
        raise UsageError(
            f"rewards must be one number for each of the {len(graph)} pages; "
            f"their shape was {np.shape(rewards)}."
        )
    if not np.isfinite(rewards).all() or (np.asarray(rewards) < 0).any():
        raise UsageError("rewards must be finite numbers and never negative.")
    return np.flatnonzero(rewards).astype(np.int64, copy=False)
