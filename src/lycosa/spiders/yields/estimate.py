"""What the parts of a yield spider have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Step
from lycosa.search.partial_yield import PartialYield


class Part(Protocol):
    """One opinion of what links are worth; all parts see the same counters."""

    name: str

    @property
    def nbytes(self) -> int:
        """The memory of its arrays, without those of the counters."""

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """A new crawl begins."""

    def observe(self, step: Step, fresh: NDArray[np.intp], changed: Sequence[int]) -> Ints:
        """A page came back and was counted.

        `fresh` are the places of those of its targets that wait and are known
        from a few pages at most; of the others the page has nothing new to say.
        `changed` are the pages that promise something else now, the page itself
        the last of them. Returned are the numbers of waiting links that are
        now worth something else, without those of the page.
        """

    def estimates(self, numbers: Ints) -> NDArray[Any]:
        """What links that were seen and wait are worth."""

    def said(self, numbers: Ints) -> NDArray[Any]:
        """What was last said of links that were followed since."""


class Column:
    """A number for every URL, 0 for those that were not seen."""

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
        """The number of a single URL."""
        return float(self._values.item(number)) if number < len(self._values) else 0.0

    def put(self, number: int, value: float) -> None:
        """Set the number of a single URL."""
        if number >= len(self._values):
            self._grow(number + 1)
        self._values[number] = value

    @property
    def nbytes(self) -> int:
        """The memory of the array."""
        return self._values.nbytes

    def _grow(self, size: int) -> None:
        more = size + size // 4 - len(self._values)
        self._values = np.concatenate((self._values, np.zeros(more, np.float32)))
