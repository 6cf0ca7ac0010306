"""Records that the catalogue returns to pages, API and exports; works are in `fields`."""

from __future__ import annotations

from dataclasses import dataclass

from lycosa.portal.fields import Author, Fact, TopicAssignment, Work

__all__ = [
    "Author",
    "Citation",
    "Copy",
    "Document",
    "Fact",
    "TopicAssignment",
    "TopicRecord",
    "Work",
]


@dataclass(frozen=True, slots=True)
class Copy:
    """A document of a work: where it was found, and what it is."""

    id: str
    """d and a hash of the URL."""
    url: str
    """Canonical, after redirects."""
    time: str
    """When it was fetched, ISO 8601."""
    type: str
    """MIME type."""
    bytes: int
    """Size of the body."""
    digest: str
    """Of the body; equal for equal bodies."""
    title: str
    """As read from this copy; the work may have another."""
    step: int
    """Of the crawl, in crawl.db."""
    gone: str = ""
    """Since when its URL is dead, ISO 8601; empty if it is not, or that is not known."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document with its text."""

    copy: Copy
    """Where and when it was found."""
    kind: str
    """`paper`, `page`, or `none` if it cannot be shown."""
    outcome: str
    """`text`, or the reason why there is none: encrypted, damaged, …"""
    confidence: float
    """The probability that it is a paper."""
    date: str
    """ISO 8601 as far as it is known: 1999, 1999-05, or empty."""
    language: str
    """ISO 639-1, or empty."""
    abstract: str
    """Of a page: its description."""
    text: str
    work: str
    """The id of its work; empty if it has none."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation seen from one of its two works: the other work, and the sentences that cite."""

    work: Work
    number: int = 0
    """In the list of references; 0 if it is not known."""
    text: str = ""
    """As the reference was printed."""
    contexts: tuple[str, ...] = ()
    """The sentences around the citation; empty if none was found."""
    confidence: float = 1.0
    """The probability that this work is meant."""


@dataclass(frozen=True, slots=True)
class TopicRecord:
    """A topic of the tree."""

    id: str
    """Its path for a URL: machine-learning/neural-networks."""
    name: str
    """As the topics file has it."""
    parent: str | None
    """The id of the topic above it; None at the top."""
    note: str
    """The description in the topics file, or empty."""
    works: int
    """How many works are in it and below it."""
    words: tuple[str, ...] = ()
    """The words that distinguish its works, the most distinctive first."""
    depth: int = 0
    """Levels above it; 0 at the top."""
