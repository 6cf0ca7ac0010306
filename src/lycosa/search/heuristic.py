"""Contract of heuristics for multiple-goal search (Davidov & Markovitch 2002).

A heuristic gives every open node a value; the search expands the highest next, as higher
scores are better everywhere in Lycosa. The paper minimises: a heuristic that estimates a
distance returns minus the distance.

Unlike in a single-goal search, the value of an open node may change when nodes are expanded or
goals found. Rescoring all open nodes after every step would be slow, so the contract is:
**values only fall, unless the heuristic reports a rise.** Stored values are then never too
low, and only the top of the heap is rescored. `expanded` and `found` return True if a value
may have risen; the search then rescores all open nodes. Either way every choice equals the one
that rescoring all nodes before each step would give.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lycosa.errors import ContractError, UsageError

Node = TypeVar("Node", bound=Hashable)
Node_contra = TypeVar("Node_contra", bound=Hashable, contravariant=True)

_MIN_WEIGHT = 1e-200  # a lower weight counts as 0: distances divided by it would overflow


class Heuristic(Protocol[Node_contra]):
    """Value of open nodes. Subclass it; use one object for one search.

    The search calls `expanded` for each expansion, then `found` for each goal among the
    successors, and `value` after that.
    """

    @abstractmethod
    def value(self, node: Node_contra, /) -> float:
        """Return the value of an open node, higher first; never NaN."""

    def tie(self, node: Node_contra, /) -> float:
        """Return the order of nodes with equal values, higher first, then first in, first out.

        The contract holds for the pair: while the value stays, the tie only falls.
        """
        return 0.0

    def expanded(self, node: Node_contra, successors: Sequence[Node_contra], /) -> bool:
        """Take note of an expansion; return whether a value may have risen.

        `successors` has new and known nodes.
        """
        return False

    def found(self, node: Node_contra, weight: float, /) -> bool:
        """Take note of a found goal; return whether a value may have risen."""
        return False


class BreadthFirst(Heuristic[Hashable]):
    """Uninformed search: all values are equal, so nodes are expanded first in, first out."""

    def value(self, node: Hashable) -> float:
        """Return 0."""
        return 0.0


class DistanceHeuristic(Heuristic[Node], Generic[Node]):
    """Base class of heuristics over the distances to known goals, or to groups of goals.

    * `distances`: returns the estimated distance of a node to each goal, or to each group of
      goals; infinite is allowed;
    * `group`: returns the number of the distance that a goal node belongs to, None if to none;
      for example the `get` method of a dictionary;
    * `weights`: importance of each distance, 1 if not given;
    * `fade`: factor of the weight of a found goal. At 1 found goals go on attracting the
      search, at 0 they are ignored.
    """

    def __init__(
        self,
        distances: Callable[[Node], NDArray[np.float64]],
        group: Callable[[Node], int | None],
        *,
        weights: ArrayLike | None = None,
        fade: float = 1.0,
    ) -> None:
        if not 0 <= fade <= 1:
            raise UsageError(f"The factor by which found goals fade is from 0 to 1, not {fade!r}.")
        self._distances = distances
        self._group = group
        self._fade = fade
        self._known = weights is not None
        self._weigh(np.array(() if weights is None else weights, np.float64))

    def found(self, node: Node, weight: float, /) -> bool:
        """Reduce the weight of the goal."""
        self._fade_goal(node)
        return False

    def _fade_goal(self, node: Node) -> bool:
        """Reduce the weight of a goal; return whether that changed anything."""
        group = self._group(node)
        if group is None or self._fade == 1:
            return False
        weights = np.ones(len(self._row(node))) * self._weights
        if not 0 <= group < len(weights):
            raise ContractError(
                f"Goal {node!r} belongs to distance {group}, but there are {len(weights)}; "
                "`group` must give a number below that, or None."
            )
        weights[group] *= self._fade
        self._weigh(weights)
        return True

    def _weigh(self, weights: NDArray[np.float64]) -> None:
        if weights.ndim != 1 or not (np.isfinite(weights) & (weights >= 0)).all():
            raise UsageError("Weights must be a list of finite numbers, none below 0.")
        self._weights = weights
        self._live = np.flatnonzero(weights > _MIN_WEIGHT)
        self._farther = 1 / weights[self._live]

    def _row(self, node: Node) -> NDArray[np.float64]:
        """Return the distances of a node to all goals."""
        row = self._distances(node)
        if len(row) != len(self._weights):
            if self._known:
                raise ContractError(
                    f"There are {len(self._weights)} goals, but {len(row)} distances of {node!r}; "
                    "`distances` must give one for each."
                )
            self._known = True
            self._weigh(np.ones(len(row)))
        return row

    def _nearest(self, node: Node) -> float:
        """Return the least distance to a goal that counts; at weight 1/2 a goal is twice as far."""
        row = self._row(node)[self._live] * self._farther
        return float(row.min(initial=np.inf))
