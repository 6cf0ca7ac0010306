"""Operations of search and completion."""

from __future__ import annotations

from typing import Any

from lycosa.portal.api.operation import ApiRequest, Operation, Parameter
from lycosa.portal.api.paging import SIZE, page_json
from lycosa.portal.api.problems import MovedPermanently, Problem
from lycosa.portal.api.shapes import Shape, explanation_json, facet_json, hit_json
from lycosa.portal.fields import FACETS, SORTS, facet_spec
from lycosa.portal.search.results import Results

MAX_PAGES = 50
"""Pages of results; clients that need more use an export."""
FILTERS = {name: facet_spec(name).about for name in FACETS}
QUERY = Parameter(
    "q",
    'Words, which rank works, and what works must have: +word, "phrases", AND OR NOT, -word, '
    "fields as in author:lee and year:1996..1999, prefix*. Any text is accepted; an empty one "
    "matches all works.",
    {"type": "string", "maxLength": 1000, "default": ""},
    example="reinforcement learning",
)
_VALUES = {"type": "array", "items": {"type": "string", "maxLength": 200}, "maxItems": 20}
FILTER_PARAMETERS = tuple(Parameter(name, words, _VALUES) for name, words in FILTERS.items())
_PAGE = Parameter(
    "page",
    "The number of the page, from 1. Pages after the last are empty.",
    {"type": "integer", "minimum": 1, "maximum": MAX_PAGES, "default": 1},
)
_SORT = Parameter(
    "sort",
    "The best match first, the most cited first, what was found last first, or the newest first.",
    {"type": "string", "enum": list(SORTS), "default": "relevance"},
)
_FACETS = Parameter(
    "facets",
    "Whether to count the values of facets, which takes time.",
    {"type": "boolean", "default": True},
)
_WORK = Parameter("work", "The id of a work.", {"type": "string", "minLength": 1, "maxLength": 100})
_TYPED = Parameter("q", "The text typed so far.", {"type": "string", "maxLength": 200})


def active_filters(request: ApiRequest) -> dict[str, tuple[str, ...]]:
    """Return the filters that a request gives."""
    return {name: values for name in FILTERS if (values := tuple(filter(None, request[name])))}


def search(request: ApiRequest) -> Shape:
    """Return a page of results for a query."""
    found: Results = request.engine.search(
        request["q"],
        page=request["page"],
        size=request["size"],
        sort=request["sort"],
        filters=active_filters(request),
        facets=request["facets"],
    )
    works = {work.id: work for work in request.catalogue.works([hit.id for hit in found.hits])}
    # The index may still have a work that the catalogue has no longer.
    items = [hit_json(request, hit, works[hit.id]) for hit in found.hits if hit.id in works]
    links = {"html": request.url_with("/search", size="", facets="")}
    links["feed"] = request.url_with("/feed", size="", facets="", page="", sort="")
    if found.suggestion:
        links["suggestion"] = request.url_with("/api/search", q=found.suggestion, page="")
    return {
        "q": request["q"],
        "notice": found.notice,
        "complete": found.complete,
        "approximate": found.approximate,
        "suggestion": found.suggestion,
        "facets": {
            name: [facet_json(each) for each in values] for name, values in found.facets.items()
        },
        **page_json(request, "/api/search", found.total, items, links, MAX_PAGES),
    }


def explain(request: ApiRequest) -> Shape:
    """Return why a work is among the results of a query."""
    work_id = request["work"]
    work = request.catalogue.work(work_id)
    if work is None:
        if new := request.catalogue.moved(work_id):
            raise MovedPermanently(request.url_with("/api/explain", work=new))
        raise Problem(404, f"There is no work {work_id[:50]!r}.", parameter="work")
    found = request.engine.explain(request["q"], work_id, filters=active_filters(request))
    if found is None:
        raise Problem(404, f"Searches do not find the work {work_id!r}.", parameter="work")
    return explanation_json(request, found, work)


def complete(request: ApiRequest) -> Shape:
    """Return completions of the text typed so far."""
    return {"q": request["q"], "completions": _completions(request)}


def suggestions(request: ApiRequest) -> list[Any]:
    """Return completions in the format of OpenSearch suggestions."""
    return [request["q"], _completions(request)]


def _completions(request: ApiRequest) -> list[str]:
    return request.engine.complete(request["q"]) if request["q"].strip() else []


OPERATIONS = (
    Operation(
        "/api/search",
        "search",
        "Search results for a query",
        search,
        "Results",
        (QUERY, _PAGE, SIZE, _SORT, *FILTER_PARAMETERS, _FACETS),
        uses_index=True,
    ),
    Operation(
        "/api/explain",
        "explain",
        "Why a work is among the results of a query by relevance",
        explain,
        "Explanation",
        (QUERY, _WORK, *FILTER_PARAMETERS),
        uses_index=True,
        may_redirect=True,
    ),
    Operation(
        "/api/complete",
        "complete",
        "Completions of the text typed so far",
        complete,
        "Completions",
        (_TYPED,),
        uses_index=True,
    ),
    Operation(
        "/api/suggestions",
        "suggest",
        "Completions in the format of OpenSearch",
        suggestions,
        "Suggestions",
        (_TYPED,),
        uses_index=True,
        media="application/x-suggestions+json",
    ),
)
