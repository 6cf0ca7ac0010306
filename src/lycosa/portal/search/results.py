"""Search results: a page of hits with facets, notices and a suggested query.

>>> Hit("w1", 2.5, (("Learning ", False), ("robots", True)), ()).title[1]
('robots', True)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from lycosa.portal.search.ranker import Signals

HighlightedText: TypeAlias = tuple[tuple[str, bool], ...]
"""The pieces of a text in order, each with whether it matched the query."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A work that matches a query."""

    id: str
    """Of the work."""
    score: float
    """The value that hits are sorted by: the relevance, or the field of another order."""
    title: HighlightedText
    """The title, matches marked."""
    snippet: HighlightedText
    """The part of the abstract or the text that matches the query best; … marks a cut."""
    signals: Signals | None = None
    """What its score is made of; None if it was not ranked by free words, or far behind."""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a facet, by which results can be filtered."""

    value: str
    """As filters of a search take it."""
    label: str
    """As it is shown to readers."""
    count: int
    """Matching works that have the value; an estimate if `Results.estimated`."""
    chosen: bool = False
    """Whether results are filtered by it already."""


@dataclass(frozen=True, slots=True)
class Results:
    """A page of search results."""

    text: str
    """The query as it was typed."""
    notices: tuple[str, ...]
    """Sentences about parts of the query that were repaired or ignored."""
    total: int
    """How many works match, on all pages; see `approximate`."""
    hits: list[Hit]
    """Those of this page, in the requested order."""
    facets: Mapping[str, list[FacetValue]] = field(default_factory=dict)
    """The values of each facet by its name; empty if they were not asked for."""
    suggestion: str = ""
    """A query with corrected spelling that matches more works; empty if there is none."""
    page: int = 1
    """Its number, from 1."""
    size: int = 20
    """The most hits of a page."""
    complete: int | None = None
    """How many of them have all words that only rank; None if the query has no such words."""
    estimated: bool = False
    """Whether facets were counted on a sample, as they are when very many works match."""
    approximate: bool = False
    """Whether the total is an estimate, as it is when very many works have some of the words."""

    @property
    def notice(self) -> str:
        """The notices in English, one after the other; empty if there are none."""
        return " ".join(self.notices)
