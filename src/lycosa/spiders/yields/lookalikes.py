"""Generalising yield (Davidov & Markovitch 2002): ask the links with like words.

Examples are the pages that were fetched, known by the words of the link that
led there first and tagged with their partial yield as it is now. A learner is
fitted at growing intervals; then all links that wait are scored anew, so the
cost of it all is a constant for each page. In between a link is scored once,
when it is met. What is approximated: a page that waits is not known by its own
words but by those of one link, and it is not scored by what was learned since.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Step
from lycosa.learn.link_words import LinkWords
from lycosa.search.partial_yield import PartialYield
from lycosa.spiders.yields.part import Column

FIRST = 30
"""Pages after which the learner is fitted for the first time."""
GROWTH = 1.3
"""It is fitted again when there are so many times more pages."""


class Learner(Protocol):
    """What learns a number from a row of words."""

    def fit(self, rows: sparse.csr_matrix, values: NDArray[np.float64]) -> None:
        """Learn from examples, the latest last."""

    def predict(self, rows: sparse.csr_matrix) -> NDArray[np.float64]:
        """The estimated value of each row."""


class Lookalikes:
    """The yield of a link is that of links with like words."""

    def __init__(self, learner: Callable[[], Learner], name: str = "generalised") -> None:
        self.name = name
        self._learner = learner

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """Nothing was learned."""
        self._tree = tree
        self._words = LinkWords()
        self._values = Column()
        self._examples: list[int] = []
        self._fitted: Learner | None = None
        self._next = FIRST

    def observe(self, step: Step, changed: Ints) -> Ints:
        """Remember the words of new links; learn when it is time."""
        number = np.array([step.page.number], np.int32)
        if self._words.knows(number)[0]:
            self._examples.append(step.page.number)
        new = self._words.add(step.page) if len(step.page.targets) else NO_INTS
        if len(self._examples) >= self._next and self._tree.goals:
            self._next = ceil(GROWTH * len(self._examples))
            return self._learn()
        if len(new):
            self._values[new] = self._predicted(new)
        return NO_INTS

    def _learn(self) -> Ints:
        examples = np.array(self._examples, np.int32)
        learner = self._learner()
        learner.fit(self._words.matrix(examples), self._tree.yields(examples))
        self._fitted = learner
        waiting = self._tree.waiting()
        self._values[waiting] = self._predicted(waiting)
        return waiting

    def _predicted(self, numbers: Ints) -> NDArray[np.float64]:
        if self._fitted is None:
            return np.full(len(numbers), self._tree.rate)
        return self._fitted.predict(self._words.matrix(numbers))

    def estimates(self, numbers: Ints) -> NDArray[np.float64]:
        """What was last predicted."""
        return self._values[numbers].astype(np.float64)
