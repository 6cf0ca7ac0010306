"""Best-first: links of pages that are about the goal go first.

Cho, Garcia-Molina & Page 1998 ("Efficient Crawling Through URL Ordering", the
similarity to a driving query) and the Naive Best-First crawler of Menczer, Pant
& Srinivasan 2004, which takes the cosine of the page that a link stands on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, ScoreContribution, Step
from lycosa.goals.profiles import profile
from lycosa.spiders.factory import Setup
from lycosa.spiders.published.cosine import Cosine

_ANCHOR = 0.5  # the rest is the page's


class BestFirst:
    """The mean of two cosines to the words of the goal: of the page, and of the anchor.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> spider = BestFirst(["reports", "papers"])
    >>> spider.start(Budget())
    >>> home = site.page(int(site.seeds[0]))
    >>> home.link(int(spider.score(home).argmax())).bags["anchor"][:2]
    ('technical', 'reports')
    """

    def __init__(self, words: Sequence[str], name: str = "best-first") -> None:
        self.name = name
        self._cosine = Cosine(words)

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Return a policy for the words of the goal."""
        return cls(profile(setup.goal).words)

    def start(self, budget: Budget) -> None:
        """Forget the tables of the last crawl."""
        self._cosine.forget()

    def observe(self, step: Step) -> None:
        """Nothing is learned."""

    def score(self, page: Page) -> NDArray[np.float64]:
        """How near the page and each anchor are to the goal."""
        anchors = self._cosine.of_links(page, "anchor")
        return (1 - _ANCHOR) * self._cosine.of_page(page) + _ANCHOR * anchors

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """What each word of the goal added."""
        effects = self._cosine.link_effects(page, index, _ANCHOR, "anchor")
        effects += self._cosine.page_effects(page, 1 - _ANCHOR)
        effects.sort(key=lambda effect: -effect.effect)
        return (ScoreContribution(self.name, float(self.score(page)[index]), tuple(effects)),)
