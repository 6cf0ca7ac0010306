"""What the parts of a yield spider have in common."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Step
from lycosa.search.partial_yield import PartialYield


class Part(Protocol):
    """One opinion of what links are worth; all parts see the same counters."""

    name: str

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """A new crawl begins."""

    def observe(self, step: Step, changed: Ints) -> Ints:
        """A page came back and was counted; `changed` are the pages that promise something else.

        Returned are the numbers of waiting links that are now worth something else.
        """

    def estimates(self, numbers: Ints) -> NDArray[np.float64]:
        """What links that were seen are worth."""


class Column:
    """A number for every URL, 0 for those that were not seen."""

    def __init__(self) -> None:
        self._values = np.zeros(1024, np.float32)

    def __getitem__(self, numbers: Ints) -> NDArray[np.float32]:
        self._make_room(numbers)
        return self._values[numbers]

    def __setitem__(self, numbers: Ints, values: NDArray[Any]) -> None:
        self._make_room(numbers)
        self._values[numbers] = values

    @property
    def nbytes(self) -> int:
        """The memory of the array."""
        return self._values.nbytes

    def _make_room(self, numbers: Ints) -> None:
        size = int(numbers.max(initial=-1)) + 1
        if size > len(self._values):
            more = size + size // 4 - len(self._values)
            self._values = np.concatenate((self._values, np.zeros(more, np.float32)))
