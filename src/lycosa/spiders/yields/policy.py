"""Yield: follow the link with the most expected targets per page below it.

Davidov & Markovitch 2002. With several estimates it is their "combined method",
a linear combination of the yield learned during the crawl and a fixed heuristic,
which leads to the first targets while there is nothing to learn from. At growing
intervals the weights are fitted, none negative, to the yields of the last pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Page, ScoreContribution, Scores, Step
from lycosa.search.contract import contract_depth
from lycosa.search.partial_yield import PartialYield
from lycosa.spiders.yields.estimate import Estimate
from lycosa.spiders.yields.similar_links import FIRST, GROWTH

LEVEL = 2
"""The depth of the yields that are learned, unless it is chosen from the budget."""
_MAX_FITTED_PAGES = 1000  # the weights are fitted to the latest
_CONTRACT_INTERVAL_PAGES = 10  # between two choices of the contract depth
_PRIOR_STRENGTH = 3.0  # of the ridge that holds the weights at their prior


class Yield:
    """A policy that scores a link by a weighted sum of yield estimates.

    Parameters
    ----------
    parts
        The estimates; the first, a heuristic, has the largest weight at the start.
    name
        The name in reports and results.
    level
        The depth of the yields that are learned, in links from a page.
    contract
        Whether the depth is chosen from the remaining budget; `level` is its maximum then.
    """

    def __init__(
        self, parts: Sequence[Estimate], name: str, *, level: int = LEVEL, contract: bool = False
    ) -> None:
        self.name = name
        self.parts = tuple(parts)
        self._level = level
        self._contract = contract

    def start(self, budget: Budget) -> None:
        """Reset the counters, the estimates and the weights."""
        self._budget = budget
        self.tree = PartialYield(self._level, level=self._level)
        for part in self.parts:
            part.start(budget, self.tree)
        # The first estimate, the heuristic, dominates until there is something to learn from.
        self.weights = np.where(np.arange(len(self.parts)) == 0, 1.0, 0.3)
        self._prior = 0.3 * self.weights
        self._pages: list[int] = []
        self._found = 0
        self._next = FIRST

    @property
    def nbytes(self) -> int:
        """The size of all arrays in bytes."""
        return self.tree.nbytes + sum(part.nbytes for part in self.parts)

    def observe(self, step: Step) -> Scores | None:
        """Count the page, update the estimates, and rescore the links whose estimate changed."""
        page = step.page
        self._found += step.reward > 0
        if len(self.parts) > 1 and step.source >= 0:
            self._pages.append(page.number)
        changed = self.tree.add(page.number, step.reward, page.targets)
        rescored = [part.observe(step, self.tree.fresh, changed) for part in self.parts]
        if self._adapt(step.n):
            numbers = self.tree.waiting()
        else:
            numbers = rescored[0] if len(rescored) == 1 else np.concatenate(rescored)
        return Scores(numbers, self._values(numbers)) if len(numbers) else None

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the estimate of each fresh link; 0 for the others, which keep their scores."""
        values = np.zeros(len(page.targets))
        fresh = self.tree.fresh  # of this page: `observe` was called with it last
        if len(fresh):
            values[fresh] = self._values(page.targets[fresh])
        return values

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return each estimate of a waiting link, and its weight."""
        return tuple(
            contribution._replace(weight=weight * contribution.weight)
            for weight, part in zip(self.weights.tolist(), self.parts, strict=True)
            for contribution in part.explain(page, index)
        )

    def _values(self, numbers: Ints) -> NDArray[np.float64]:
        first, *others = self.parts
        total = self.weights[0] * first.estimates(numbers)
        for weight, part in zip(self.weights[1:].tolist(), others, strict=True):
            if weight:
                total = total + weight * part.estimates(numbers)
        return np.asarray(total, np.float64)

    def _adapt(self, n: int) -> bool:
        """Update weights and depth when due; return whether all links must be rescored."""
        changed = self._contract and n % _CONTRACT_INTERVAL_PAGES == 0 and self._choose_depth(n)
        if n >= self._next:
            self._next = ceil(GROWTH * n)
            if len(self.parts) > 1 and self.tree.goals > 0:
                self._fit_weights()
                changed = True
        return changed

    def _fit_weights(self) -> None:
        """Fit the weights to the yields of the last pages by non-negative least squares."""
        from scipy.optimize import nnls  # 0.25 s to import, so only where it is needed

        del self._pages[:-_MAX_FITTED_PAGES]
        pages = np.array(self._pages, np.int32)
        yields = self.tree.yields(pages)
        estimates = [part.last_estimates(pages) for part in self.parts]
        design = np.column_stack([*estimates, np.ones(len(pages))])
        ridge = _PRIOR_STRENGTH * np.eye(len(self.parts), len(self.parts) + 1)
        observed = np.concatenate((yields, _PRIOR_STRENGTH * self._prior))
        self.weights = nnls(np.vstack((design, ridge)), observed)[0][:-1]

    def _choose_depth(self, n: int) -> bool:
        """Choose the depth from the remaining budget; return whether it changed."""
        budget, tree = self._budget, self.tree
        level = contract_depth(
            tree.branching,
            self._level,
            nodes=None if budget.pages is None else budget.pages - n,
            goals=None if budget.targets is None else budget.targets - self._found,
            rate=tree.rate,
        )
        if level == tree.level:
            return False
        tree.refresh(level)
        return True
