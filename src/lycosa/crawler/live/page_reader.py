"""The page reader: turns responses, from the web or from the store, into pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Protocol, TypeAlias

from lycosa.content import NO_INTS, Content, Table
from lycosa.core import Page
from lycosa.crawler.http.response import REDIRECTS, Response
from lycosa.crawler.live.page_rules import NO_RULES, PageRules
from lycosa.crawler.live.sitemap_links import SitemapLinks
from lycosa.crawler.storage.store import LOST, ConversionReader, ConversionStore
from lycosa.documents.conversion import Conversion, Converter, conversion_key
from lycosa.documents.formats import is_document
from lycosa.snapshots import StateReader, StateWriter
from lycosa.web.compact_table import CompactTable
from lycosa.web.decoding import media_type
from lycosa.web.parsed_body import ParsedBody
from lycosa.web.reader import Reader
from lycosa.web.urls import Scope, canonical, host_of

MAX_SITEMAPS = 100
"""The sitemaps of one host that are read."""

MAX_UNREAD_DOCUMENTS = 16
"""So many documents of which none is read show that none will be."""

NO_HEADERS: Mapping[str, str] = MappingProxyType({})
_MAX_CACHED_OUTSIDE = 100_000  # URLs known to be out of scope


class LoggedOutcome(Protocol):
    """What the step log has of a step."""

    @property
    def url(self) -> str:
        """The URL that was requested."""

    @property
    def final(self) -> str:
        """The URL at which redirects ended."""

    @property
    def status(self) -> int:
        """The status of the response."""

    @property
    def type(self) -> str:
        """The Content-Type header as sent."""

    @property
    def fault(self) -> str | None:
        """Why there is no response; None if there is one."""


Parsed: TypeAlias = ParsedBody | SitemapLinks | str
"""What was parsed before the page is read; a string is the text of a converted document."""


class PageReader:
    """Numbers the URLs of a crawl and turns responses into pages.

    Words are extracted when they are first read, because not every goal and
    policy reads them; those of a document such as a PDF are slow to extract.

    `rules` say which directives of authors are respected; a replay sets those of the
    time of a step. `scope` filters the links of pages. With `sitemaps` the URLs in sitemaps are
    links, too. A document whose conversion is in the `store` of the crawl is not
    converted again, if it is a `ConversionReader`; others are added, if it is a
    `ConversionStore`.

    >>> page_reader = PageReader(Scope(domains=("a.example",)))
    >>> body = b"<a href=/b>B</a> <a href=http://c.example/>C</a>"
    >>> page = page_reader.page("http://a.example/", 200, "text/html", body)
    >>> [page_reader.urls[n] for n in page.targets]
    ['http://a.example/b']
    """

    def __init__(
        self,
        scope: Scope,
        store: object | None = None,
        *,
        sitemaps: bool = False,
        rules: PageRules = NO_RULES,
    ) -> None:
        self.rules = rules
        self.converter = Converter()
        self.reads_words = False
        """Whether the words of a page were read so far; if so, they are extracted at once."""
        self.reads_documents = False
        """Whether the words of a document were read so far; then all are converted ahead."""
        self._unread_documents = 0
        self._scope = scope
        self._sitemaps = sitemaps
        self._conversions = store if isinstance(store, ConversionReader) else None
        self._conversion_store = store if isinstance(store, ConversionStore) else None
        self._outside: set[str] = set()
        self._reader = Reader(CompactTable(), CompactTable(), in_scope=self.allows)
        self.urls = self._reader.urls
        self.number: Callable[[str], int] = self.urls.number

    def allows(self, url: str) -> bool:
        """Return whether a URL is in scope."""
        if self.urls.find(url) is not None:
            return True
        if url in self._outside:
            return False
        if self._scope.allows(url):
            return True
        if len(self._outside) >= _MAX_CACHED_OUTSIDE:
            self._outside.clear()
        self._outside.add(url)
        return False

    def is_blocked(self, url: str) -> bool:
        """Return whether the owner has blocked a URL."""
        return self._scope.blocked.covers(url)

    def page(
        self, url: str, status: int, type: str, body: bytes, headers: Mapping[str, str] = NO_HEADERS
    ) -> Page:
        """Return the page of a response for a canonical URL.

        `headers` are those of the response that may have directives, by names in lower case.
        """
        kind = media_type(type)
        if not 200 <= status < 300:
            return Page(self.number(url), self._reader.tables, status=status, type=kind)
        if is_document(kind, url):
            return self._document(
                url, status, kind, partial(self._convert_document, url, kind, body)
            )
        if (
            self._sitemaps
            and _may_be_sitemap(kind, body)
            and (links := SitemapLinks.read(url, body))
        ):
            return self._reader.link_list(url, links.targets, kind)
        followed = self.rules.followed(url, body, type, headers)
        if self.reads_words:
            return self._reader.page(url, body, type, status=status, followed=followed)
        return self._reader.lazy_page(
            url, body, type, status=status, followed=followed, on_content=self._words_read
        )

    def read(self, number: int, response: Response, parsed: Parsed | None = None) -> Page:
        """Return the page of the response for a number; `parsed` is what is known of its body."""
        if response.fault is not None:
            return self.failed_page(number, response.fault)
        if response.status == 304:
            return self.unchanged_page(number)
        url, status, kind = response.url, response.status, response.type
        if response.location is not None:
            return self.redirect_page(url, status, kind, response.location)
        match parsed:
            case str():
                return self._document(url, status, kind, partial(self._converted, url, parsed))
            case SitemapLinks():
                return self._reader.link_list(url, parsed.targets, media_type(kind))
            case ParsedBody():
                on_content = None if self.reads_words else self._words_read
                return self._reader.adopt(url, parsed, kind, status=status, on_content=on_content)
        return self.page(url, status, kind, response.content, response.repeated_headers)

    def is_document(self, response: Response) -> bool:
        """Return whether a response is a document that can be converted."""
        return 200 <= response.status < 300 and is_document(response.type, response.url)

    def may_convert(self, response: Response, parsed: Parsed | None) -> bool:
        """Return whether reading the words of a response may convert a document, which is slow.

        Most crawls read those of every document or of none, so that the first ones tell.
        """
        if parsed is not None or not self.is_document(response):
            return False
        if not self.reads_documents:
            self._unread_documents += 1
        return self.reads_documents or self._unread_documents <= MAX_UNREAD_DOCUMENTS

    def may_be_sitemap(self, response: Response) -> bool:
        """Return whether a response is to be read as a sitemap, if it is one."""
        kind = media_type(response.type)
        return self._sitemaps and _may_be_sitemap(kind, response.content)

    def sitemap_numbers(self, urls: Sequence[str], base: str) -> list[int]:
        """Return the numbers of the sitemaps that a host names: in scope, or at that host."""
        found = [url for loc in urls[:MAX_SITEMAPS] if (url := canonical(loc, base))]
        host = host_of(base)
        return [self.number(url) for url in found if self.allows(url) or host_of(url) == host]

    def _words_read(self) -> None:
        self.reads_words = True

    def failed_page(self, number: int, fault: str) -> Page:
        """Return the page of a URL that has a fault."""
        return Page(number, self._reader.tables, status=0, type="", error=fault)

    def unchanged_page(self, number: int) -> Page:
        """Return the page of a URL that was answered with 304: not modified."""
        return Page(number, self._reader.tables, status=304, type="")

    def read_stored(
        self, row: LoggedOutcome, body: bytes | None, headers: Mapping[str, str] = NO_HEADERS
    ) -> Page:
        """Return the page of a stored step; its body is None if it is missing or damaged."""
        requested = self.number(row.url)
        if row.fault is not None or body is None:
            return self.failed_page(requested, row.fault or LOST)
        if row.status == 304:
            return self.unchanged_page(requested)
        if row.status in REDIRECTS and "location" in headers:
            location = canonical(headers["location"], row.final)
            if location is not None:
                return self.redirect_page(row.final, row.status, row.type, location)
        return self.page(row.final, row.status, row.type, body, headers)

    def redirect_page(self, url: str, status: int, type: str, location: str) -> Page:
        """Return the page of a redirect that was not followed: its target is its only link."""
        page = self._reader.link_list(url, [location], media_type(type))
        page.status = status
        return page

    def save(self, state: StateWriter) -> None:
        """Save the tables of words, URLs and tag paths."""
        state.value("reads", [self.reads_words, self.reads_documents])
        for name, table in self._tables.items():
            state.strings(name, table.strings)

    def restore(self, state: StateReader) -> None:
        """Take over saved tables: all numbers are those of the saved reader."""
        self.reads_words, self.reads_documents = state.value("reads")
        for name, table in self._tables.items():
            table.restore(state.strings(name))

    @property
    def _tables(self) -> dict[str, Table]:
        reader = self._reader
        return {"words": reader.words, "urls": reader.urls, "paths": reader.paths}

    def convert(self, body: bytes, type: str) -> str:
        """Return the text of a document; may be called in another thread."""
        key = conversion_key(body, type)
        stored = None if self._conversions is None else self._conversions.conversion(key)
        found = None if stored is None else Conversion.from_bytes(stored)
        if found is None:
            found = self.converter.convert(body, type)
            if self._conversion_store is not None and found.is_final:
                self._conversion_store.keep_conversion(key, found.to_bytes())
        return found.text

    def _converted(self, url: str, text: str) -> Content:
        self.reads_documents = True
        return self._words(url, text)

    def _words(self, url: str, text: str) -> Content:
        return self._reader.read(url, text.encode(), "text/plain; charset=utf-8")[1]

    def _document(
        self, url: str, status: int, type: str, content: Content | Callable[[], Content]
    ) -> Page:
        kind = media_type(type)
        number = self.number(url)
        return Page(number, self._reader.tables, NO_INTS, content, status=status, type=kind)

    def _convert_document(self, url: str, kind: str, body: bytes) -> Content:
        """Convert a document whose words are read for the first time."""
        return self._converted(url, self.convert(body, kind))


def _may_be_sitemap(kind: str, body: bytes) -> bool:
    head = body[:1024]
    return (
        kind.endswith(("xml", "gzip"))
        or head.startswith(b"\x1f\x8b")
        or b"<urlset" in head
        or b"<sitemapindex" in head
    )
