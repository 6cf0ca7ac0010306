"""A body as it came over the wire to a `Page`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from lycosa.content import NO_INTS, Content, Ints, Table, Tables
from lycosa.core import Page
from lycosa.web.decoding import decode
from lycosa.web.html import parse_html
from lycosa.web.links import parse_links
from lycosa.web.urls import Resolver
from lycosa.web.words import Numberer, url_words

_REMEMBERED = 50_000  # URLs whose words are; most links of a page are in its menu
_MARKUP = ("text/html", "application/xhtml", "application/xml", "text/xml")


class Reader:
    """Turns bodies into pages, numbering words, URLs and tag paths as they come.

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
        wanted: Callable[[str], bool] | None = None,
    ) -> None:
        self.words = words if words is not None else Table()
        self.urls = urls if urls is not None else Table()
        self.paths = paths if paths is not None else Table()
        self.tables = Tables(self.words, self.urls, self.paths)
        self._wanted = wanted
        self._numberer = Numberer(self.words)
        self._resolver = Resolver()
        self._url_words: dict[int, list[int]] = {}

    def page(
        self,
        url: str,
        body: bytes,
        content_type: str = "text/html",
        *,
        status: int = 200,
    ) -> Page:
        """The page of a canonical URL; links to URLs that are not wanted are left out."""
        kind = content_type.partition(";")[0].strip().lower()
        targets, content = self.read(url, body, content_type)
        start, stop, tokens = self._words_of(targets)
        content = replace(content, url_tokens=tokens, url_start=start, url_stop=stop)
        number = self.urls.number(url)
        return Page(number, self.tables, targets, content, status=status, type=kind)

    def glance(
        self,
        url: str,
        body: bytes,
        content_type: str = "text/html",
        *,
        status: int = 200,
        asked: Callable[[], object],
    ) -> Page:
        """The same page, whose words are read when somebody asks; `asked` is called then."""
        kind = content_type.partition(";")[0].strip().lower()
        targets = NO_INTS
        if not kind or kind.startswith(_MARKUP):
            text = decode(body, content_type)
            found = parse_links(text, url, self._number, self._resolver)
            if found is None:
                return self.page(url, body, content_type, status=status)
            targets = found

        def content() -> Content:
            asked()
            return self.page(url, body, content_type, status=status).content

        number = self.urls.number(url)
        return Page(number, self.tables, targets, content, status=status, type=kind)

    def read(self, url: str, body: bytes, content_type: str = "text/html") -> tuple[Ints, Content]:
        """Where a body leads and what it says, without the words of its URLs."""
        kind = content_type.partition(";")[0].strip().lower()
        if not kind or kind.startswith(_MARKUP):
            text = decode(body, content_type)
            return parse_html(text, url, self._numberer, self.paths, self._number, self._resolver)
        if kind.startswith("text/"):
            numbers = self._numberer.numbers(decode(body, content_type))
            return NO_INTS, Content(tokens=np.array(numbers, np.int32))
        return NO_INTS, Content()

    def listing(self, url: str, targets: Iterable[str], type: str) -> Page:
        """A page that says nothing but where others are, such as a sitemap."""
        numbers = dict.fromkeys(map(self._number, targets))
        numbers.pop(None, None)
        leads = np.array(list(numbers), np.int32)
        start, stop, tokens = self._words_of(leads)
        every, nothing = np.arange(len(leads), dtype=np.int32), np.zeros(len(leads), np.int32)
        content = Content(
            paths=np.full(len(leads), self.paths.number(""), np.int32),
            owner=every,
            start=nothing,
            stop=nothing,
            heading=nothing - np.int32(1),
            url_tokens=tokens,
            url_start=start,
            url_stop=stop,
        )
        return Page(self.urls.number(url), self.tables, leads, content, type=type)

    def _number(self, url: str) -> int | None:
        if self._wanted is not None and not self._wanted(url):
            return None
        return self.urls.number(url)

    def _words_of(self, targets: Ints) -> tuple[Ints, Ints, Ints]:
        known = self._url_words
        if len(known) > _REMEMBERED:
            known.clear()
        tokens: list[int] = []
        ends = np.empty(len(targets) + 1, np.int32)
        ends[0] = 0
        for k, target in enumerate(targets.tolist(), 1):
            mine = known.get(target)
            if mine is None:
                mine = known[target] = self.words.numbers(url_words(self.urls[target]))
            tokens += mine
            ends[k] = len(tokens)
        return ends[:-1], ends[1:], np.array(tokens, np.int32)
