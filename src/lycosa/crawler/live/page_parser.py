"""The page parser: parses large pages in a subprocess, under limits of time and memory.

Parsing takes time linear in the size of a page (`lycosa.web.html_limits`): at most a
fifth of a second for the `MAX_INLINE_BYTES` that are parsed in the loop. Larger pages,
and sitemaps that are compressed, are parsed in a `DocumentWorker`. Meanwhile the loop
goes on, and other pages become steps. A page that exceeds a limit or crashes its
process is a step with a fault, and is not parsed again when the crawl is resumed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import MappingProxyType

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.live.page_reader import PageReader, Parsed
from lycosa.crawler.live.sitemap_links import SitemapLinks
from lycosa.documents.worker import DocumentWorker
from lycosa.web.parsed_body import ParsedBody
from lycosa.web.reader import is_text

MAX_INLINE_BYTES = 128 << 10
"""A page that is not larger is parsed in the loop."""
MAX_PARSE_SECONDS = 10.0
"""Processor time for one page; the slowest that the limits of `lycosa.web` allow needs two."""
MAX_PARSE_MEMORY_BYTES = 1 << 30
"""The address space of the process that parses."""
READER = "lycosa.crawler.live.page_worker:read_page"
"""What the subprocess calls."""
MAX_BODY_BYTES = 256 << 20
"""A larger body, which the default limits of a response do not let in, is not parsed."""

_FAULTS = MappingProxyType(
    {
        "too-long": Fault.PARSE_TIMEOUT,
        "too-large": Fault.PARSE_MEMORY,
        "damaged": Fault.PARSE_CRASH,
    }
)


class PageParser:
    """Parses what takes long before the loop sees it: large pages, sitemaps and documents.

    Parameters
    ----------
    page_reader
        Makes the pages; it says which responses are documents and converts them.
    keep
        Called with a response that cannot be parsed, to archive it.
    seconds, memory
        The limits for one page.
    """

    def __init__(
        self,
        page_reader: PageReader,
        keep: Callable[[Response], None],
        *,
        seconds: float = MAX_PARSE_SECONDS,
        memory: int = MAX_PARSE_MEMORY_BYTES,
    ) -> None:
        self._page_reader = page_reader
        self._keep = keep
        self._worker = DocumentWorker(
            seconds=seconds,
            size=min(MAX_BODY_BYTES, memory // 2),
            memory=memory,
            reader=READER,
        )
        # Threads of their own: in those of the loop, calls that wait for a worker would keep
        # the store from committing and names from being looked up.
        self._pages = ThreadPoolExecutor(1, "lycosa-pages")
        self._documents = ThreadPoolExecutor(1, "lycosa-documents")

    async def parse(self, response: Response) -> tuple[Response, Parsed | None]:
        """Return a response with what was parsed of it, None if that is left to the reader.

        The response has a fault if it cannot be parsed within the limits.
        """
        loop, reader = asyncio.get_running_loop(), self._page_reader
        if response.fault is not None or not 200 <= response.status < 300:
            return response, None
        if reader.is_document(response):
            if not reader.reads_documents:
                return response, None
            body, kind = response.body, response.type
            return response, await loop.run_in_executor(self._documents, reader.convert, body, kind)
        is_sitemap = reader.may_be_sitemap(response)
        if not _is_large(response, is_sitemap):
            return response, None
        parsed = await loop.run_in_executor(self._pages, self._parse, response, is_sitemap)
        if not isinstance(parsed, Fault):
            return response, parsed
        self._keep(response)
        return replace(response, fault=parsed, status=0, body=b"", rendered=None), None

    def _parse(self, response: Response, is_sitemap: bool) -> ParsedBody | SitemapLinks | Fault:
        facts = (
            response.url,
            response.type,
            is_sitemap,
            self._page_reader.rules,
            response.repeated_headers,
        )
        request = json.dumps(facts).encode() + b"\n" + response.content
        result = self._worker.read(request, response.type)
        parsed = _parsed(result.text) if result.outcome == "text" else None
        return _FAULTS.get(result.outcome, Fault.PARSE_CRASH) if parsed is None else parsed

    def close(self) -> None:
        """End the subprocess and the threads."""
        self._worker.close()
        self._pages.shutdown(wait=False, cancel_futures=True)
        self._documents.shutdown(wait=False, cancel_futures=True)


def _is_large(response: Response, is_sitemap: bool) -> bool:
    size = len(response.content)
    if is_sitemap and response.content.startswith(b"\x1f\x8b"):
        return True  # it may be a thousand times as large once it is decompressed
    return size > MAX_INLINE_BYTES and (is_sitemap or is_text(response.type))


def _parsed(text: str) -> ParsedBody | SitemapLinks | None:
    """Return what the subprocess has sent; None if it is damaged."""
    links = SitemapLinks.from_text(text)
    return ParsedBody.from_text(text) if links is None else links
