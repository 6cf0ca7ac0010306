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

from lycosa.portal.records import Work
from lycosa.portal.search import Facet, Hit, Results
from lycosa.portal.web.asked import FILTERS, LONGEST, PAGES, SIZE, SORTS, Asked, around
from lycosa.portal.web.portal import Portal

FEW, MOST = 7, 24
"""Values of a facet that are shown at once, and with all that are folded away."""
DEEPEST = 3
"""How far topics are shown below each other; what is deeper stands there too."""


class Chip(NamedTuple):
    """A value that results are narrowed by, and where they are not."""

    name: str
    label: str
    away: str


class Choice(NamedTuple):
    """A value that results could be narrowed by."""

    label: str
    works: int
    chosen: bool
    href: str
    depth: int


class Found(NamedTuple):
    """A work among the results."""

    work: Work
    hit: Hit


def results(portal: Portal, request: Request) -> Response:
    """What was found for a query."""
    asked = Asked.read(request.query_params)
    found = portal.engine.search(
        asked.text, page=asked.page, size=SIZE, sort=asked.sort, filters=asked.filters
    )
    works = {work.id: work for work in portal.catalogue.works([hit.id for hit in found.hits])}
    labels = _Labels(portal)
    last = min(-(-found.total // SIZE), PAGES)

    def href(other: Asked) -> str:
        return portal.links.to("/search", **other.query())

    return portal.page(
        request,
        "results",
        q=asked.text,
        asked=asked,
        found=found,
        notice=_notice(asked, found),
        hits=[Found(works[hit.id], hit) for hit in found.hits if hit.id in works],
        first=(asked.page - 1) * SIZE + 1,
        corrected=href(Asked(found.suggestion)) if found.suggestion else "",
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
            for number in (around(asked.page, last) if last > 1 else [])
        ],
        before=href(replace(asked, page=asked.page - 1)) if asked.page > 1 else "",
        after=href(replace(asked, page=asked.page + 1)) if asked.page < last else "",
        feed=portal.links.to("/feed", **replace(asked, page=1, sort="relevance").query()),
    )


def _notice(asked: Asked, found: Results) -> str:
    if asked.cut:
        cut = f"Only the first {LONGEST:,} characters were searched for."
        return f"{cut} {found.notice}".strip()
    return found.notice


def _chips(
    portal: Portal, labels: _Labels, asked: Asked, facets: Mapping[str, list[Facet]]
) -> list[Chip]:
    found = []
    for name, values in asked.filters.items():
        known = {facet.value: facet for facet in facets.get(name, ()) if facet.chosen}
        for value in values:
            away = portal.links.to("/search", **asked.without(name, value).query())
            label = labels.of(name, known[value]) if value in known else value
            found.append(Chip(FILTERS[name], label, away))
    return found


def _facets(
    portal: Portal, labels: _Labels, asked: Asked, facets: Mapping[str, list[Facet]]
) -> list[tuple[str, str, list[Choice]]]:
    found = []
    # There are many of these links, and most add one value to what was asked for.
    here = escape(portal.links.to("/search", **replace(asked, page=1).query()))
    for name, title in FILTERS.items():
        values = facets.get(name, [])
        values = _as_tree(values) if name == "topic" else values
        choices = []
        for facet in [*values[:MOST], *(each for each in values[MOST:] if each.chosen)]:
            more = f"{here}&amp;{name}={_quoted(facet.value)}"
            href: str = Markup(more)  # noqa: S704 - both parts are escaped
            if facet.chosen:
                away = asked.without(name, facet.value)
                href = portal.links.to("/search", **away.query())
            depth = min(facet.value.count("/"), DEEPEST) if name == "topic" else 0
            label = labels.of(name, facet)
            choices.append(Choice(label, facet.count, facet.chosen, href, depth))
        if choices:
            found.append((name, title, choices))
    return found


def _as_tree(topics: Sequence[Facet]) -> list[Facet]:
    """Topics below those above them, those of most works first."""
    counts = {facet.value: facet.count for facet in topics}

    def place(facet: Facet) -> list[tuple[int, str]]:
        parts = facet.value.split("/")
        above = ["/".join(parts[: k + 1]) for k in range(len(parts))]
        return [(-counts.get(path, 0), path) for path in above]

    return sorted(topics, key=place)


class _Labels:
    """What people call values."""

    def __init__(self, portal: Portal) -> None:
        self._catalogue = portal.catalogue
        self._topics = portal.topic_names()

    def of(self, name: str, facet: Facet) -> str:
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
