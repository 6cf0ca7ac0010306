"""The keyword heuristic as a yield estimate.

A link is scored on the first few pages that contain it. Approximation: a better
anchor on a later page is not seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Page, ScoreContribution, Step
from lycosa.search.partial_yield import PartialYield
from lycosa.spiders.keywords import Keywords
from lycosa.spiders.yields.estimate import GrowingColumn


class KeywordEstimate:
    """Estimates the yield of a link by its highest keyword score on any page.

    `heuristic` scores the links; the estimate takes its name.
    """

    def __init__(self, heuristic: Keywords) -> None:
        self.name = heuristic.name
        self._heuristic = heuristic

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """Reset."""
        self._heuristic.start(budget)
        self._best = GrowingColumn()

    @property
    def nbytes(self) -> int:
        """The size of its arrays in bytes."""
        return self._best.nbytes

    def observe(self, step: Step, fresh: NDArray[np.intp], changed: Sequence[int]) -> Ints:
        """Score the fresh links of the page; the policy rescores nothing for them."""
        if len(fresh):
            targets = step.page.targets[fresh]
            scores = self._heuristic.score_some(step.page, fresh)
            self._best[targets] = np.maximum(self._best[targets], scores)
        return NO_INTS

    def estimates(self, numbers: Ints) -> NDArray[np.float32]:
        """Return the highest scores of waiting links."""
        return self._best[numbers]

    def last_estimates(self, numbers: Ints) -> NDArray[np.float32]:
        """Return the highest scores of followed links."""
        return self._best[numbers]

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the effects of this link's words; the highest score may be another link's."""
        (this,) = self._heuristic.explain(page, index)
        best = self._best.at(int(page.targets[index]))
        if best <= np.float32(this.value):
            return (this._replace(value=best),)
        other = f"from a link on another page; this one scores {this.value:.3g}"
        return (this._replace(value=best, about=other),)
