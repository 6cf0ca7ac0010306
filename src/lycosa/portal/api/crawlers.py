"""Files for browsers and crawlers: OpenSearch description, sitemaps, robots.txt."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from lycosa.portal.api.feeds import ATOM, rfc3339
from lycosa.portal.api.operation import ApiRequest, Operation, Parameter
from lycosa.portal.api.problems import Problem
from lycosa.portal.api.xml import HEAD, element

XML = "application/xml"
URLS_PER_SITEMAP = 50_000
"""URLs in one sitemap; the protocol allows no more."""
DISALLOWED = (
    "/search", "/why", "/api", "/feed", "/export/", "/correct", "/exclude", "/editors",
    "/audit", "/dashboard", "/sign-in", "/openapi.json", "/oai", "/mcp",
)  # fmt: skip
"""Paths that crawlers are asked not to fetch: dynamic pages and pages of the owner."""
_SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_TERMS = "{searchTerms}"


def opensearch(request: ApiRequest) -> str:
    """Return the OpenSearch description, by which browsers add the portal as a search engine."""
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
    """Return the sitemap index: sitemap 0 lists pages and topics, the others list works."""
    built = rfc3339(request.catalogue.meta.get("built", ""))
    total = sum(number for kind, number in request.catalogue.counts().items() if kind != "cited")
    changed = [element("lastmod", built)] if built else []
    maps = [
        element("sitemap", element("loc", request.url(f"/sitemap/{number}.xml")), *changed)
        for number in range(-(-total // URLS_PER_SITEMAP) + 1)
    ]
    return f"{HEAD}{element('sitemapindex', *maps, xmlns=_SITEMAP_NAMESPACE)}\n"


def sitemap_part(request: ApiRequest) -> str:
    """Return one sitemap."""
    number = request["number"]
    if number:
        names = request.catalogue.work_ids(URLS_PER_SITEMAP, (number - 1) * URLS_PER_SITEMAP)
        if not names:
            raise Problem(404, f"There is no sitemap {number}.")
        return _sitemap(request, (f"/work/{name}" for name in names))
    topics = [f"/topic/{topic.id}" for topic in request.catalogue.topics()]
    return _sitemap(request, ["/", "/topics", "/about", *topics][:URLS_PER_SITEMAP])


def _sitemap(request: ApiRequest, paths: Iterable[str]) -> str:
    urls = (element("url", element("loc", request.url(path))) for path in paths)
    return f"{HEAD}{element('urlset', *urls, xmlns=_SITEMAP_NAMESPACE)}\n"


def robots(request: ApiRequest) -> str:
    """Return robots.txt, which allows the pages and disallows what depends on a query."""
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
    Operation("/sitemap.xml", "sitemap", "The sitemap index", sitemap, media=XML),
    Operation(
        "/sitemap/{number}.xml",
        "sitemapPart",
        "A sitemap: number 0 lists pages and topics, the others list works",
        sitemap_part,
        parameters=(
            Parameter(
                "number", "The number of the sitemap, from 0.",
                {"type": "integer", "minimum": 0, "maximum": 1_000_000}, "path",
            ),
        ),
        media=XML,
    ),
    Operation("/robots.txt", "robots", "The rules for crawlers", robots, media="text/plain"),
)  # fmt: skip
