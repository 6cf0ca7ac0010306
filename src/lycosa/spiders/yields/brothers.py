"""Inferring yield from partial yield (Davidov & Markovitch 2002): ask the brothers.

When a page is counted, what its ancestors promise of their other children
changes. Those children are given new scores only if the promise moved by more
than `TOLERANCE` since they were last told: a mean over m children moves by less
than 1/m with the next, so a page with a thousand links tells them a few dozen
times, not a thousand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Step
from lycosa.search.partial_yield import PartialYield
from lycosa.spiders.yields.part import Column

TOLERANCE = 0.05


class Brothers:
    """The yield of a link is that of the links beside it, as far as they were followed."""

    name = "partial"

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """Nothing was told to anybody."""
        self._tree = tree
        self._told = Column()

    def observe(self, step: Step, changed: Ints) -> Ints:
        """Tell the brothers, uncles and so on of the page, where there is news."""
        promises = self._tree.promises(changed)
        known = self._told[changed]
        news = np.abs(promises - known) > TOLERANCE * known
        news[-1] = False  # the page itself: its links are scored right now
        self._told[changed[news]] = promises[news]
        self._told[changed[-1:]] = promises[-1:]
        parts = [self._tree.waiting_children(node) for node in changed[news].tolist()]
        return np.concatenate(parts) if parts else NO_INTS

    def estimates(self, numbers: Ints) -> NDArray[np.float64]:
        """What the pages that link there promise."""
        return self._tree.estimates(numbers)
