"""Reader of response bodies: bytes become a `Page`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from lycosa.content import NO_INTS, Content, Ints, Table, Tables
from lycosa.core import Page
from lycosa.web.decoding import decode, media_type
from lycosa.web.html import ALL_LINKS, MAX_HTML_CHARACTERS, FollowedLinks, parse_html
from lycosa.web.links import parse_links
from lycosa.web.numberer import Numberer, UrlNumberer
from lycosa.web.parsed_body import BodyEncoder, ParsedBody
from lycosa.web.url_resolver import Resolver

MAX_SENT_CHARACTERS = 16 << 20
"""Characters of strings that a `BodyParser` and its receiver remember."""

_MARKUP = ("text/html", "application/xhtml", "application/xml", "text/xml")


def is_markup(kind: str) -> bool:
    """Return whether a body of this MIME type, or of none, is parsed as HTML.

    >>> is_markup("text/html"), is_markup("text/plain")
    (True, False)
    """
    return not kind or kind.startswith(_MARKUP)


class Reader:
    """Turns response bodies into pages; words, URLs and tag paths get numbers in order.

    `words`, `urls` and `paths` are the tables that number them, new ones if
    None. `in_scope` decides by its canonical URL whether a link is kept; every
    link is, if None.

    >>> reader = Reader()
    >>> page = reader.page("http://a.example/", b"<title>Home</title>Our <a href=tr.ps>paper</a>")
    >>> page.text, page.link(0).target, page.link(0).bags["anchor"]
    ('home our paper', 'http://a.example/tr.ps', ('paper',))
    """

    def __init__(
        self,
        words: Table | None = None,
        urls: Table | None = None,
        paths: Table | None = None,
        in_scope: Callable[[str], bool] | None = None,
    ) -> None:
        self.words = words if words is not None else Table()
        self.urls = urls if urls is not None else Table()
        self.paths = paths if paths is not None else Table()
        self.tables = Tables(self.words, self.urls, self.paths)
        self._in_scope = in_scope
        self._numberer = Numberer(self.words)
        self._resolver = Resolver()
        self._url_numberer = UrlNumberer(self._numberer, self.urls)

    def page(
        self,
        url: str,
        body: bytes,
        content_type: str = "text/html",
        *,
        status: int = 200,
        followed: FollowedLinks = ALL_LINKS,
    ) -> Page:
        """Return the page of a canonical URL, with the links in scope that are `followed`."""
        kind = media_type(content_type)
        targets, content = self._read(url, body, content_type, followed, self._url_numberer)
        number = self.urls.number(url)
        return Page(number, self.tables, targets, content, status=status, type=kind)

    def lazy_page(
        self,
        url: str,
        body: bytes,
        content_type: str = "text/html",
        *,
        status: int = 200,
        followed: FollowedLinks = ALL_LINKS,
        on_content: Callable[[], object],
    ) -> Page:
        """Return the same page, with content that is parsed on first use.

        `on_content` is called before it is parsed.
        """
        kind = media_type(content_type)
        targets = NO_INTS
        if is_markup(kind):
            text = decode(body, content_type)
            found = parse_links(text, url, self._number, self._resolver, followed)
            if found is None:
                return self.page(url, body, content_type, status=status, followed=followed)
            targets = found

        def content() -> Content:
            on_content()
            return self.page(url, body, content_type, status=status, followed=followed).content

        number = self.urls.number(url)
        return Page(number, self.tables, targets, content, status=status, type=kind)

    def read(
        self,
        url: str,
        body: bytes,
        content_type: str = "text/html",
        followed: FollowedLinks = ALL_LINKS,
    ) -> tuple[Ints, Content]:
        """Return the targets and the content of a body, without the words of the URLs."""
        return self._read(url, body, content_type, followed, None)

    def _read(
        self,
        url: str,
        body: bytes,
        content_type: str,
        followed: FollowedLinks,
        url_numberer: UrlNumberer | None,
    ) -> tuple[Ints, Content]:
        kind = media_type(content_type)
        if is_markup(kind):
            text = decode(body, content_type)
            return parse_html(
                text,
                url,
                self._numberer,
                self.paths,
                self._number,
                self._resolver,
                followed,
                url_numberer,
            )
        if kind.startswith("text/"):
            text = decode(body, content_type)[:MAX_HTML_CHARACTERS]
            return NO_INTS, Content(tokens=self._numberer.numbers(text))
        return NO_INTS, Content()

    def adopt(
        self,
        url: str,
        body: ParsedBody,
        content_type: str = "text/html",
        *,
        status: int = 200,
        on_content: Callable[[], object] | None = None,
    ) -> Page:
        """Return the page of a body that another process has parsed.

        With `on_content`, which is called first, its words are numbered on first use.
        """
        numbers = body.targets(self._number)
        kept = numbers >= 0

        def content() -> Content:
            if on_content is not None:
                on_content()
            return body.content(kept, self.words, self.paths)

        found = content if on_content is not None else content()
        number = self.urls.number(url)
        kind = media_type(content_type)
        return Page(number, self.tables, numbers[kept], found, status=status, type=kind)

    def link_list(self, url: str, targets: Iterable[str], type: str) -> Page:
        """Return a page without text that only links to `targets`, such as a sitemap."""
        numbers = dict.fromkeys(map(self._number, targets))
        numbers.pop(None, None)
        links = np.array(list(numbers), np.int32)
        words = self._url_numberer.numbers(links.tolist())
        ends = np.array(words.ends, np.int32)
        every, zeros = np.arange(len(links), dtype=np.int32), np.zeros(len(links), np.int32)
        content = Content(
            paths=np.full(len(links), self.paths.number(""), np.int32),
            owner=every,
            start=zeros,
            stop=zeros,
            heading=zeros - np.int32(1),
            url_tokens=words.tokens,
            url_start=ends[:-1],
            url_stop=ends[1:],
        )
        return Page(self.urls.number(url), self.tables, links, content, type=type)

    def _number(self, url: str) -> int | None:
        if self._in_scope is not None and not self._in_scope(url):
            return None
        return self.urls.number(url)


def is_text(content_type: str) -> bool:
    """Return whether a body of this type is read: markup, or plain text."""
    kind = media_type(content_type)
    return is_markup(kind) or kind.startswith("text/")


class BodyParser:
    """Parses bodies on behalf of a `Reader` in another process, which adopts the results.

    The words, URLs and tag paths of earlier bodies are remembered by both, because those of a
    site have most of them in common; they are forgotten when they have more than
    `max_characters` together.

    >>> from lycosa.web.parsed_body import BodyDecoder
    >>> parsed = BodyParser().parse("http://a.example/", b"Our <a href=tr.ps>paper</a>")
    >>> reader = Reader(in_scope=lambda url: url.endswith(".ps"))
    >>> page = reader.adopt("http://a.example/", BodyDecoder().decode(parsed))
    >>> page.text, page.link(0).target
    ('our paper', 'http://a.example/tr.ps')
    """

    def __init__(self, max_characters: int = MAX_SENT_CHARACTERS) -> None:
        self._max_characters = max_characters
        self._begin()

    def _begin(self) -> None:
        self._reader = Reader()
        self._encoder = BodyEncoder(self._reader.words, self._reader.urls, self._reader.paths)

    def parse(
        self,
        url: str,
        body: bytes,
        content_type: str = "text/html",
        followed: FollowedLinks = ALL_LINKS,
    ) -> bytes:
        """Return the message for a `BodyDecoder`, with the links that are `followed`."""
        if self._encoder.characters > self._max_characters:
            self._begin()
        page = self._reader.page(url, body, content_type, followed=followed)
        return self._encoder.encode(page)
