"""Goals by where a page stands among the pages seen so far.

They have a memory: a crawl shows them every page once, in its own order. A
page is taken in first and judged then, once and for all, by what is known at
that moment; links that are found later do not change what it was worth. Of a
page that is shown again only the new links are taken in. Pages of another table
of URLs begin a new crawl.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints, Strings
from lycosa.core import Page
from lycosa.errors import UsageError
from lycosa.goals.combined import Combinable, failed
from lycosa.goals.parametric import Count


class _Memory(Combinable, ABC):
    """What goals of this kind share: where every page seen so far leads."""

    _urls: Strings | None = None
    _links: dict[int, Ints]

    def see(self, page: Page) -> None:
        """Take in a page, or what is new in it."""
        if page.tables.urls is not self._urls:
            self._urls = page.tables.urls
            self._links = {}
            self._begin()
        known = self._links.get(page.number)
        if known is None:
            self._links[page.number] = page.targets
            self._take(page.number, page.targets)
            return
        fresh = page.targets[~np.isin(page.targets, known)]
        if len(fresh):
            self._links[page.number] = np.concatenate((known, fresh))
            self._take(page.number, fresh)

    @abstractmethod
    def _begin(self) -> None:
        """Forget everything but the links."""

    @abstractmethod
    def _take(self, number: int, targets: Ints) -> None:
        """Where a page leads, as far as that is new."""


class _Placed(Count, _Memory):
    """Reward 1 where a number that depends on other pages is within a range."""

    def __reduce__(self) -> tuple[type[_Placed], tuple[int, int | None]]:
        # What was seen in one crawl is nothing to another process.
        return type(self), (self.least, self.most)

    def __call__(self, page: Page) -> float:
        """1 for a page within the range, both ends included, else 0."""
        self.see(page)
        return super().__call__(page)


class Depth(_Placed):
    """Reward 1 for every page so many links from the start, by the shortest way seen so far.

    A page that no page seen so far leads to is a start. A shorter way that is
    found later is passed on to all pages it leads to.

    >>> from lycosa.content import Table, Tables
    >>> tables = Tables(Table(), Table(["home", "people", "smith"]), Table())
    >>> home = Page(0, tables, np.array([1], np.int32))
    >>> people = Page(1, tables, np.array([2], np.int32))
    >>> near = Depth(most=1)
    >>> [near(page) for page in (home, people, Page(2, tables))], near.name
    ([1.0, 1.0, 0.0], 'depth:0-1')
    """

    counted = "depth"

    def _begin(self) -> None:
        self._depths: dict[int, int] = {}

    def _take(self, number: int, targets: Ints) -> None:
        self._depths.setdefault(number, 0)
        waiting = [number]
        while waiting:
            further: list[int] = []
            for page in waiting:
                depth = self._depths[page] + 1
                for target in self._links[page].tolist():
                    known = self._depths.get(target)
                    if known is None or depth < known:
                        self._depths[target] = depth
                        if known is not None and target in self._links:
                            further.append(target)
            waiting = further

    def count(self, page: Page) -> int:
        """How many links it is from the start."""
        return self._depths[page.number]


class InLinks(_Placed):
    """Reward 1 for every page that so many other pages seen so far lead to.

    >>> from lycosa.content import Table, Tables
    >>> tables = Tables(Table(), Table(["a", "b", "c"]), Table())
    >>> pages = [Page(n, tables, np.array([2], np.int32)) for n in range(3)]
    >>> popular = InLinks(least=2)
    >>> [popular(page) for page in pages], popular.name
    ([0.0, 0.0, 1.0], 'in-links:2-')
    """

    counted = "in-links"

    def _begin(self) -> None:
        self._counts = np.zeros(1024, np.int32)

    def _take(self, number: int, targets: Ints) -> None:
        self._counts = _grown(self._counts, number, targets)
        self._counts[targets] += 1  # the targets of a page are distinct
        self._counts[number] -= int((targets == number).sum())

    def count(self, page: Page) -> int:
        """How many pages lead to it."""
        return int(self._counts[page.number])


class PageRank(_Memory):
    """Reward 1 for every page whose PageRank in the crawl is so many times the average.

    Brin & Page, "The anatomy of a large-scale hypertextual Web search engine"
    (1998), over the links seen so far; URLs that wait count as pages that lead
    nowhere, and what leads nowhere leads everywhere. Ranks are worked out anew
    when there are a quarter more pages; in between, a page that comes passes
    its share on to where it leads, one link far.

    >>> from lycosa.content import Table, Tables
    >>> tables = Tables(Table(), Table(["a", "b", "c"]), Table())
    >>> pages = [Page(n, tables, np.array([2], np.int32)) for n in range(3)]
    >>> central = PageRank(least=1.5)
    >>> [central(page) for page in pages], central.name
    ([0.0, 0.0, 1.0], 'pagerank:1.5-')
    """

    DAMPING = 0.85
    GROWTH = 1.25
    PRECISION = 1e-3
    """Passes are made until no more than this share of all rank moves."""

    def __init__(self, least: float = 1.0) -> None:
        if not 0 < least < float("inf"):
            raise UsageError(
                f"No page has {least!r} times the average PageRank; give a number above 0."
            )
        self.least = least
        self.name = f"pagerank:{least:g}-"

    def __repr__(self) -> str:
        return f"PageRank({self.least:g})"

    def __reduce__(self) -> tuple[type[PageRank], tuple[float]]:
        # What was seen in one crawl is nothing to another process.
        return type(self), (self.least,)

    def __call__(self, page: Page) -> float:
        """1 for a page of at least that rank, else 0."""
        self.see(page)
        return 1.0 if not failed(page) and self.rank(page) >= self.least else 0.0

    def rank(self, page: Page) -> float:
        """The rank of a page that was seen; the average page has 1."""
        return float(self._ranks[page.number])

    def _begin(self) -> None:
        self._ranks = np.ones(1024)
        self._known = np.zeros(1024, np.bool_)
        self._base = 1.0
        self._due = 1.0

    def _take(self, number: int, targets: Ints) -> None:
        self._known = _grown(self._known, number, targets)
        self._ranks = _grown(self._ranks, number, targets, self._base)
        self._known[number] = True
        self._known[targets] = True
        if len(targets):
            self._ranks[targets] += self.DAMPING * self._ranks[number] / len(self._links[number])
        if len(self._links) >= self._due:
            self._compute()
            self._due = self.GROWTH * len(self._links)

    def _compute(self) -> None:
        """Power iteration from the ranks there are, over arrays of all links."""
        size, pages = len(self._known), int(self._known.sum())
        lengths = np.array([len(targets) for targets in self._links.values()])
        numbers = np.fromiter(self._links, np.int64, len(self._links))
        heads = np.concatenate(list(self._links.values()))
        leading = np.zeros(size, np.bool_)
        leading[numbers[lengths > 0]] = True
        ranks = np.where(self._known, self._ranks, 0.0)
        ranks *= pages / ranks.sum()
        moved = float("inf")
        while moved > self.PRECISION * pages:
            shares = np.repeat(ranks[numbers] / np.maximum(lengths, 1), lengths)
            lost = float(ranks[~leading].sum())
            self._base = 1 - self.DAMPING + self.DAMPING * lost / pages
            new = self.DAMPING * np.bincount(heads, shares, size)
            new[self._known] += self._base
            moved, ranks = float(np.abs(new - ranks).sum()), new
        self._ranks = np.where(self._known, ranks, self._base)


def _grown(array: NDArray[Any], number: int, targets: Ints, fill: float = 0) -> NDArray[Any]:
    """The array, longer if it must hold a page and where it leads."""
    size = max(number, int(targets.max(initial=0))) + 1
    if size <= len(array):
        return array
    return np.concatenate((array, np.full(size, fill, array.dtype)))
