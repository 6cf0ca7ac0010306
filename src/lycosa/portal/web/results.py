"""The page of search results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote_plus

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from lycosa.portal.exports import EXPORTS
from lycosa.portal.fields import FACETS, SORTS
from lycosa.portal.formats import bibtex, plain, ris
from lycosa.portal.languages import Language
from lycosa.portal.message import Message
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
from lycosa.portal.web.year_range import SEPARATOR, YearRange

MAX_OPEN_VALUES, MAX_VALUES = 7, 24
"""Values of a facet that are shown, without and with those folded away."""
MAX_DEPTH = 3
"""Levels of topics that are indented; deeper topics are indented as much as the last."""


class ActiveFilter(NamedTuple):
    """A value that filters the results.

    `name` is the title of the facet and `label` the value, both as shown; `remove_url` is the URL
    of the results without this filter.
    """

    name: str
    label: str
    remove_url: str


class FacetChoice(NamedTuple):
    """A value of a facet that a page of results offers.

    `label` is the value as shown, `works` how many results have it, and `chosen` whether it is a
    filter already. `href` adds it to the filters, or removes it if it is chosen. `depth` is the
    indentation of a topic, at most `MAX_DEPTH`; 0 for other facets.
    """

    label: str
    works: int
    chosen: bool
    href: str
    depth: int


class ResultItem(NamedTuple):
    """A work among the results, with its hit, and how it is cited by the names of formats."""

    work: Work
    hit: Hit
    citations: Mapping[str, str]


def results(portal: Portal, request: Request) -> Response:
    """Render the results of a query."""
    search = SearchRequest.from_params(request.query_params)
    found = portal.engine.search(
        search.text, page=search.page, size=PAGE_SIZE, sort=search.sort, filters=search.filters
    )
    works = {work.id: work for work in portal.catalogue.works([hit.id for hit in found.hits])}
    labels = _FacetLabels(portal, portal.language(request))
    last = min(-(-found.total // PAGE_SIZE), MAX_PAGES)

    def href(other: SearchRequest) -> str:
        return portal.links.to("/search", **other.params())

    return portal.render(
        request,
        "results",
        q=search.text,
        search=search,
        found=found,
        notices=_notices(search, found),
        hits=[
            ResultItem(work, hit, _citations(work))
            for hit in found.hits
            if (work := works.get(hit.id)) is not None
        ],
        years=YearRange.of(found.facets.get("year", ()), search.filters.get("year", ())),
        kept_params=[
            (name, value)
            for name, values in search.params().items()
            if name not in ("page", "year")
            for value in ([values] if isinstance(values, str) else values)
        ],
        why=_explanations(portal, search),
        first=(search.page - 1) * PAGE_SIZE + 1,
        suggestion_url=href(SearchRequest(found.suggestion)) if found.suggestion else "",
        unfiltered=href(replace(search, filters={}, page=1)),
        active_filters=_active_filters(portal, labels, search, found.facets),
        facets=_facets(portal, labels, search, found.facets),
        max_open=MAX_OPEN_VALUES,
        sorts=[
            (label, href(replace(search, sort=name, page=1)), name == search.sort)
            for name, label in SORTS.items()
        ],
        pages=[
            (number, href(replace(search, page=number)) if number else "")
            for number in (page_numbers(search.page, last) if last > 1 else [])
        ],
        previous_page=href(replace(search, page=search.page - 1)) if search.page > 1 else "",
        next_page=href(replace(search, page=search.page + 1)) if search.page < last else "",
        feed=portal.links.to("/feed", **replace(search, page=1, sort="relevance").params()),
    )


def _citations(work: Work) -> dict[str, str]:
    """Return how a work is cited, without its abstract, in the formats that people paste."""
    brief = replace(work, abstract="")
    return {
        "": plain(brief),
        EXPORTS["bib"].label: bibtex([brief]).strip(),
        EXPORTS["ris"].label: ris(brief).strip(),
    }


def _explanations(portal: Portal, search: SearchRequest) -> str:
    """Return the URL of explanations up to the id of the work; empty if there are none."""
    if not search.text or search.sort != "relevance":
        return ""
    return portal.links.to("/why", **replace(search, page=1).params(), work="")


def _notices(search: SearchRequest, found: Results) -> list[str]:
    if not search.truncated:
        return [*found.notices]
    cut = Message(
        "The query is too long: only its first %(length)s characters were searched.",
        length=MAX_QUERY_LENGTH,
    )
    return [cut, *found.notices]


def _active_filters(
    portal: Portal,
    labels: _FacetLabels,
    search: SearchRequest,
    facets: Mapping[str, list[FacetValue]],
) -> list[ActiveFilter]:
    found = []
    for name, values in search.filters.items():
        known = {facet.value: facet for facet in facets.get(name, ()) if facet.chosen}
        for value in values:
            url = portal.links.to("/search", **search.without(name, value).params())
            label = labels.of(name, known.get(value) or FacetValue(value, value, 0))
            found.append(ActiveFilter(FILTERS[name], label, url))
    return found


def _facets(
    portal: Portal,
    labels: _FacetLabels,
    search: SearchRequest,
    facets: Mapping[str, list[FacetValue]],
) -> list[tuple[str, str, list[FacetChoice]]]:
    found = []
    # A page has over a hundred of these links, and most only add one value to the current URL.
    here = escape(portal.links.to("/search", **replace(search, page=1).params()))
    for name, title in FILTERS.items():
        values = facets.get(name, [])
        values = _as_tree(values) if name == "topic" else values
        choices = []
        for facet in [*values[:MAX_VALUES], *(each for each in values[MAX_VALUES:] if each.chosen)]:
            more = f"{here}&amp;{name}={_quote(facet.value)}"
            href: str = Markup(more)  # noqa: S704 - both parts are escaped
            if facet.chosen:
                others = search.without(name, facet.value)
                href = portal.links.to("/search", **others.params())
            depth = min(facet.value.count("/"), MAX_DEPTH) if name == "topic" else 0
            label = labels.of(name, facet)
            choices.append(FacetChoice(label, facet.count, facet.chosen, href, depth))
        if choices:
            found.append((name, title, choices))
    return found


def _as_tree(topics: Sequence[FacetValue]) -> list[FacetValue]:
    """Order topics as a tree, those with the most works first."""
    counts = {facet.value: facet.count for facet in topics}

    def path_of_counts(facet: FacetValue) -> list[tuple[int, str]]:
        parts = facet.value.split("/")
        above = ["/".join(parts[: k + 1]) for k in range(len(parts))]
        return [(-counts.get(path, 0), path) for path in above]

    return sorted(topics, key=path_of_counts)


class _FacetLabels:
    """Display names of the values of facets."""

    def __init__(self, portal: Portal, language: Language) -> None:
        self._language = language
        self._catalogue = portal.catalogue
        self._topics = portal.topic_names()

    def of(self, name: str, facet: FacetValue) -> str:
        """Return the display name of a value."""
        if name == "year":
            return facet.label.replace(SEPARATOR, "\N{EN DASH}")
        if name == "topic":
            return self._topics.get(facet.value, facet.label)
        if name == "author" and facet.label == facet.value:
            known = self._catalogue.author(facet.value)
            return known.name if known else facet.label
        if FACETS[name].spec.names:
            return self._language.translate(facet.label)
        return facet.label.upper() if name == "type" and len(facet.label) <= 4 else facet.label


@lru_cache(maxsize=4096)
def _quote(value: str) -> str:
    """Percent-encode a value for a URL, which also escapes it for HTML."""
    return quote_plus(value)
