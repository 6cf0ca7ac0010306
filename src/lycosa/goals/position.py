"""Goals by the position of a page in the link graph seen so far: depth, in-links, PageRank.

They observe every page of a crawl (`lycosa.core.ObservingGoal`). A page is added
to the graph first and rewarded then, by the graph at that moment; links found
later do not change its reward. Of a page that is shown again only new links are
added. A page of another table of URLs begins a new crawl.
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
from lycosa.goals.parametric import CountGoal


class _LinkGraphGoal(Combinable, ABC):
    """Base class: records the links of every page seen so far."""

    _urls: Strings | None = None
    _links: dict[int, Ints]

    def see(self, page: Page) -> None:
        """Add a page to the graph, or its new links."""
        if page.tables.urls is not self._urls:
            self._urls = page.tables.urls
            self._links = {}
            self._reset()
        known = self._links.get(page.number)
        if known is None:
            self._links[page.number] = page.targets
            self._add_links(page.number, page.targets)
            return
        fresh = page.targets[~np.isin(page.targets, known)]
        if len(fresh):
            self._links[page.number] = np.concatenate((known, fresh))
            self._add_links(page.number, fresh)

    @abstractmethod
    def _reset(self) -> None:
        """Forget everything but the links, for a new crawl."""

    @abstractmethod
    def _add_links(self, number: int, targets: Ints) -> None:
        """Add the new links of a page."""


class _GraphCountGoal(CountGoal, _LinkGraphGoal):
    """Base class: reward 1 where a count that depends on the graph is within a range."""

    def __reduce__(self) -> tuple[type[_GraphCountGoal], tuple[int, int | None]]:
        # The graph of a crawl means nothing in another process.
        return type(self), (self.least, self.most)

    def __call__(self, page: Page) -> float:
        """Return 1 for a page within the range, both ends included, else 0."""
        self.see(page)
        return super().__call__(page)


class Depth(_GraphCountGoal):
    """Reward 1 for every page so many links from a start, by the shortest path seen so far.

    A page without in-links so far is a start. A shorter path found later is
    passed on to all pages behind it.

    >>> from lycosa.content import Table, Tables
    >>> tables = Tables(Table(), Table(["home", "people", "smith"]), Table())
    >>> home = Page(0, tables, np.array([1], np.int32))
    >>> people = Page(1, tables, np.array([2], np.int32))
    >>> near = Depth(most=1)
    >>> [near(page) for page in (home, people, Page(2, tables))], near.name
    ([1.0, 1.0, 0.0], 'depth:0-1')
    """

    counted = "depth"

    def _reset(self) -> None:
        self._depths: dict[int, int] = {}

    def _add_links(self, number: int, targets: Ints) -> None:
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
        """Return the number of links from the start."""
        return self._depths[page.number]


class InLinks(_GraphCountGoal):
    """Reward 1 for every page with so many in-links from other pages seen so far.

    >>> from lycosa.content import Table, Tables
    >>> tables = Tables(Table(), Table(["a", "b", "c"]), Table())
    >>> pages = [Page(n, tables, np.array([2], np.int32)) for n in range(3)]
    >>> popular = InLinks(least=2)
    >>> [popular(page) for page in pages], popular.name
    ([0.0, 0.0, 1.0], 'in-links:2-')
    """

    counted = "in-links"

    def _reset(self) -> None:
        self._counts = np.zeros(1024, np.int32)

    def _add_links(self, number: int, targets: Ints) -> None:
        self._counts = _enlarge(self._counts, number, targets)
        self._counts[targets] += 1  # the targets of a page are distinct
        self._counts[number] -= int((targets == number).sum())

    def count(self, page: Page) -> int:
        """Return the number of in-links."""
        return int(self._counts[page.number])


class PageRank(_LinkGraphGoal):
    """Reward 1 for every page whose PageRank in the crawl is at least `least` times the average.

    Brin & Page, "The anatomy of a large-scale hypertextual Web search engine"
    (1998), over the links seen so far; waiting URLs count as pages without
    links, and the rank of a page without links is spread over all pages. Ranks
    are recomputed when there are a quarter more pages; in between, a new page
    passes its share on to its targets only.

    >>> from lycosa.content import Table, Tables
    >>> tables = Tables(Table(), Table(["a", "b", "c"]), Table())
    >>> pages = [Page(n, tables, np.array([2], np.int32)) for n in range(3)]
    >>> central = PageRank(least=1.5)
    >>> [central(page) for page in pages], central.name
    ([0.0, 0.0, 1.0], 'pagerank:1.5-')
    """

    DAMPING = 0.85
    GROWTH = 1.25
    """The growth in pages after which ranks are recomputed."""
    PRECISION = 1e-3
    """The iteration ends when no more than this share of all rank moves."""

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
        # The graph of a crawl means nothing in another process.
        return type(self), (self.least,)

    def __call__(self, page: Page) -> float:
        """Return 1 for a page of at least that rank, else 0."""
        self.see(page)
        return 1.0 if not failed(page) and self.rank(page) >= self.least else 0.0

    def rank(self, page: Page) -> float:
        """Return the rank of a page that was seen; the average is 1."""
        return float(self._ranks[page.number])

    def _reset(self) -> None:
        self._ranks = np.ones(1024)
        self._known = np.zeros(1024, np.bool_)
        self._base = 1.0
        self._due = 1.0

    def _add_links(self, number: int, targets: Ints) -> None:
        self._known = _enlarge(self._known, number, targets)
        self._ranks = _enlarge(self._ranks, number, targets, self._base)
        self._known[number] = True
        self._known[targets] = True
        if len(targets):
            self._ranks[targets] += self.DAMPING * self._ranks[number] / len(self._links[number])
        if len(self._links) >= self._due:
            self._compute()
            self._due = self.GROWTH * len(self._links)

    def _compute(self) -> None:
        """Compute ranks by power iteration from the present ones, over arrays of all links."""
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


def _enlarge(array: NDArray[Any], number: int, targets: Ints, fill: float = 0) -> NDArray[Any]:
    """Return the array, enlarged if it has no room for a page and its targets."""
    size = max(number, int(targets.max(initial=0))) + 1
    if size <= len(array):
        return array
    return np.concatenate((array, np.full(size, fill, array.dtype)))
