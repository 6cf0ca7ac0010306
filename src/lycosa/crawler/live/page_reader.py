"""What came back, as a page: the same for an answer from the web and one from the archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from lycosa.content import NO_INTS, Content
from lycosa.core import Page
from lycosa.crawler.http.response import Response
from lycosa.documents.conversion import Converter
from lycosa.documents.formats import is_document
from lycosa.web.reader import Reader
from lycosa.web.sitemaps import read_sitemap
from lycosa.web.urls import Scope, canonical, host_of

LOST = "lost"
"""The fault of a page whose record in the archive is damaged."""

_OUTSIDE = 100_000  # URLs out of scope that are remembered, so that they are not judged again


class Remembered(Protocol):
    """What the journal says of a step."""

    @property
    def url(self) -> str:
        """What was asked for."""

    @property
    def final(self) -> str:
        """Where redirects led."""

    @property
    def status(self) -> int:
        """The answer's."""

    @property
    def type(self) -> str:
        """The Content-Type as it came."""

    @property
    def fault(self) -> str | None:
        """Why there was no answer."""


class PageReader:
    """Numbers the URLs of a crawl and turns answers into pages.

    A document such as a PDF has the words it is found to have when somebody
    asks for them, see `reads_documents`.

    >>> reading = PageReader(Scope(domains=("a.example",)))
    >>> body = b"<a href=/b>B</a> <a href=http://c.example/>C</a>"
    >>> page = reading.page("http://a.example/", 200, "text/html", body)
    >>> [reading.urls[n] for n in page.targets]
    ['http://a.example/b']
    """

    def __init__(self, scope: Scope, *, sitemaps: bool = False) -> None:
        self.converter = Converter()
        self.reads_words = False
        """Whether anybody has asked for the words of a page so far."""
        self.reads_documents = False
        """Whether anybody has asked for the words of a document so far."""
        self._scope = scope
        self._sitemaps = sitemaps
        self._outside: set[str] = set()
        self._reader = Reader(in_scope=self.allows)
        self.urls = self._reader.urls
        self.number: Callable[[str], int] = self.urls.number

    def allows(self, url: str) -> bool:
        """Whether a URL is in scope."""
        if self.urls.find(url) is not None:
            return True
        if url in self._outside:
            return False
        if self._scope.allows(url):
            return True
        if len(self._outside) >= _OUTSIDE:
            self._outside.clear()
        self._outside.add(url)
        return False

    def page(self, url: str, status: int, type: str, body: bytes) -> Page:
        """The page of a canonical URL."""
        kind = type.partition(";")[0].strip().lower()
        if not 200 <= status < 300:
            return Page(self.number(url), self._reader.tables, status=status, type=kind)
        if is_document(kind, url):
            return self._document(url, status, kind, partial(self._converted, url, kind, body))
        if self._sitemaps and _may_be_sitemap(kind, body):
            found = read_sitemap(body)
            places = [*found.sitemaps, *(entry.loc for entry in found.urls)]
            targets = [place for loc in places if (place := canonical(loc, url))]
            if targets:
                return self._reader.link_list(url, targets, kind)
        if self.reads_words:
            return self._reader.page(url, body, type, status=status)
        return self._reader.lazy_page(url, body, type, status=status, on_content=self._asked)

    def answer(self, number: int, fetched: Response, text: str | None = None) -> Page:
        """The page of what was fetched for a number; of a document, if its words are known."""
        if fetched.fault is not None:
            return self.failed(number, fetched.fault)
        if fetched.status == 304:
            return self.unchanged(number)
        if text is not None:
            url = fetched.url
            return self._document(url, fetched.status, fetched.type, self._words(url, text))
        return self.page(fetched.url, fetched.status, fetched.type, fetched.body)

    def is_document(self, fetched: Response) -> bool:
        """Whether what was fetched is a document whose words somebody may ask for."""
        return 200 <= fetched.status < 300 and is_document(fetched.type, fetched.url)

    def listings(self, places: Iterable[str], base: str) -> list[int]:
        """The numbers of sitemaps that a host names: in scope, or at that host."""
        found = [place for loc in places if (place := canonical(loc, base))]
        host = host_of(base)
        return [self.number(url) for url in found if self.allows(url) or host_of(url) == host]

    def _asked(self) -> None:
        self.reads_words = True

    def failed(self, number: int, fault: str) -> Page:
        """The page of a URL that was not answered, or not with a page."""
        return Page(number, self._reader.tables, status=0, type="", error=fault)

    def unchanged(self, number: int) -> Page:
        """The page of a URL whose server says that it is as it was."""
        return Page(number, self._reader.tables, status=304, type="")

    def again(self, row: Remembered, body: bytes | None) -> Page:
        """The page of a step that is remembered; its body is None if it cannot be had."""
        asked = self.number(row.url)
        if row.fault is not None or body is None:
            return self.failed(asked, row.fault or LOST)
        if row.status == 304:
            return self.unchanged(asked)
        return self.page(row.final, row.status, row.type, body)

    def convert(self, body: bytes, type: str) -> str:
        """The words of a document; may be called in another thread."""
        return self.converter.convert(body, type).text

    def _words(self, url: str, text: str) -> Content:
        return self._reader.read(url, text.encode(), "text/plain; charset=utf-8")[1]

    def _document(
        self, url: str, status: int, type: str, content: Content | Callable[[], Content]
    ) -> Page:
        kind = type.partition(";")[0].strip().lower()
        number = self.number(url)
        return Page(number, self._reader.tables, NO_INTS, content, status=status, type=kind)

    def _converted(self, url: str, kind: str, body: bytes) -> Content:
        """The words of a document, now that somebody asks."""
        self.reads_documents = True
        return self._words(url, self.convert(body, kind))


def _may_be_sitemap(kind: str, body: bytes) -> bool:
    head = body[:1024]
    return (
        kind.endswith(("xml", "gzip"))
        or head.startswith(b"\x1f\x8b")
        or b"<urlset" in head
        or b"<sitemapindex" in head
    )
