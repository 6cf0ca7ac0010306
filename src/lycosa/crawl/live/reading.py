"""What came back, as a page: the same for an answer from the web and one from the archive."""

from __future__ import annotations

from collections.abc import Callable

from lycosa.content import NO_INTS, Content
from lycosa.core import Page
from lycosa.web.documents import Documents, is_document
from lycosa.web.reader import Reader
from lycosa.web.sitemaps import read_sitemap
from lycosa.web.urls import Scope, canonical

_OUTSIDE = 100_000  # URLs out of scope that are remembered, so that they are not judged again


class Reading:
    """Numbers the URLs of a crawl and turns answers into pages.

    A document such as a PDF has the words it is found to have when somebody
    asks for them, see `reads_documents`.

    >>> reading = Reading(Scope(domains=("a.example",)))
    >>> body = b"<a href=/b>B</a> <a href=http://c.example/>C</a>"
    >>> page = reading.page("http://a.example/", 200, "text/html", body)
    >>> [reading.urls[n] for n in page.targets]
    ['http://a.example/b']
    """

    def __init__(self, scope: Scope, *, sitemaps: bool = False) -> None:
        self.documents = Documents()
        self.reads_documents = False
        """Whether anybody has asked for the words of a document so far."""
        self._scope = scope
        self._sitemaps = sitemaps
        self._outside: set[str] = set()
        self._reader = Reader(wanted=self.allows)
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
            return self._document(url, status, kind, body)
        if self._sitemaps and _may_be_sitemap(kind, body):
            found = read_sitemap(body)
            places = [*found.sitemaps, *(entry.loc for entry in found.urls)]
            targets = [place for loc in places if (place := canonical(loc, url))]
            if targets:
                return self._reader.listing(url, targets, kind)
        return self._reader.page(url, body, type, status=status)

    def failed(self, number: int, fault: str) -> Page:
        """The page of a URL that was not answered, or not with a page."""
        return Page(number, self._reader.tables, status=0, type="", error=fault)

    def unchanged(self, number: int) -> Page:
        """The page of a URL whose server says that it is as it was."""
        return Page(number, self._reader.tables, status=304, type="")

    def convert(self, body: bytes, type: str) -> str:
        """The words of a document; may be called in another thread."""
        return self.documents.text(body, type).text

    def document(self, url: str, status: int, type: str, text: str) -> Page:
        """The page of a document whose words are known."""
        kind = type.partition(";")[0].strip().lower()
        _, content = self._reader.read(url, text.encode(), "text/plain; charset=utf-8")
        number = self.number(url)
        return Page(number, self._reader.tables, NO_INTS, content, status=status, type=kind)

    def _document(self, url: str, status: int, kind: str, body: bytes) -> Page:
        def content() -> Content:
            self.reads_documents = True
            text = self.convert(body, kind)
            return self._reader.read(url, text.encode(), "text/plain; charset=utf-8")[1]

        number = self.number(url)
        return Page(number, self._reader.tables, NO_INTS, content, status=status, type=kind)


def _may_be_sitemap(kind: str, body: bytes) -> bool:
    head = body[:1024]
    return (
        kind.endswith(("xml", "gzip"))
        or head.startswith(b"\x1f\x8b")
        or b"<urlset" in head
        or b"<sitemapindex" in head
    )
