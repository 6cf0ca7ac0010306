"""A heuristic made by hand, as a part of a yield spider."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Policy, Step
from lycosa.search.partial_yield import PartialYield
from lycosa.spiders.yields.part import Column


class Hand:
    """The best that a policy which learns nothing ever said of a link."""

    def __init__(self, policy: Policy) -> None:
        self.name = policy.name
        self._policy = policy

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """Nothing was said."""
        self._policy.start(budget)
        self._tree = tree
        self._best = Column()

    def observe(self, step: Step, changed: Ints) -> Ints:
        """Ask about the links of the page, if any of them still waits."""
        targets = step.page.targets
        waits = self._tree.waits(targets)
        if waits.any():
            scores = np.asarray(self._policy.score(step.page), float)[waits]
            targets = targets[waits]
            self._best[targets] = np.maximum(self._best[targets], scores)
        return NO_INTS

    def estimates(self, numbers: Ints) -> NDArray[np.float64]:
        """What was said of links."""
        return self._best[numbers].astype(np.float64)
