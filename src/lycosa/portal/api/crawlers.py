"""What browsers and crawlers look for: OpenSearch, sitemaps, robots.txt."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from lycosa.portal.api.feeds import ATOM, instant
from lycosa.portal.api.operation import ApiRequest, Operation, Parameter
from lycosa.portal.api.problems import Problem
from lycosa.portal.api.xml import HEAD, element

XML = "application/xml"
URLS_PER_SITEMAP = 50_000
"""Addresses in one map; the protocol allows no more."""
DISALLOWED = (
    "/search", "/api", "/feed", "/export/", "/correct", "/dashboard", "/sign-in", "/openapi.json",
)  # fmt: skip
"""Where crawlers find nothing but the same again, or nothing at all."""
_MAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_TERMS = "{searchTerms}"


def opensearch(request: ApiRequest) -> str:
    """How browsers add the portal to their search engines."""
    meta = request.catalogue.meta
    title = meta.get("title") or "Search"
    found = element(
        "OpenSearchDescription",
        element("ShortName", title[:16]),
        element("LongName", title[:48]),
        element("Description", (meta.get("description") or title)[:1024]),
        element("InputEncoding", "UTF-8"),
        element("OutputEncoding", "UTF-8"),
        *(
            element("Url", type=kind, method="get", template=f"{request.url(path)}?q={_TERMS}")
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
            template=request.url("/opensearch.xml"),
        ),
        xmlns="http://a9.com/-/spec/opensearch/1.1/",
    )
    return f"{HEAD}{found}\n"


def sitemap(request: ApiRequest) -> str:
    """The list of all maps: the first of pages and topics, the others of works."""
    built = instant(request.catalogue.meta.get("built", ""))
    total = sum(number for kind, number in request.catalogue.counts().items() if kind != "cited")
    changed = [element("lastmod", built)] if built else []
    maps = [
        element("sitemap", element("loc", request.url(f"/sitemap/{number}.xml")), *changed)
        for number in range(-(-total // URLS_PER_SITEMAP) + 1)
    ]
    return f"{HEAD}{element('sitemapindex', *maps, xmlns=_MAPS)}\n"


def part(request: ApiRequest) -> str:
    """One map."""
    number = request["number"]
    if number:
        names = request.catalogue.names(URLS_PER_SITEMAP, (number - 1) * URLS_PER_SITEMAP)
        if not names:
            raise Problem(404, f"There is no map {number}.")
        return _map(request, (f"/work/{name}" for name in names))
    topics = [f"/topic/{topic.id}" for topic in request.catalogue.topics()]
    return _map(request, ["/", "/topics", "/about", *topics][:URLS_PER_SITEMAP])


def _map(request: ApiRequest, paths: Iterable[str]) -> str:
    urls = (element("url", element("loc", request.url(path))) for path in paths)
    return f"{HEAD}{element('urlset', *urls, xmlns=_MAPS)}\n"


def robots(request: ApiRequest) -> str:
    """What crawlers may read: the pages, and nothing that is made for each question."""
    closed = [f"Disallow: {urlsplit(request.url(path)).path}" for path in DISALLOWED]
    return "\n".join(["User-agent: *", *closed, "", f"Sitemap: {request.url('/sitemap.xml')}", ""])


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
