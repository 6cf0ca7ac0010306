"""What the index is told of a work."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A work as it can be found.

    >>> Entry("w1", "paper", "Spiders that learn", authors=("Ann Lee",), year=1997).title
    'Spiders that learn'
    """

    id: str
    kind: str
    title: str
    authors: tuple[str, ...] = ()
    """Their names, as the work has them."""
    author_ids: tuple[str, ...] = ()
    """Their ids, in the order of the names."""
    year: int | None = None
    date: str = ""
    """ISO 8601 as far as it is known: 1999, 1999-05, or empty."""
    venue: str = ""
    abstract: str = ""
    text: str = ""
    site: str = ""
    type: str = ""
    """pdf, html, …"""
    language: str = ""
    """ISO 639-1; empty where it is not known, which is taken for English."""
    topics: tuple[str, ...] = ()
    """Their ids, those above them included."""
    cites: tuple[str, ...] = ()
    """The ids of works."""
    cited_by: int = 0
