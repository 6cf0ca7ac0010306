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
    confidence: float
    """The probability that it is a paper."""
    date: str
    language: str
    abstract: str
    text: str
    work: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation seen from one of its two works: the other work, and the sentences that cite."""

    work: Work
    number: int = 0
    """In the list of references; 0 if it is not known."""
    text: str = ""
    """As the reference was printed."""
    contexts: tuple[str, ...] = ()
    confidence: float = 1.0
    """The probability that this work is meant."""


@dataclass(frozen=True, slots=True)
class TopicRecord:
    """A topic of the tree, with the number of its works and its telling words."""

    id: str
    name: str
    parent: str | None
    note: str
    works: int
    words: tuple[str, ...] = ()
    depth: int = 0
