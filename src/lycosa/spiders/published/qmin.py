"""QMin: a link is as good as the worst page that leads to it.

After Pezzuti, MacAvaney & Tonellotto 2025, "Neural Prioritisation for Web
Crawling": good pages link to good pages, so the quality of a page that was
read is passed on to the links it has. With several pages the lowest quality
counts: one bad recommendation is enough.

Their quality is what a language model thinks of a text. Here it is the cosine
of the page to the words of the goal, which is what a spider of ours is given.
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

_UNSEEN = 2.0  # above every quality: what GrowingColumn keeps is how far below it a link is
_ROUNDING = 1e-6


class QMin:
    """The least quality of the pages that lead to a link.

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
        """No page was read."""
        self._cosine.forget()
        self._below = GrowingColumn()

    def quality(self, page: Page) -> float:
        """How good a page is, from 0 to 1."""
        return self._cosine.of_page(page)

    def observe(self, step: Step) -> Scores | None:
        """Lower the links that better pages led to before."""
        page = step.page
        if not len(page.targets):
            return None
        below = np.float32(_UNSEEN - self.quality(page))
        known = self._below[page.targets]
        self._below[page.targets] = np.maximum(known, below)
        lower = page.targets[(known > 0) & (known < below)]
        return Scores(lower, self._values(lower)) if len(lower) else None

    def score(self, page: Page) -> NDArray[np.float64]:
        """The least quality so far; a page that is read again may have links never observed."""
        values = self._values(page.targets)
        unseen = values == _UNSEEN
        if unseen.any():
            values[unseen] = self.quality(page)
        return values

    def _values(self, numbers: NDArray[np.int32]) -> NDArray[np.float64]:
        return np.asarray(_UNSEEN - self._below[numbers], np.float64)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """What this page passes on, by its words, unless another is worse."""
        value = float(self.score(page)[index])
        mine = self.quality(page)
        if value < mine - _ROUNDING:
            about = f"a page of less quality leads there too; this one has {mine:.3g}"
            return (ScoreContribution(self.name, value, about=about),)
        effects = self._cosine.page_effects(page, 1.0)
        effects.sort(key=lambda effect: -effect.effect)
        return (ScoreContribution(self.name, value, tuple(effects)),)
