"""Yield: follow the link below which the most targets a page are expected.

Davidov & Markovitch 2002. With several parts it is their "combined method", a
linear combination of the yield learned on the way and a heuristic made by
hand, which leads to the first targets while there is nothing to learn from.
Their weights are adapted: at growing intervals they are fitted, none negative,
to what the last pages turned out to yield.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Page, Scores, Step
from lycosa.search.contract import contract_depth
from lycosa.search.partial_yield import PartialYield
from lycosa.spiders.explanation import Opinion, opinions
from lycosa.spiders.yields.estimate import Part
from lycosa.spiders.yields.similar_links import FIRST, GROWTH

LEVEL = 2
"""The depth of the yields that are learned, unless it is chosen from the budget."""
_LAST = 1000  # pages that the weights are fitted to
_LOOK = 10  # pages after which a contract is looked at again
_FAITH = 3.0  # how hard it is to move the weights from where they began


class Yield:
    """A sum of parts, each of which says what it expects of a link.

    `level` is the depth of the yields that are learned. By `contract` it is
    chosen from what is left of the budget, and `level` is the deepest.
    """

    def __init__(
        self, parts: Sequence[Part], name: str, *, level: int = LEVEL, contract: bool = False
    ) -> None:
        self.name = name
        self.parts = tuple(parts)
        self._level = level
        self._contract = contract

    def start(self, budget: Budget) -> None:
        """Nothing is known of the site."""
        self._budget = budget
        self.tree = PartialYield(self._level, level=self._level)
        for part in self.parts:
            part.start(budget, self.tree)
        # The first is listened to most until there is something to learn from.
        self.weights = np.where(np.arange(len(self.parts)) == 0, 1.0, 0.3)
        self._prior = 0.3 * self.weights
        self._pages: list[int] = []
        self._found = 0
        self._next = FIRST

    @property
    def nbytes(self) -> int:
        """The memory of all arrays."""
        return self.tree.nbytes + sum(part.nbytes for part in self.parts)

    def observe(self, step: Step) -> Scores | None:
        """Count the page, let the parts learn, and pass on what changed."""
        page = step.page
        self._found += step.reward > 0
        if len(self.parts) > 1 and step.source >= 0:
            self._pages.append(page.number)
        changed = self.tree.add(page.number, step.reward, page.targets)
        news = [part.observe(step, self.tree.fresh, changed) for part in self.parts]
        if self._adapted(step.n):
            numbers = self.tree.waiting()
        else:
            numbers = news[0] if len(news) == 1 else np.concatenate(news)
        return Scores(numbers, self._values(numbers)) if len(numbers) else None

    def score(self, page: Page) -> NDArray[np.float64]:
        """What is expected of each fresh link; the others have the scores they were given."""
        values = np.zeros(len(page.targets))
        fresh = self.tree.fresh  # of this page, which was observed just now
        if len(fresh):
            values[fresh] = self._values(page.targets[fresh])
        return values

    def explain(self, page: Page, index: int) -> tuple[Opinion, ...]:
        """What each part expects of a link that waits, and how much it is listened to."""
        number = page.targets[index : index + 1]
        found = []
        for weight, part in zip(self.weights.tolist(), self.parts, strict=True):
            said = opinions(part, page, index)
            said = said or (Opinion(part.name, float(part.estimates(number)[0])),)
            found += [one._replace(weight=weight * one.weight) for one in said]
        return tuple(found)

    def _values(self, numbers: Ints) -> NDArray[np.float64]:
        first, *others = self.parts
        total = self.weights[0] * first.estimates(numbers)
        for weight, part in zip(self.weights[1:].tolist(), others, strict=True):
            if weight:
                total = total + weight * part.estimates(numbers)
        return np.asarray(total, np.float64)

    def _adapted(self, n: int) -> bool:
        """Whether weights or depth were chosen anew, so that all links are worth something else."""
        news = self._contract and n % _LOOK == 0 and self._dived(n)
        if n >= self._next:
            self._next = ceil(GROWTH * n)
            if len(self.parts) > 1 and self.tree.goals > 0:
                self._weigh()
                news = True
        return news

    def _weigh(self) -> None:
        """Fit the weights to what the last pages turned out to yield."""
        from scipy.optimize import nnls  # a quarter of a second to load: only where needed

        del self._pages[:-_LAST]
        pages = np.array(self._pages, np.int32)
        came = self.tree.yields(pages)
        said = np.column_stack([*(part.said(pages) for part in self.parts), np.ones(len(pages))])
        faith = _FAITH * np.eye(len(self.parts), len(self.parts) + 1)
        rows = np.vstack((said, faith))
        self.weights = nnls(rows, np.concatenate((came, _FAITH * self._prior)))[0][:-1]

    def _dived(self, n: int) -> bool:
        """Choose the depth from what is left of the budget."""
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
