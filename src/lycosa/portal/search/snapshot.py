"""A snapshot of the index: its state as of one commit, with what is cached about it."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tantivy import Schema, Searcher

from lycosa.portal.search.bounded_cache import BoundedCache
from lycosa.portal.search.cost import CostModel
from lycosa.portal.search.meaning import Meaning
from lycosa.portal.search.query import QueryBuilder
from lycosa.portal.search.ranker import Ranker
from lycosa.portal.search.results import FacetValue
from lycosa.portal.search.spelling import Spelling
from lycosa.portal.search.vocabulary import Vocabulary

MAX_CACHED_FACETS = 256
"""Queries whose facets are cached until the next commit."""

FacetCounts: TypeAlias = tuple[Mapping[str, list[FacetValue]], bool]
"""The values of each facet, and whether their counts are estimates."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What searches of one state of the index share."""

    stamp: tuple[int, ...]
    """Identifies the state."""
    searcher: Searcher
    schema: Schema
    vocabulary: Vocabulary
    spelling: Spelling
    queries: QueryBuilder
    costs: CostModel
    ranker: Ranker
    meaning: Meaning
    labels: MutableMapping[int, tuple[str, str]]
    """The value and the label of each code."""
    frequencies: MutableMapping[str, int]
    """In how many works a term of titles and abstracts occurs."""
    facets: MutableMapping[tuple[object, ...], FacetCounts] = field(
        default_factory=lambda: BoundedCache(MAX_CACHED_FACETS)
    )
    """The facets of recent queries."""
