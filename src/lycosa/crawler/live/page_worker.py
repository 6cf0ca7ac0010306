"""The page worker: what the subprocess of a `PageParser` loads, and no more, to start fast."""

from __future__ import annotations

import json
from functools import cache

from lycosa.crawler.live.page_rules import PageRules
from lycosa.crawler.live.sitemap_links import SitemapLinks
from lycosa.documents.worker import ReaderResult
from lycosa.web.reader import BodyParser


def read_page(request: bytes, kind: str, first: int, last: int, size: int) -> ReaderResult:
    """Parse a page by itself: the reader that a `DocumentWorker` calls.

    A request is a line of JSON and the body. The line has the URL, the Content-Type,
    whether it may be a sitemap, the rules of the crawl, and the headers with directives.
    The other parameters are those of a `DocumentReader`.
    """
    return _read(request, BodyParser())


def read_next_page(request: bytes, kind: str, first: int, last: int, size: int) -> ReaderResult:
    """Parse a page for a receiver that has the pages before: the reader of a `ParseProcess`."""
    return _read(request, _parser())


def _read(request: bytes, parser: BodyParser) -> ReaderResult:
    head, _, body = request.partition(b"\n")
    url, content_type, is_sitemap, rules, headers = json.loads(head)
    if is_sitemap and (links := SitemapLinks.read(url, body)):
        return ReaderResult(links.to_bytes(), "text")
    followed = PageRules(*rules).followed(url, body, content_type, headers)
    return ReaderResult(parser.parse(url, body, content_type, followed), "text")


@cache
def _parser() -> BodyParser:
    """Return the parser of this process."""
    return BodyParser()
