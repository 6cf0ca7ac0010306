"""The page parser: parses large pages in a subprocess, under limits of time and memory.

Parsing takes time linear in the size of a page (`lycosa.web.html_limits`): at most a
fifth of a second for the `MAX_INLINE_BYTES` that are parsed in the loop. Larger pages,
and sitemaps that are compressed, are parsed in a `DocumentWorker`. Meanwhile the loop
goes on, and other pages become steps. A page that exceeds a limit or crashes its
process is a step with a fault, and is not parsed again when the crawl is resumed.

A live crawl gives large pages to a `ParseProcess` first, which takes several at once and
remembers what it has sent; the `DocumentWorker` parses alone what that fails on, and names the
limit. While the loop is busy, and there is a second core, pages of more than `MIN_SHARED_BYTES`
are parsed in `ParseProcess`es as well: one for each core, since the loop does not fill its own
while it waits for them. Each is started when those before it have enough to do.
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
from lycosa.crawler.live.parse_process import MAX_WAITING, ParseProcess, cores
from lycosa.crawler.live.sitemap_links import SitemapLinks
from lycosa.documents.worker import DocumentWorker
from lycosa.web.parsed_body import BodyDecoder, ParsedBody
from lycosa.web.reader import is_text

MAX_INLINE_BYTES = 128 << 10
"""A page that is not larger is parsed in the loop."""
MIN_SHARED_BYTES = 8 << 10
"""A smaller page is parsed in the loop. Another core would make crawls of pages of 3 to 6 KB a
tenth faster, for a quarter more of processor time."""
MIN_START_BYTES = 8 << 20
"""Bytes of pages that the loop parses itself before a process is started for such pages: they
cost as much processor time as the start, so that no crawl spends more than twice the least."""
MAX_SHARED_BYTES = 4 << 20
"""A larger page is parsed alone: copies of several would fill the memory."""
MAX_PARSE_SECONDS = 10.0
"""Processor time for one page; the slowest that the limits of `lycosa.web` allow needs two."""
MAX_PARSE_MEMORY_BYTES = 1 << 30
"""The address space of the process that parses."""
READER = "lycosa.crawler.live.page_worker:read_page"
"""What the subprocess calls that parses pages one by one."""
MAX_PROCESSES = 3
"""Of large pages the loop has a third of the work, so that it keeps no more of them busy."""
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
    is_busy
        Returns whether the loop has other pages to read; None if it never shares its work.
    seconds, memory
        The limits for one page.
    """

    def __init__(
        self,
        page_reader: PageReader,
        keep: Callable[[Response], None],
        *,
        is_busy: Callable[[], object] | None = None,
        seconds: float = MAX_PARSE_SECONDS,
        memory: int = MAX_PARSE_MEMORY_BYTES,
    ) -> None:
        self._page_reader = page_reader
        self._keep = keep
        size = min(MAX_BODY_BYTES, memory // 2)
        self._worker = DocumentWorker(seconds=seconds, size=size, memory=memory, reader=READER)
        self._is_busy = is_busy
        processes = 0 if is_busy is None else min(cores(), MAX_PROCESSES)
        self._shared = [
            ParseProcess(seconds=seconds, memory=memory, size=size) for _ in range(processes)
        ]
        self._refused_bytes = 0  # of pages that another process would have parsed
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
        is_large = _is_large(response, is_sitemap)
        if (shared := await self._share(response, is_sitemap, is_large)) is not None:
            return response, shared
        if not is_large:
            return response, None
        parsed = await loop.run_in_executor(self._pages, self._parse, response, is_sitemap)
        if not isinstance(parsed, Fault):
            return response, parsed
        self._keep(response)
        return replace(response, fault=parsed, status=0, body=b"", rendered=None), None

    async def _share(
        self, response: Response, is_sitemap: bool, is_large: bool
    ) -> ParsedBody | None:
        """Return what another process made of a page; None if it is left to the caller."""
        if not self._shared or self._is_busy is None:
            return None
        is_page, size = not is_sitemap and is_text(response.type), len(response.content)
        if not is_page or not MIN_SHARED_BYTES <= size <= MAX_SHARED_BYTES:
            return None
        if not is_large:
            # Links alone are found in half of the time.
            is_worth_it = len(self._shared) > 1 and self._page_reader.reads_words
            if not is_worth_it or not self._is_busy():
                return None
        process = next((process for process in self._shared if process.is_free), None)
        if process is None and not is_large:
            self._note_refused(size)
            return None
        # To read starts the process, if need be.
        process = process or min(self._shared, key=lambda process: process.waiting)
        return await process.read(self._request(response), response.type)

    def _note_refused(self, size: int) -> None:
        """Start the next process when it has been missing for pages of `MIN_START_BYTES`."""
        idle = [process for process in self._shared if not process.is_started]
        started = [process for process in self._shared if process.is_started]
        if not idle or any(process.waiting < MAX_WAITING for process in started):
            return  # there is none, or one is being started
        self._refused_bytes += size
        if self._refused_bytes >= MIN_START_BYTES:
            self._refused_bytes = 0
            idle[0].start()

    def _parse(self, response: Response, is_sitemap: bool) -> ParsedBody | SitemapLinks | Fault:
        request = self._request(response, is_sitemap=is_sitemap)
        result = self._worker.read(request, response.type)
        parsed = _parsed(result.content) if result.outcome == "text" else None
        return _FAULTS.get(result.outcome, Fault.PARSE_CRASH) if parsed is None else parsed

    def _request(self, response: Response, *, is_sitemap: bool = False) -> bytes:
        """Return a request to a function of `page_worker`."""
        facts = (
            response.url,
            response.type,
            is_sitemap,
            self._page_reader.rules,
            response.repeated_headers,
        )
        return json.dumps(facts).encode() + b"\n" + response.content

    async def close(self) -> None:
        """End the subprocesses and the threads."""
        await asyncio.gather(*(process.close() for process in self._shared))
        self._worker.close()
        self._pages.shutdown(wait=False, cancel_futures=True)
        self._documents.shutdown(wait=False, cancel_futures=True)


def _is_large(response: Response, is_sitemap: bool) -> bool:
    size = len(response.content)
    if is_sitemap and response.content.startswith(b"\x1f\x8b"):
        return True  # it may be a thousand times as large once it is decompressed
    return size > MAX_INLINE_BYTES and (is_sitemap or is_text(response.type))


def _parsed(content: bytes) -> ParsedBody | SitemapLinks | None:
    """Return what the subprocess has sent; None if it is damaged."""
    links = SitemapLinks.from_bytes(content)
    return BodyDecoder().decode(content) if links is None else links
