"""RL: follow the link whose text predicts the most discounted reward.

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
    """A policy that scores a link by a model of the words in and around it.

    `model` was trained on other sites; `name` is the name in reports and results.
    """

    def __init__(self, model: LinearModel, name: str = "rl") -> None:
        self.name = name
        self.model = model
        self._reader: ModelReader | None = None

    def start(self, budget: Budget) -> None:
        """Reset: the next crawl has other tables."""
        self._reader = None

    def observe(self, step: Step) -> None:
        """Do nothing: the model was trained before the crawl."""

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the estimated value of each link."""
        return self._reader_of(page).values(page)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the effects of the words of a link on its value."""
        return (model_contribution(self.name, self._reader_of(page), page, index),)

    def _reader_of(self, page: Page) -> ModelReader:
        if self._reader is None:
            self._reader = self.model.reader(page.tables)
        return self._reader
