"""What a search answers.

>>> Hit("w1", 2.5, (("Learning ", False), ("robots", True)), ()).title[1]
('robots', True)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

HighlightedText: TypeAlias = tuple[tuple[str, bool], ...]
"""Pieces of a text in their order, and whether each matched."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A work that was found."""

    id: str
    score: float
    title: HighlightedText
    snippet: HighlightedText
    """The part of the abstract or the text that has most of the query; … where it was cut."""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value that works found have, by which they can be narrowed."""

    value: str
    label: str
    count: int
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Results:
    """A page of what was found."""

    text: str
    notice: str
    """What could not be understood and what was done instead, in sentences; or nothing."""
    total: int
    hits: list[Hit]
    facets: Mapping[str, list[FacetValue]] = field(default_factory=dict)
    suggestion: str = ""
    """A query that finds more, spelt nearly the same; or nothing."""
    page: int = 1
    size: int = 20
    estimated: bool = False
    """Whether the counts of facets are estimates, because so much was found."""
