"""A heuristic made by hand, as a part of a yield spider.

It is asked about a link on the first few pages that lead there. What is
approximated: a better anchor on a later page is not seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Page, Step
from lycosa.search.partial_yield import PartialYield
from lycosa.spiders.explanation import Opinion
from lycosa.spiders.keywords import Keywords
from lycosa.spiders.yields.estimate import Column


class Hand:
    """The best that a heuristic said of a link."""

    def __init__(self, heuristic: Keywords) -> None:
        self.name = heuristic.name
        self._heuristic = heuristic

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """Nothing was said."""
        self._heuristic.start(budget)
        self._best = Column()

    @property
    def nbytes(self) -> int:
        """The memory of its arrays."""
        return self._best.nbytes

    def observe(self, step: Step, fresh: NDArray[np.intp], changed: Sequence[int]) -> Ints:
        """Ask about the links of the page, if any of them is fresh."""
        if len(fresh):
            targets = step.page.targets[fresh]
            scores = self._heuristic.score_some(step.page, fresh)
            self._best[targets] = np.maximum(self._best[targets], scores)
        return NO_INTS

    def estimates(self, numbers: Ints) -> NDArray[np.float32]:
        """What was said of links."""
        return self._best[numbers]

    def said(self, numbers: Ints) -> NDArray[np.float32]:
        """The same, of links that were followed since."""
        return self._best[numbers]

    def explain(self, page: Page, index: int) -> tuple[Opinion, ...]:
        """The words of this link; the best that was said may be of another."""
        (mine,) = self._heuristic.explain(page, index)
        best = self._best.at(int(page.targets[index]))
        if best <= np.float32(mine.value):
            return (mine._replace(value=best),)
        other = f"a link on another page said more than this one, which says {mine.value:.3g}"
        return (mine._replace(value=best, about=other),)
