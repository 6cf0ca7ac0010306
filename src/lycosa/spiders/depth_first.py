"""Depth-first: follow the links of the newest page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, Step


class DepthFirst:
    """Links of the page that came back last go first, in the order they stand there.

    A link that waits and is seen again on a newer page moves up with it, as
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
        """Back to the first page."""
        self._n = 0

    def observe(self, step: Step) -> None:
        """Remember how new the page is."""
        self._n = step.n

    def score(self, page: Page) -> NDArray[np.float64]:
        """The newer the page, the better its links."""
        return np.full(len(page.targets), float(self._n))
