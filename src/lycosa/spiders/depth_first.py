"""Depth-first: follow the links of the newest page first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, Step
from lycosa.snapshots import StateReader, StateWriter


class DepthFirst:
    """A policy that follows the links of the page fetched last, in the order of the page.

    A waiting link that is found again on a newer page moves up with it, as
    it does in the textbook search (Cormen et al., "Introduction to
    Algorithms", chapter on elementary graph algorithms).

    >>> from lycosa.content import Table, Tables
    >>> page = Page(0, Tables(Table(), Table(["a"]), Table()), np.array([1, 2], np.int32))
    >>> spider = DepthFirst()
    >>> spider.start(Budget())
    >>> spider.observe(Step(7, page, 0.0))
    >>> spider.score(page)
    array([7., 7.])
    """

    name = "depth-first"

    def __init__(self) -> None:
        self._n = 0

    def start(self, budget: Budget) -> None:
        """Reset."""
        self._n = 0

    def save(self, state: StateWriter) -> None:
        """Save the number of the step."""
        state.value("n", self._n)

    def restore(self, state: StateReader) -> None:
        """Take over the number of the step."""
        self._n = state.value("n")

    def observe(self, step: Step) -> None:
        """Store the number of the step."""
        self._n = step.n

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the number of the step for every link."""
        return np.full(len(page.targets), float(self._n))
