"""The page of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote_plus

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from lycosa.portal.fields import SORTS
from lycosa.portal.records import Work
from lycosa.portal.search import FacetValue, Hit, Results
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.search_request import (
    FILTERS,
    MAX_PAGES,
    MAX_QUERY_LENGTH,
    PAGE_SIZE,
    SearchRequest,
    page_numbers,
)

FEW, MOST = 7, 24
"""Values of a facet that are shown at once, and with all that are folded away."""
DEEPEST = 3
"""How far topics are shown below each other; what is deeper stands there too."""


class ActiveFilter(NamedTuple):
    """A value that results are narrowed by, and where they are not."""

    name: str
    label: str
    away: str


class FacetChoice(NamedTuple):
    """A value that results could be narrowed by."""

    label: str
    works: int
    chosen: bool
    href: str
    depth: int


class ResultItem(NamedTuple):
    """A work among the results."""

    work: Work
    hit: Hit


def results(portal: Portal, request: Request) -> Response:
    """What was found for a query."""
    asked = SearchRequest.from_params(request.query_params)
    found = portal.engine.search(
        asked.text, page=asked.page, size=PAGE_SIZE, sort=asked.sort, filters=asked.filters
    )
    works = {work.id: work for work in portal.catalogue.works([hit.id for hit in found.hits])}
    labels = _Labels(portal)
    last = min(-(-found.total // PAGE_SIZE), MAX_PAGES)

    def href(other: SearchRequest) -> str:
        return portal.links.to("/search", **other.params())

    return portal.render(
        request,
        "results",
        q=asked.text,
        asked=asked,
        found=found,
        notice=_notice(asked, found),
        hits=[ResultItem(works[hit.id], hit) for hit in found.hits if hit.id in works],
        first=(asked.page - 1) * PAGE_SIZE + 1,
        corrected=href(SearchRequest(found.suggestion)) if found.suggestion else "",
        everywhere=href(replace(asked, filters={}, page=1)),
        chips=_chips(portal, labels, asked, found.facets),
        facets=_facets(portal, labels, asked, found.facets),
        few=FEW,
        sorts=[
            (label, href(replace(asked, sort=name, page=1)), name == asked.sort)
            for name, label in SORTS.items()
        ],
        pages=[
            (number, href(replace(asked, page=number)) if number else "")
            for number in (page_numbers(asked.page, last) if last > 1 else [])
        ],
        before=href(replace(asked, page=asked.page - 1)) if asked.page > 1 else "",
        after=href(replace(asked, page=asked.page + 1)) if asked.page < last else "",
        feed=portal.links.to("/feed", **replace(asked, page=1, sort="relevance").params()),
    )


def _notice(asked: SearchRequest, found: Results) -> str:
    if asked.truncated:
        cut = f"Only the first {MAX_QUERY_LENGTH:,} characters were searched for."
        return f"{cut} {found.notice}".strip()
    return found.notice


def _chips(
    portal: Portal, labels: _Labels, asked: SearchRequest, facets: Mapping[str, list[FacetValue]]
) -> list[ActiveFilter]:
    found = []
    for name, values in asked.filters.items():
        known = {facet.value: facet for facet in facets.get(name, ()) if facet.chosen}
        for value in values:
            away = portal.links.to("/search", **asked.without(name, value).params())
            label = labels.of(name, known[value]) if value in known else value
            found.append(ActiveFilter(FILTERS[name], label, away))
    return found


def _facets(
    portal: Portal, labels: _Labels, asked: SearchRequest, facets: Mapping[str, list[FacetValue]]
) -> list[tuple[str, str, list[FacetChoice]]]:
    found = []
    # There are many of these links, and most add one value to what was asked for.
    here = escape(portal.links.to("/search", **replace(asked, page=1).params()))
    for name, title in FILTERS.items():
        values = facets.get(name, [])
        values = _as_tree(values) if name == "topic" else values
        choices = []
        for facet in [*values[:MOST], *(each for each in values[MOST:] if each.chosen)]:
            more = f"{here}&amp;{name}={_quoted(facet.value)}"
            href: str = Markup(more)  # noqa: S704 - both parts are escaped
            if facet.chosen:
                away = asked.without(name, facet.value)
                href = portal.links.to("/search", **away.params())
            depth = min(facet.value.count("/"), DEEPEST) if name == "topic" else 0
            label = labels.of(name, facet)
            choices.append(FacetChoice(label, facet.count, facet.chosen, href, depth))
        if choices:
            found.append((name, title, choices))
    return found


def _as_tree(topics: Sequence[FacetValue]) -> list[FacetValue]:
    """Topics below those above them, those of most works first."""
    counts = {facet.value: facet.count for facet in topics}

    def place(facet: FacetValue) -> list[tuple[int, str]]:
        parts = facet.value.split("/")
        above = ["/".join(parts[: k + 1]) for k in range(len(parts))]
        return [(-counts.get(path, 0), path) for path in above]

    return sorted(topics, key=place)


class _Labels:
    """What people call values."""

    def __init__(self, portal: Portal) -> None:
        self._catalogue = portal.catalogue
        self._topics = portal.topic_names()

    def of(self, name: str, facet: FacetValue) -> str:
        """The name of a value."""
        if name == "topic":
            return self._topics.get(facet.value, facet.label)
        if name == "author" and facet.label == facet.value:
            known = self._catalogue.author(facet.value)
            return known.name if known else facet.label
        return facet.label.upper() if name == "type" and len(facet.label) <= 4 else facet.label


@lru_cache(maxsize=4096)
def _quoted(value: str) -> str:
    """A value as a part of an address; nothing is left in it that HTML would mistake."""
    return quote_plus(value)
