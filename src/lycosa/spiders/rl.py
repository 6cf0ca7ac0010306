"""RL: follow the link whose text promises the most discounted reward.

Rennie & McCallum 1999; with other criteria, texts and classifiers, Motahari
Nezhad & Barfourosh 2003. RL Immediate has two bins and the criterion
`immediate`; RL Future has three to five bins and the criterion `future`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, ScoreContribution, Step
from lycosa.learn.linear_model import LinearModel, ModelReader
from lycosa.spiders.explanation import model_contribution


class RL:
    """The value of a link is what a model says of the words around it."""

    def __init__(self, model: LinearModel, name: str = "rl") -> None:
        self.name = name
        self.model = model
        self._reader: ModelReader | None = None

    def start(self, budget: Budget) -> None:
        """Forget the tables of the last crawl."""
        self._reader = None

    def observe(self, step: Step) -> None:
        """What was learned was learned before."""

    def score(self, page: Page) -> NDArray[np.float64]:
        """The estimated value of each link."""
        return self._reading(page).values(page)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """The words that gave a link its value."""
        return (model_contribution(self.name, self._reading(page), page, index),)

    def _reading(self, page: Page) -> ModelReader:
        if self._reader is None:
            self._reader = self.model.reader(page.tables)
        return self._reader
