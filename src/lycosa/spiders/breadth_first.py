"""Breadth-first: follow links in the order of discovery."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, Step
from lycosa.snapshots import StateReader, StateWriter


class BreadthFirst:
    """The lower reference point: a policy that scores all links alike, first in, first out.

    Rennie & McCallum, "Using Reinforcement Learning to Spider the Web
    Efficiently" (1999), section 3: "follows hyperlinks in the order it finds
    them using a FIFO action queue".

    >>> from lycosa.content import Table, Tables
    >>> page = Page(0, Tables(Table(), Table(["a"]), Table()), np.array([1, 2, 3], np.int32))
    >>> BreadthFirst().score(page)
    array([0., 0., 0.])
    """

    name = "breadth-first"

    def start(self, budget: Budget) -> None:
        """Do nothing: there is no state."""

    def save(self, state: StateWriter) -> None:
        """Do nothing: there is no state."""

    def restore(self, state: StateReader) -> None:
        """Do nothing: there is no state."""

    def observe(self, step: Step) -> None:
        """Do nothing: nothing is learned."""

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return 0 for every link."""
        return np.zeros(len(page.targets))
