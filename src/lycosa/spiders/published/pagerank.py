"""PageRank of the known part of the web, as an order of waiting links.

Cho, Garcia-Molina & Page 1998, "Efficient Crawling Through URL Ordering". A URL
is important if important pages link to it. Ranks are recomputed when the crawl
has grown by half, by a few rounds of the power method that start from the last
ranks; in between a new URL has the rank that the page it was found on passes on.
"""

from __future__ import annotations

from array import array
from math import ceil

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Page, ScoreContribution, Scores, Step
from lycosa.spiders.yields.estimate import GrowingColumn

_DAMPING = 0.9  # of Cho et al.
_FIRST = 30  # pages before the first computation
_GROWTH = 1.5  # the factor between two computations
_ROUNDS = 20


class PageRank:
    """A policy that scores a URL by its rank in the known graph; the mean rank is near 1.

    `name` is the name in results.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> spider = PageRank()
    >>> spider.start(Budget())
    >>> spider.observe(Step(1, home, 0.0))
    >>> spider.score(home)[:2].round(3)                  # 0.1 + 0.9 / 13
    array([0.169, 0.169])
    """

    def __init__(self, name: str = "pagerank") -> None:
        self.name = name

    def start(self, budget: Budget) -> None:
        """Reset."""
        self._rank = GrowingColumn()  # 0: unknown
        self._pages = array("i")
        self._degrees = array("i")
        self._targets = array("i")
        self._next = _FIRST

    def observe(self, step: Step) -> Scores | None:
        """Store the links of the page; recompute all ranks when due."""
        page = step.page
        if not self._rank.at(page.number):
            self._rank.put(page.number, 1.0)  # a seed
        self._pages.append(page.number)
        self._degrees.append(len(page.targets))
        if len(page.targets):
            self._targets.frombytes(page.targets.astype(np.intc).tobytes())
            self._rank[page.targets] = self._ranks(page)
        if step.n < self._next:
            return None
        self._next = ceil(_GROWTH * step.n)
        waiting = self._recompute()
        return Scores(waiting, self._rank[waiting].astype(np.float64)) if len(waiting) else None

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the latest rank of each link, or what the page passes on."""
        return self._ranks(page).astype(np.float64)

    def _ranks(self, page: Page) -> NDArray[np.float32]:
        passed = 1 - _DAMPING + _DAMPING * self._rank.at(page.number) / len(page.targets)
        known = self._rank[page.targets]
        return np.where(known > 0, known, np.float32(passed))

    def _recompute(self) -> Ints:
        """Compute the ranks of all known URLs, and return the waiting ones."""
        pages = np.array(self._pages, np.int32)
        degrees = np.array(self._degrees, np.int64)
        seen, places = np.unique(
            np.concatenate((pages, np.array(self._targets, np.int32))), return_inverse=True
        )
        sources, targets = places[: len(pages)], places[len(pages) :]
        ranks = self._rank[seen].astype(np.float64)
        for _ in range(_ROUNDS):
            shares = ranks[sources] / np.maximum(degrees, 1)
            passed = np.bincount(targets, np.repeat(shares, degrees), len(seen))
            # URLs without links, and waiting ones, pass their rank on to all in equal shares.
            lost = (ranks.sum() - passed.sum()) / len(seen)
            ranks = 1 - _DAMPING + _DAMPING * (passed + lost)
        self._rank[seen] = ranks
        waits = np.ones(len(seen), np.bool_)
        waits[sources] = False
        return seen[waits].astype(np.int32)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the rank, and what this page passes on."""
        share = self._rank.at(page.number) / len(page.targets)
        about = f"{_DAMPING * share:.3g} of it from this page" if share else ""
        return (ScoreContribution(self.name, float(self.score(page)[index]), about=about),)
