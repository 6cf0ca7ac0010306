"""Immediate and Future in one value: what both papers leave as future work.

Rennie & McCallum 1999 find that RL Future leads early, while RL Immediate is
better later because its two-bin classifier knows immediate rewards best. Here
each model estimates what it estimates best, and the definition of Q combines the
estimates: P is the probability of immediate reward, by the immediate model; F the
expected value of a link without immediate reward, by the other bins of the
future model; the value of the link is P + (1 - P) F.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, ScoreContribution, Step
from lycosa.learn.linear_model import LinearModel, ModelReader
from lycosa.spiders.explanation import model_contribution


class ImmediateAndFuture:
    """A policy of two models: of `immediate` reward, and of `future` reward without it.

    `name` is the name in reports and results.
    """

    def __init__(
        self, immediate: LinearModel, future: LinearModel, name: str = "immediate-and-future"
    ) -> None:
        self.name = name
        self._models = (immediate, future)
        self._readers: tuple[ModelReader, ModelReader] | None = None

    def start(self, budget: Budget) -> None:
        """Reset: the next crawl has other tables."""
        self._readers = None

    def observe(self, step: Step) -> None:
        """Do nothing: the models were trained before the crawl."""

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return P + (1 - P) F for each link."""
        if self._readers is None:
            immediate, future = (model.reader(page.tables) for model in self._models)
            self._readers = (immediate, future)
        now = self._readers[0].probabilities(page)[:, 0]
        later = self._readers[1].probabilities(page)[:, 1:]
        means = self._models[1].means[1:]
        expected = later @ means / np.maximum(later.sum(axis=1), np.finfo(float).tiny)
        return np.asarray(now + (1 - now) * expected)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return P and F, with the effects of words on them."""
        immediate, future = self._models
        first = (np.arange(len(immediate.means)) == 0).astype(float)
        now = replace(immediate, means=first)
        later = replace(
            future,
            weights=tuple(weights[:, 1:] for weights in future.weights),
            bias=future.bias[1:],
            means=future.means[1:],
        )
        parts = (
            ("reward now", now, "P, where the value of the link is P + (1 - P) F"),
            ("reward later", later, "F, if there is none now"),
        )
        return tuple(
            model_contribution(part, model.reader(page.tables), page, index)._replace(about=about)
            for part, model, about in parts
        )
