"""What a multiple-goal search asks of a heuristic (Davidov & Markovitch 2002).

A heuristic gives every waiting node a value; the highest is expanded next, as
scores everywhere in Lycosa are better the higher they are. The paper minimises:
a heuristic that estimates a distance gives minus the distance.

Unlike in a search for one goal, the value of a node may change while it waits,
because nodes were expanded or goals found meanwhile. Looking at all waiting
nodes after every step would be slow, so a heuristic makes a promise: **values
only ever fall, unless it says so.** What the search remembers of a waiting node
is then never too low, and only the first in line has to be looked at again.
`expanded` and `found` return True where some value may have risen; then all
waiting nodes are valued anew. Either way every choice is the one that valuing
all nodes before each step would give.
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

_MIN_WEIGHT = 1e-200  # a weight so low counts as 0: divided by it, distances would overflow


class Heuristic(Protocol[Node_contra]):
    """How promising a node is. Subclass it and define what differs; one object, one search.

    It is told of each expansion, then of the goals among the successors one by
    one, and is asked for values after that.
    """

    @abstractmethod
    def value(self, node: Node_contra, /) -> float:
        """How good it is to expand a node that waits, higher first; never NaN."""

    def tie(self, node: Node_contra, /) -> float:
        """Which of equal values goes first, higher first; then it is first in, first out.

        The promise holds for the pair: while the value stays, the tie only falls.
        """
        return 0.0

    def expanded(self, node: Node_contra, successors: Sequence[Node_contra], /) -> bool:
        """A node was expanded, into new nodes and known ones. True: some value may have risen."""
        return False

    def found(self, node: Node_contra, weight: float, /) -> bool:
        """A goal was found. True: some value may have risen."""
        return False


class BreadthFirst(Heuristic[Hashable]):
    """The blind one: all nodes are alike, so first in is first out."""

    def value(self, node: Hashable) -> float:
        """The same for all."""
        return 0.0


class DistanceHeuristic(Heuristic[Node], Generic[Node]):
    """What heuristics over known goals, or groups of goals, have in common.

    `distances` estimates how far a node is from each goal; infinite is allowed.
    With many goals it may be one distance for each group. `weights`, one for
    each distance, say how much they matter; 1 if not given.

    A found goal goes on attracting the search unless its weight is reduced: it
    is multiplied by `fade`, so 0 forgets the goal and 1 leaves it as it was.
    `group` says which of the distances a goal node belongs to, None if to none;
    the `get` of a dictionary will do.
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
            raise UsageError(f"A found goal fades by a factor from 0 to 1; give one, not {fade!r}.")
        self._distances = distances
        self._group = group
        self._fade = fade
        self._known = weights is not None
        self._weigh(np.array(() if weights is None else weights, np.float64))

    def found(self, node: Node, weight: float, /) -> bool:
        """Let the goal fade."""
        self._faded(node)
        return False

    def _faded(self, node: Node) -> bool:
        """Reduce the weight of a goal; says whether that changed anything."""
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
            raise UsageError("Weights are a list of finite numbers, none below 0; give such a one.")
        self._weights = weights
        self._live = np.flatnonzero(weights > _MIN_WEIGHT)
        self._farther = 1 / weights[self._live]

    def _row(self, node: Node) -> NDArray[np.float64]:
        """The distances of a node to all goals."""
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
        """The least distance to a goal that counts; one of weight 1/2 is twice as far."""
        row = self._row(node)[self._live] * self._farther
        return float(row.min(initial=np.inf))
