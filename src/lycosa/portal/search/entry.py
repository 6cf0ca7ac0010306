"""A work as the build hands it to the index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """The searchable content of a work.

    >>> entry = IndexEntry("w1", "paper", "Spiders that learn", authors=("Ann Lee",), year=1997)
    >>> entry.value("title")
    'Spiders that learn'
    """

    id: str
    """Of the work."""
    kind: str
    """paper or page; works that are only cited are not indexed."""
    title: str
    authors: tuple[str, ...] = ()
    """Names, as the work has them."""
    author_ids: tuple[str, ...] = ()
    """Ids, in the order of the names."""
    year: int | None = None
    date: str = ""
    """ISO 8601 as far as it is known: 1999, 1999-05, or empty."""
    venue: str = ""
    """Journal, meeting or publisher."""
    abstract: str = ""
    """Of a page: its description."""
    text: str = ""
    """The text of its best copy, without the bibliography."""
    site: str = ""
    """The host of its best copy."""
    type: str = ""
    """pdf, html, …"""
    language: str = ""
    """ISO 639-1; empty where it is not known, which is treated as English."""
    topics: tuple[str, ...] = ()
    """Ids of topics and of all their ancestors."""
    cites: tuple[str, ...] = ()
    """Ids of works."""
    cited_by: int = 0
    """How many works of the portal cite it."""
    others: Mapping[str, str] = field(default_factory=dict)
    """The values of fields of the table (`portal.fields`) that have no attribute here."""
    references: str = ""
    """The bibliography of its best copy."""
    citing: str = ""
    """Sentences of other works in which it is cited."""
    keeps_vector: bool = False
    """Whether the index has the vector of the work already, from the same title and text."""

    def value(self, name: str) -> str:
        """Return the text of a field of the table."""
        found = self.others.get(name) if name in self.others else getattr(self, name, None)
        return "" if found is None else str(found)
