"""Goal: a list of URLs, as experiments use it."""

from __future__ import annotations

from collections.abc import Iterable

from lycosa.content import Strings
from lycosa.core import Page, Site
from lycosa.goals.combined import Combinable


class Listed(Combinable):
    """A goal that gives reward 1 to every URL of a list, and 0 to all others.

    `name` is the goal's name in reports and messages; `urls` are canonical.

    >>> from lycosa.content import Table, Tables
    >>> tables = Tables(Table(), Table(["http://a.edu/", "http://a.edu/p.pdf"]), Table())
    >>> papers = Listed("papers", ["http://a.edu/p.pdf"])
    >>> papers(Page(0, tables)), papers(Page(1, tables))
    (0.0, 1.0)
    """

    def __init__(self, name: str, urls: Iterable[str]) -> None:
        self.name = name
        self.urls = frozenset(urls)
        self._numbers: frozenset[int] = frozenset()
        self._table: Strings | None = None

    @classmethod
    def of(cls, site: Site, name: str) -> Listed:
        """Return the goal of a site's targets; on pages of that site it compares numbers only."""
        table = site.tables.urls
        numbers = site.wanted(name).tolist()
        goal = cls(name, (table[number] for number in numbers))
        goal._numbers = frozenset(numbers)
        goal._table = table
        return goal

    def __repr__(self) -> str:
        return f"<Listed {self.name}: {len(self.urls)} URLs>"

    def __call__(self, page: Page) -> float:
        """Return 1 for a page whose URL is listed, else 0."""
        if page.tables.urls is self._table:
            return 1.0 if page.number in self._numbers else 0.0
        return 1.0 if page.url in self.urls else 0.0
