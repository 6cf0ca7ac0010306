"""Searching, and what helps while somebody types."""

from __future__ import annotations

from typing import Any

from lycosa.portal.api.operation import Asked, Operation, Parameter
from lycosa.portal.api.paging import SIZE, paged
from lycosa.portal.api.shapes import Shape, facet_json, hit_json
from lycosa.portal.search.results import Results

FARTHEST = 50
"""Pages of results that can be asked for; who wants more takes the export."""
FILTERS = {
    "topic": "Only works of these topics, by their paths.",
    "year": "Only works of these years: 1997, 199*, 1996..1999.",
    "author": "Only works of these authors, by their ids.",
    "venue": "Only works that were published there.",
    "type": "Only works of these types of file: pdf, html.",
    "site": "Only works from these hosts.",
}
QUERY = Parameter(
    "q",
    'Words, "phrases", AND OR NOT, fields as in author:lee and year:1996..1999, prefix*. '
    "Whatever stands there is searched for; empty is everything.",
    {"type": "string", "maxLength": 1000, "default": ""},
    example="reinforcement learning",
)
_VALUES = {"type": "array", "items": {"type": "string", "maxLength": 200}, "maxItems": 20}
NARROWING = tuple(Parameter(name, words, _VALUES) for name, words in FILTERS.items())
_PAGE = Parameter(
    "page",
    "Which page, from 1. Pages after the last are empty.",
    {"type": "integer", "minimum": 1, "maximum": FARTHEST, "default": 1},
)
_SORT = Parameter(
    "sort",
    "The best match first, the most cited, or the newest.",
    {"type": "string", "enum": ["relevance", "cited", "date"], "default": "relevance"},
)
_FACETS = Parameter(
    "facets",
    "Whether values to narrow by are counted, which takes time.",
    {"type": "boolean", "default": True},
)
_TYPED = Parameter("q", "What was typed so far.", {"type": "string", "maxLength": 200})


def narrowed(asked: Asked) -> dict[str, tuple[str, ...]]:
    """The filters that are given."""
    return {name: values for name in FILTERS if (values := tuple(filter(None, asked[name])))}


def search(asked: Asked) -> Shape:
    """What is found for a query."""
    found: Results = asked.engine.search(
        asked["q"],
        page=asked["page"],
        size=asked["size"],
        sort=asked["sort"],
        filters=narrowed(asked),
        facets=asked["facets"],
    )
    works = {work.id: work for work in asked.catalogue.works([hit.id for hit in found.hits])}
    # The index may know of a work that the catalogue does not have any more.
    items = [hit_json(asked, hit, works[hit.id]) for hit in found.hits if hit.id in works]
    links = {"html": asked.near("/search", size="", facets="")}
    links["feed"] = asked.near("/feed", size="", facets="", page="", sort="")
    if found.suggestion:
        links["suggestion"] = asked.near("/api/search", q=found.suggestion, page="")
    return {
        "q": asked["q"],
        "notice": found.notice,
        "suggestion": found.suggestion,
        "facets": {
            name: [facet_json(each) for each in values] for name, values in found.facets.items()
        },
        **paged(asked, "/api/search", found.total, items, links, FARTHEST),
    }


def complete(asked: Asked) -> Shape:
    """What somebody may be typing."""
    return {"q": asked["q"], "completions": _completions(asked)}


def suggestions(asked: Asked) -> list[Any]:
    """The same as browsers want it."""
    return [asked["q"], _completions(asked)]


def _completions(asked: Asked) -> list[str]:
    return asked.engine.complete(asked["q"]) if asked["q"].strip() else []


OPERATIONS = (
    Operation(
        "/api/search",
        "search",
        "What is found for a query",
        search,
        "Results",
        (QUERY, _PAGE, SIZE, _SORT, *NARROWING, _FACETS),
        searches=True,
    ),
    Operation(
        "/api/complete",
        "complete",
        "What somebody may be typing",
        complete,
        "Completions",
        (_TYPED,),
        searches=True,
    ),
    Operation(
        "/api/suggestions",
        "suggest",
        "The same, in the form of OpenSearch",
        suggestions,
        "Suggestions",
        (_TYPED,),
        searches=True,
        media="application/x-suggestions+json",
    ),
)
