"""Best-first: links of pages similar to the goal first.

Cho, Garcia-Molina & Page 1998 ("Efficient Crawling Through URL Ordering", the
similarity to a driving query) and the Naive Best-First crawler of Menczer, Pant
& Srinivasan 2004, which takes the cosine of the page that contains the link.
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

_ANCHOR_WEIGHT = 0.5  # the rest is the weight of the page


class BestFirst:
    """A policy that scores a link by the mean cosine of its page and its anchor to the goal.

    `words` are those of the goal, in lower case; `name` is the name in results.

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
        """Reset: the next crawl has other tables."""
        self._cosine.forget()

    def observe(self, step: Step) -> None:
        """Do nothing: nothing is learned."""

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the weighted mean of the cosines of the page and of each anchor."""
        anchors = self._cosine.of_links(page, "anchor")
        return (1 - _ANCHOR_WEIGHT) * self._cosine.of_page(page) + _ANCHOR_WEIGHT * anchors

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the effect of each word of the goal."""
        effects = self._cosine.link_effects(page, index, _ANCHOR_WEIGHT, "anchor")
        effects += self._cosine.page_effects(page, 1 - _ANCHOR_WEIGHT)
        effects.sort(key=lambda effect: -effect.effect)
        return (ScoreContribution(self.name, float(self.score(page)[index]), tuple(effects)),)
