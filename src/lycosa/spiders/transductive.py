"""RL with a transductive SVM: the model is refitted to the site during the crawl."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, Scores, Step
from lycosa.learn.examples import LinkBags
from lycosa.learn.linear_model import LinearModel, ModelReader
from lycosa.learn.transductive_svm import TransductiveSVM

FIRST = 50
"""Pages before the first fit; the next is due at every doubling."""
MAX_FITTED_PAGES = 300
"""The latest pages whose links are used, so that a fit has a constant cost."""


class Transductive:
    """A policy whose model of other sites is refitted to this one at 50, 100, 200, … pages.

    Parameters
    ----------
    model
        Scores links until the first fit.
    machine
        Makes a model from its examples of other sites and the links of the crawl.
    name
        The name in reports and results.
    """

    def __init__(self, model: LinearModel, machine: TransductiveSVM, name: str) -> None:
        self.name = name
        self._given = model
        self._machine = machine
        self._reader: ModelReader | None = None
        self._pages: list[Page] = []
        self._next = FIRST

    def start(self, budget: Budget) -> None:
        """Return to the model of the other sites."""
        self._reader = None
        self._pages = []
        self._next = FIRST

    def observe(self, step: Step) -> Scores | None:
        """Refit the model when due, and rescore all waiting links."""
        if not len(step.page.targets):
            return None
        self._pages.append(step.page)
        if len(self._pages) < self._next:
            return None
        self._next *= 2
        tables = step.page.tables
        recent = self._pages[-MAX_FITTED_PAGES:]
        model = self._machine.train(LinkBags.of(recent, tables, self._given.neighbourhood))
        self._reader = model.reader(tables)
        best: dict[int, float] = {}
        for page in self._pages[:-1]:
            for target, value in zip(
                page.targets.tolist(), self._reader.values(page).tolist(), strict=True
            ):
                best[target] = max(value, best.get(target, -np.inf))
        return Scores(np.array(list(best), np.int64), np.array(list(best.values())))

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the estimated value of each link."""
        if self._reader is None:
            self._reader = self._given.reader(page.tables)
        return self._reader.values(page)
