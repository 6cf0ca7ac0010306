"""OPIC: every page has cash, and spends it on its links when it is fetched.

Abiteboul, Preda & Cobena 2003, "Adaptive On-Line Page Importance Computation".
The URL with the most cash goes next, so importance is known without ever
looking at the whole graph. As an order for pages that are fetched once it is
that of Baeza-Yates et al. 2005, "Crawling a Country": every URL has the same
cash when it is first seen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, ScoreContribution, Step
from lycosa.spiders.yields.estimate import GrowingColumn

_START = 1.0  # everybody's cash at first sight


class OPIC:
    """The cash of a URL: its own, and what the pages that lead there have spent on it.

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
        """Nobody was given anything."""
        self._given = GrowingColumn()

    def observe(self, step: Step) -> None:
        """Spend the cash of the page on its links, the same on each."""
        page = step.page
        if len(page.targets):
            cash = _START + self._given.at(page.number)
            self._given.put(page.number, -_START)
            self._given[page.targets] = self._given[page.targets] + cash / len(page.targets)

    def score(self, page: Page) -> NDArray[np.float64]:
        """The cash of each link, which only grows while it waits."""
        return _START + self._given[page.targets].astype(np.float64)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """How much of its cash was given."""
        value = float(self.score(page)[index])
        return (
            ScoreContribution(
                self.name, value, base=_START, about="the rest is from pages before it"
            ),
        )
