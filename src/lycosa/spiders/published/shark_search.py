"""Shark-search: good pages pass their score on, and anchors speak for their links.

Hersovici et al. 1998, "The shark-search algorithm. An application: tailored Web
site mapping". A fish that finds food has children that live longer: links
inherit from the page they stand on, and through pages without a word of the
goal from those before, less with every step. What an anchor says, or where it
says nothing the words around it, tells the links of one page apart.
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


class Rates(NamedTuple):
    """The constants of the paper, with the values it suggests."""

    decay: float = 0.5
    """What is left of a score that is inherited."""
    anchor: float = 0.8
    """The share of the anchor beside that of the words around it."""
    inherited: float = 0.5
    """The share of what is inherited beside that of the words of the link."""


class SharkSearch:
    """What a link inherits, and what its anchor and the words around it say.

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
        self, words: Sequence[str], name: str = "shark-search", rates: Rates | None = None
    ) -> None:
        self.name = name
        self._cosine = Cosine(words)
        self._rates = rates or Rates()

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Return a policy for the words of the goal."""
        return cls(profile(setup.goal).words)

    def start(self, budget: Budget) -> None:
        """No page has anything to pass on."""
        self._cosine.forget()
        self._left = GrowingColumn()  # what each page leaves to its links

    def observe(self, step: Step) -> None:
        """Find out what the page leaves to its links."""
        page = step.page
        if len(page.targets):
            before = self._left.at(step.source) if step.source >= 0 else 0.0
            mine = self._cosine.of_page(page) or before
            self._left.put(page.number, self._rates.decay * mine)

    def score(self, page: Page) -> NDArray[np.float64]:
        """What each link inherits, and what is said of it."""
        rates = self._rates
        anchor = self._cosine.of_links(page, "anchor")
        around = np.where(anchor > 0, 1.0, self._cosine.of_links(page, "anchor", "near"))
        said = rates.anchor * anchor + (1 - rates.anchor) * around
        return rates.inherited * self._left.at(page.number) + (1 - rates.inherited) * said

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """What was inherited, and what each word of the goal at the link added."""
        rates, cosine = self._rates, self._cosine
        words, near = 1 - rates.inherited, 1 - rates.anchor
        anchor = float(cosine.of_links(page, "anchor")[index])
        if anchor > 0:
            factor = words * (rates.anchor + near / anchor)
            effects = cosine.link_effects(page, index, factor, "anchor")
        else:
            effects = cosine.link_effects(page, index, words * near, "anchor", "near")
        effects.sort(key=lambda effect: -effect.effect)
        base = rates.inherited * self._left.at(page.number)
        return (
            ScoreContribution(self.name, float(self.score(page)[index]), tuple(effects), base=base),
        )
