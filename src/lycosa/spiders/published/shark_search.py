"""Shark-search: links inherit the score of their page, and have one by their anchor.

Hersovici et al. 1998, "The shark-search algorithm. An application: tailored Web
site mapping". Links inherit from their page, and through pages without a word of
the goal from the pages before, less with every step. The words of the anchor, or
the words around it if it has none of the goal, distinguish the links of one page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, ScoreContribution, Step
from lycosa.goals.profiles import profile
from lycosa.spiders.factory import Setup
from lycosa.spiders.published.cosine import Cosine
from lycosa.spiders.yields.estimate import GrowingColumn


class SharkSearchWeights(NamedTuple):
    """The constants of the paper, with the values it suggests."""

    decay: float = 0.5
    """The factor of a score that is inherited."""
    anchor: float = 0.8
    """The weight of the anchor; the rest is that of the words around it."""
    inherited: float = 0.5
    """The weight of the inherited score; the rest is that of the words of the link."""


class SharkSearch:
    """A policy that scores a link by its inherited score, its anchor and its context.

    Parameters
    ----------
    words
        The words of the goal, in lower case.
    name
        The name in results.
    weights
        The constants of the paper; None for the values that it suggests.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> spider = SharkSearch(["reports", "papers"])
    >>> spider.start(Budget())
    >>> spider.observe(Step(1, home, 0.0))
    >>> home.link(int(spider.score(home).argmax())).bags["anchor"][:2]
    ('technical', 'reports')
    """

    def __init__(
        self,
        words: Sequence[str],
        name: str = "shark-search",
        weights: SharkSearchWeights | None = None,
    ) -> None:
        self.name = name
        self._cosine = Cosine(words)
        self._weights = weights or SharkSearchWeights()

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Return a policy for the words of the goal."""
        return cls(profile(setup.goal).words)

    def start(self, budget: Budget) -> None:
        """Reset."""
        self._cosine.forget()
        self._passed_on = GrowingColumn()  # the score that the links of each page inherit

    def observe(self, step: Step) -> None:
        """Store the score that the links of the page inherit."""
        page = step.page
        if len(page.targets):
            before = self._passed_on.at(step.source) if step.source >= 0 else 0.0
            score = self._cosine.of_page(page) or before
            self._passed_on.put(page.number, self._weights.decay * score)

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the weighted mean of the inherited and the own score of each link."""
        weights = self._weights
        anchor = self._cosine.of_links(page, "anchor")
        around = np.where(anchor > 0, 1.0, self._cosine.of_links(page, "anchor", "near"))
        own = weights.anchor * anchor + (1 - weights.anchor) * around
        return weights.inherited * self._passed_on.at(page.number) + (1 - weights.inherited) * own

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the inherited score as base, and the effect of each word of the goal."""
        weights, cosine = self._weights, self._cosine
        words, near = 1 - weights.inherited, 1 - weights.anchor
        anchor = float(cosine.of_links(page, "anchor")[index])
        if anchor > 0:
            factor = words * (weights.anchor + near / anchor)
            effects = cosine.link_effects(page, index, factor, "anchor")
        else:
            effects = cosine.link_effects(page, index, words * near, "anchor", "near")
        effects.sort(key=lambda effect: -effect.effect)
        base = weights.inherited * self._passed_on.at(page.number)
        return (
            ScoreContribution(self.name, float(self.score(page)[index]), tuple(effects), base=base),
        )
