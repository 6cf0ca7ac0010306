"""What browsers and crawlers look for: OpenSearch, sitemaps, robots.txt."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from lycosa.portal.api.feeds import ATOM, instant
from lycosa.portal.api.operation import Asked, Operation, Parameter
from lycosa.portal.api.problems import Problem
from lycosa.portal.api.xml import HEAD, element

XML = "application/xml"
PART = 50_000
"""Addresses in one map; the protocol allows no more."""
CLOSED = (
    "/search", "/api", "/feed", "/export/", "/correct", "/dashboard", "/sign-in", "/openapi.json",
)  # fmt: skip
"""Where crawlers find nothing but the same again, or nothing at all."""
_MAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_TERMS = "{searchTerms}"


def opensearch(asked: Asked) -> str:
    """How browsers add the portal to their search engines."""
    meta = asked.catalogue.meta
    title = meta.get("title") or "Search"
    found = element(
        "OpenSearchDescription",
        element("ShortName", title[:16]),
        element("LongName", title[:48]),
        element("Description", (meta.get("description") or title)[:1024]),
        element("InputEncoding", "UTF-8"),
        element("OutputEncoding", "UTF-8"),
        *(
            element("Url", type=kind, method="get", template=f"{asked.url(path)}?q={_TERMS}")
            for kind, path in (
                ("text/html", "/search"),
                (ATOM, "/feed"),
                ("application/x-suggestions+json", "/api/suggestions"),
            )
        ),
        element(
            "Url",
            type="application/opensearchdescription+xml",
            rel="self",
            template=asked.url("/opensearch.xml"),
        ),
        xmlns="http://a9.com/-/spec/opensearch/1.1/",
    )
    return f"{HEAD}{found}\n"


def sitemap(asked: Asked) -> str:
    """The list of all maps: the first of pages and topics, the others of works."""
    built = instant(asked.catalogue.meta.get("built", ""))
    total = sum(number for kind, number in asked.catalogue.counts().items() if kind != "cited")
    changed = [element("lastmod", built)] if built else []
    maps = [
        element("sitemap", element("loc", asked.url(f"/sitemap/{number}.xml")), *changed)
        for number in range(-(-total // PART) + 1)
    ]
    return f"{HEAD}{element('sitemapindex', *maps, xmlns=_MAPS)}\n"


def part(asked: Asked) -> str:
    """One map."""
    number = asked["number"]
    if number:
        names = asked.catalogue.names(PART, (number - 1) * PART)
        if not names:
            raise Problem(404, f"There is no map {number}.")
        return _map(asked, (f"/work/{name}" for name in names))
    topics = [f"/topic/{topic.id}" for topic in asked.catalogue.topics()]
    return _map(asked, ["/", "/topics", "/about", *topics][:PART])


def _map(asked: Asked, paths: Iterable[str]) -> str:
    urls = (element("url", element("loc", asked.url(path))) for path in paths)
    return f"{HEAD}{element('urlset', *urls, xmlns=_MAPS)}\n"


def robots(asked: Asked) -> str:
    """What crawlers may read: the pages, and nothing that is made for each question."""
    closed = [f"Disallow: {urlsplit(asked.url(path)).path}" for path in CLOSED]
    return "\n".join(["User-agent: *", *closed, "", f"Sitemap: {asked.url('/sitemap.xml')}", ""])


OPERATIONS = (
    Operation(
        "/opensearch.xml",
        "opensearch",
        "The OpenSearch description",
        opensearch,
        media="application/opensearchdescription+xml",
    ),
    Operation("/sitemap.xml", "sitemap", "The list of sitemaps", sitemap, media=XML),
    Operation(
        "/sitemap/{number}.xml",
        "sitemapPart",
        "A sitemap: 0 is of pages and topics, the others are of works",
        part,
        parameters=(
            Parameter(
                "number", "From 0.",
                {"type": "integer", "minimum": 0, "maximum": 1_000_000}, "path",
            ),
        ),
        media=XML,
    ),
    Operation("/robots.txt", "robots", "What crawlers may read", robots, media="text/plain"),
)  # fmt: skip
