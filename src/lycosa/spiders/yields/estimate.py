"""The interface of yield estimates, and a column of numbers by URL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Page, ScoreContribution, Step
from lycosa.search.partial_yield import PartialYield


class Estimate(Protocol):
    """One estimate of the yield of links; all estimates of a policy share one set of counters."""

    name: str
    """The name in explanations of scores."""

    @property
    def nbytes(self) -> int:
        """The size of its arrays in bytes, without the shared counters."""

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """Begin a new crawl; `tree` holds the counters, which the policy updates."""

    def observe(self, step: Step, fresh: NDArray[np.intp], changed: Sequence[int]) -> Ints:
        """Learn from a page that was counted; return the waiting links to rescore.

        `fresh` are the indices of the page's targets that wait and are linked
        from a few known pages at most; the estimates of the others stay as they
        are. `changed` are the pages whose partial yield changed, the page itself
        last. The numbers returned exclude the links of the page itself.
        """

    def estimates(self, numbers: Ints) -> NDArray[Any]:
        """Return the present estimates of waiting links."""

    def last_estimates(self, numbers: Ints) -> NDArray[Any]:
        """Return the estimates that followed links had when they were followed."""

    def explain(self, page: Page, index: int) -> Sequence[ScoreContribution]:
        """Return what makes up the estimate of link number `index` of a page."""


class GrowingColumn:
    """An array with a number for every URL, 0 until it is set, that grows on demand."""

    def __init__(self) -> None:
        self._values = np.zeros(1024, np.float32)

    def __getitem__(self, numbers: Ints) -> NDArray[np.float32]:
        try:
            return self._values.take(numbers)
        except IndexError:
            self._grow(int(numbers.max()) + 1)
            return self._values.take(numbers)

    def __setitem__(self, numbers: Ints, values: NDArray[Any]) -> None:
        try:
            self._values[numbers] = values
        except IndexError:
            self._grow(int(numbers.max()) + 1)
            self._values[numbers] = values

    def at(self, number: int) -> float:
        """Return the number of a single URL."""
        return float(self._values.item(number)) if number < len(self._values) else 0.0

    def put(self, number: int, value: float) -> None:
        """Set the number of a single URL."""
        if number >= len(self._values):
            self._grow(number + 1)
        self._values[number] = value

    @property
    def nbytes(self) -> int:
        """The size of the array in bytes."""
        return self._values.nbytes

    def _grow(self, size: int) -> None:
        added = size + size // 4 - len(self._values)
        self._values = np.concatenate((self._values, np.zeros(added, np.float32)))
