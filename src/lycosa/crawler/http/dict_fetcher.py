"""A fetcher that serves responses from a dictionary: the test double of `Fetcher`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeAlias

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import Accept, Fetcher
from lycosa.crawler.http.response import Response
from lycosa.web.urls import canonical

Served: TypeAlias = str | bytes | Response | Fault
"""HTML, a body of HTML, a whole response, or a fault."""


class DictFetcher(Fetcher):
    """Serves `pages`, by canonical URL; every other URL is a 404.

    `requests` lists the URLs fetched so far, in order. The mapping is read at
    each request, so it may be changed while a crawl runs.

    >>> fetcher = DictFetcher({"http://a.example/": "Hello"})
    >>> response = asyncio.run(fetcher.fetch("http://a.example/"))
    >>> response.status, response.body, fetcher.requests
    (200, b'Hello', ['http://a.example/'])
    """

    def __init__(self, pages: Mapping[str, Served]) -> None:
        self.pages = pages
        self.requests: list[str] = []

    async def fetch(
        self,
        url: str,
        *,
        accept: Accept | None = None,
        etag: str | None = None,
        modified: str | None = None,
    ) -> Response:
        """Return what the dictionary holds for a URL."""
        await asyncio.sleep(0)  # as every fetcher does, let others run
        address = canonical(url)
        if address is None:
            return Response(url, datetime.now(UTC), fault=Fault.BAD_URL)
        self.requests.append(address)
        response = self._response(address)
        if accept is not None and response.fault is None:
            fault = accept(response.status, response.type, len(response.body))
            if fault is not None:
                return replace(response, status=0, body=b"", fault=fault)
        if _is_unchanged(response, etag, modified):
            return replace(response, status=304, line="", body=b"")
        return response

    def _response(self, url: str) -> Response:
        served, now = self.pages.get(url), datetime.now(UTC)
        html = ((b"Content-Type", b"text/html; charset=utf-8"),)
        match served:
            case Fault():
                return Response(url, now, fault=served)
            case Response():
                return replace(served, url=url, when=now)
            case str() | bytes():
                body = served.encode() if isinstance(served, str) else served
                return Response(url, now, 200, "HTTP/1.1 200 OK", html, body)
        return Response(url, now, 404, "HTTP/1.1 404 Not Found", html, b"Not found.")


def _is_unchanged(response: Response, etag: str | None, modified: str | None) -> bool:
    if response.status != 200:
        return False
    known = {value for value in (etag, modified) if value}
    return bool(known & {response.header("ETag"), response.header("Last-Modified")})
