"""Inferring yield from partial yield (Davidov & Markovitch 2002): ask the brothers.

When a page is counted, what its ancestors promise of their other children
changes. Those children are given new scores only if the promise moved by more
than a `tolerance` since they were last told: a mean over m children moves by
less than 1/m with the next, so a page with a thousand links tells them a few
dozen times, not a thousand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Page, Step
from lycosa.search.partial_yield import PartialYield
from lycosa.spiders.explanation import Opinion
from lycosa.spiders.yields.estimate import Column


class Brothers:
    """The yield of a link is that of the links beside it, as far as they were followed."""

    name = "partial"

    def __init__(self, tolerance: float = 0.05) -> None:
        self._tolerance = tolerance

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """Nothing was told to anybody."""
        self._tree = tree
        self._told = Column()
        self._level = tree.level

    @property
    def nbytes(self) -> int:
        """The memory of its arrays."""
        return self._told.nbytes

    def observe(self, step: Step, fresh: NDArray[np.intp], changed: Sequence[int]) -> Ints:
        """Tell the brothers, uncles and so on of the page, where there is news."""
        tree = self._tree
        if tree.level != self._level:  # all promises are others, and all links were told
            self._told, self._level = Column(), tree.level
        told = self._told
        *ancestors, page = changed
        parts = []
        for node in ancestors:
            promise = tree.promise(node)
            known = told.at(node)
            if abs(promise - known) > self._tolerance * known:
                told.put(node, promise)
                parts.append(tree.waiting_children(node))
        told.put(page, tree.promise(page))  # its links are scored right now
        return np.concatenate(parts) if parts else NO_INTS

    def estimates(self, numbers: Ints) -> NDArray[np.float64]:
        """What the pages that link there promise."""
        return self._tree.estimates(numbers)

    def said(self, numbers: Ints) -> NDArray[np.float32]:
        """What they had promised when the page was fetched."""
        return self._tree.expected(numbers)

    def explain(self, page: Page, index: int) -> tuple[Opinion, ...]:
        """No words: what the pages that link there promise."""
        value = float(self.estimates(page.targets[index : index + 1])[0])
        return (Opinion(self.name, value, about="what links on the same pages have yielded"),)
