"""Estimate a link's yield from its siblings: partial yield (Davidov & Markovitch 2002).

When a page is counted, the partial yield of its ancestors changes, and with it
the estimate of their other children. Those children are rescored only if the
partial yield moved by more than a `tolerance` since the last time: a mean over
m children moves by less than 1/m with the next one, so the links of a page with
a thousand links are rescored a few dozen times, not a thousand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Page, ScoreContribution, Step
from lycosa.search.partial_yield import PartialYield
from lycosa.spiders.yields.estimate import GrowingColumn


class SiblingEstimate:
    """Estimates the yield of a link by the mean yield of its siblings that were followed.

    `tolerance` is the relative change of a page's partial yield below which its
    waiting links keep their scores.
    """

    name = "partial"

    def __init__(self, tolerance: float = 0.05) -> None:
        self._tolerance = tolerance

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """Reset."""
        self._tree = tree
        self._published = GrowingColumn()
        self._level = tree.level

    @property
    def nbytes(self) -> int:
        """The size of its arrays in bytes."""
        return self._published.nbytes

    def observe(self, step: Step, fresh: NDArray[np.intp], changed: Sequence[int]) -> Ints:
        """Return the waiting siblings, uncles and so on of the page whose estimate changed."""
        tree = self._tree
        if tree.level != self._level:  # the policy has rescored every link
            self._published, self._level = GrowingColumn(), tree.level
        published = self._published
        *ancestors, page = changed
        parts = []
        for node in ancestors:
            promise = tree.promise(node)
            known = published.at(node)
            if abs(promise - known) > self._tolerance * known:
                published.put(node, promise)
                parts.append(tree.waiting_children(node))
        published.put(page, tree.promise(page))  # its links are scored in this step
        return np.concatenate(parts) if parts else NO_INTS

    def estimates(self, numbers: Ints) -> NDArray[np.float64]:
        """Return the partial yields of the pages that link to these URLs."""
        return self._tree.estimates(numbers)

    def last_estimates(self, numbers: Ints) -> NDArray[np.float32]:
        """Return the partial yields at the time the pages were fetched."""
        return self._tree.expected(numbers)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the estimate; words play no part in it."""
        value = float(self.estimates(page.targets[index : index + 1])[0])
        return (
            ScoreContribution(self.name, value, about="the mean yield of links on the same pages"),
        )
