"""QMin: the quality of a link is the lowest quality of the pages that link to it.

After Pezzuti, MacAvaney & Tonellotto 2025, "Neural Prioritisation for Web
Crawling": good pages link to good pages, so the quality of a fetched page is
passed on to its links. With several pages the lowest quality counts.

The paper estimates quality with a language model. Here it is the cosine of the
page to the words of the goal, which all policies here are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, ScoreContribution, Scores, Step
from lycosa.goals.profiles import profile
from lycosa.spiders.factory import Setup
from lycosa.spiders.published.cosine import Cosine
from lycosa.spiders.yields.estimate import GrowingColumn

_UNSEEN = 2.0  # above every quality; the column stores how far below it a link is
_ROUNDING = 1e-6


class QMin:
    """A policy that scores a URL by the lowest quality of the pages that link to it.

    `words` are those of the goal, in lower case: the quality of a page is its cosine
    to them. `name` is the name in results.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> spider = QMin(["department", "research"])
    >>> spider.start(Budget())
    >>> spider.observe(Step(1, home, 0.0))
    >>> np.allclose(spider.score(home), spider.quality(home))
    True
    """

    def __init__(self, words: Sequence[str], name: str = "qmin") -> None:
        self.name = name
        self._cosine = Cosine(words)

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Return a policy for the words of the goal."""
        return cls(profile(setup.goal).words)

    def start(self, budget: Budget) -> None:
        """Reset."""
        self._cosine.forget()
        self._below = GrowingColumn()

    def quality(self, page: Page) -> float:
        """Return the quality of a page, from 0 to 1."""
        return self._cosine.of_page(page)

    def observe(self, step: Step) -> Scores | None:
        """Rescore the links whose lowest quality is now that of this page."""
        page = step.page
        if not len(page.targets):
            return None
        below = np.float32(_UNSEEN - self.quality(page))
        known = self._below[page.targets]
        self._below[page.targets] = np.maximum(known, below)
        lower = page.targets[(known > 0) & (known < below)]
        return Scores(lower, self._values(lower)) if len(lower) else None

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the lowest qualities; links that were never observed have that of the page."""
        values = self._values(page.targets)
        unseen = values == _UNSEEN
        if unseen.any():
            values[unseen] = self.quality(page)
        return values

    def _values(self, numbers: NDArray[np.int32]) -> NDArray[np.float64]:
        return np.asarray(_UNSEEN - self._below[numbers], np.float64)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the effects of the page's words, unless another page has a lower quality."""
        value = float(self.score(page)[index])
        quality = self.quality(page)
        if value < quality - _ROUNDING:
            about = f"another page that links to it has less quality; this one has {quality:.3g}"
            return (ScoreContribution(self.name, value, about=about),)
        effects = self._cosine.page_effects(page, 1.0)
        effects.sort(key=lambda effect: -effect.effect)
        return (ScoreContribution(self.name, value, tuple(effects)),)
