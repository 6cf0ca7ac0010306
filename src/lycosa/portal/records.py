"""What the portal shows, as the pages, the API and the exports get it from the catalogue.

>>> author = Author("lee-a", "Ann Lee")
>>> work = Work("w1", "paper", "Spiders that learn", (author,), 1997)
>>> work.byline
'Ann Lee'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Author:
    """Somebody who wrote a work, as the work has the name."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A field of a work, how sure it is, and where it is from."""

    value: str
    sure: float
    source: str
    """`header` and `references` and `person`: who said so; or the id of a document."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A topic of a work, and how sure that is."""

    topic: str
    name: str
    sure: float


@dataclass(frozen=True, slots=True)
class Work:
    """A paper in all its copies, a web page, or a work that is only cited."""

    id: str
    kind: str
    title: str
    authors: tuple[Author, ...] = ()
    year: int | None = None
    date: str = ""
    venue: str = ""
    volume: str = ""
    pages: str = ""
    abstract: str = ""
    language: str = ""
    site: str = ""
    url: str = ""
    """Of its best copy; empty for what is only cited."""
    document: str = ""
    type: str = ""
    """The MIME type of its best copy; empty for what is only cited."""
    cited_by: int = 0
    cites: int = 0
    rank: float = 0.0
    topics: tuple[Placed, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """Empty where works are listed."""

    @property
    def byline(self) -> str:
        """Who wrote it, on one line."""
        return ", ".join(author.name for author in self.authors)


@dataclass(frozen=True, slots=True)
class Copy:
    """A document of a work: where it was found, and what it is."""

    id: str
    url: str
    time: str
    type: str
    bytes: int
    digest: str
    title: str
    step: int


@dataclass(frozen=True, slots=True)
class Document:
    """A document with its text."""

    copy: Copy
    kind: str
    outcome: str
    sure: float
    """The probability that it is a paper."""
    date: str
    language: str
    abstract: str
    text: str
    work: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A work on the other side of a citation, and the sentences that cite."""

    work: Work
    number: int = 0
    """In the list of references; 0 where it is the other work's list."""
    text: str = ""
    """As the reference was printed."""
    contexts: tuple[str, ...] = ()
    sure: float = 1.0


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the tree."""

    id: str
    name: str
    parent: str | None
    note: str
    works: int
    words: tuple[str, ...] = ()
    depth: int = 0
