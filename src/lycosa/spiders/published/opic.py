"""OPIC: every URL has cash, which a page passes on to its links when it is fetched.

Abiteboul, Preda & Cobena 2003, "Adaptive On-Line Page Importance Computation".
The URL with the most cash is next, so importance is computed without the whole
graph. For a crawl that fetches each page once it is the order of Baeza-Yates et
al. 2005, "Crawling a Country": every URL has the same cash when it is first found.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, ScoreContribution, Step
from lycosa.spiders.yields.estimate import GrowingColumn

_INITIAL_CASH = 1.0


class OPIC:
    """A policy that scores a URL by its cash: initial cash, and what linking pages passed on.

    `name` is the name in results.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> spider = OPIC()
    >>> spider.start(Budget())
    >>> spider.observe(Step(1, home, 0.0))
    >>> len(home.targets), spider.score(home)[:2].round(3)      # 1 + 1/13
    (13, array([1.077, 1.077]))
    """

    def __init__(self, name: str = "opic") -> None:
        self.name = name

    def start(self, budget: Budget) -> None:
        """Reset."""
        self._given = GrowingColumn()

    def observe(self, step: Step) -> None:
        """Pass the cash of the page on to its links in equal shares."""
        page = step.page
        if len(page.targets):
            cash = _INITIAL_CASH + self._given.at(page.number)
            self._given.put(page.number, -_INITIAL_CASH)
            self._given[page.targets] = self._given[page.targets] + cash / len(page.targets)

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the cash of each link, which only grows while it waits."""
        return _INITIAL_CASH + self._given[page.targets].astype(np.float64)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the cash; `base` is the initial cash."""
        value = float(self.score(page)[index])
        return (
            ScoreContribution(
                self.name, value, base=_INITIAL_CASH, about="the rest is from linking pages"
            ),
        )
