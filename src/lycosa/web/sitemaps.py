"""Sitemaps: the pages a site lists itself (sitemaps.org, protocol 0.9).

A sitemap is XML, or text with a URL on each line, or a feed (RSS, Atom), any of
them perhaps gzipped; a sitemap index lists other sitemaps. What is found is
taken as it stands. Extensions for images, videos and news describe a page that
is listed anyway, and so does each `xhtml:link` to a translation: they are
passed over.

XML is read by expat, without an internal DTD subset: no entity can be declared,
so none can be expanded or fetched.
"""

from __future__ import annotations

import re
import zlib
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple
from xml.parsers import expat

from lycosa.web.decoding import decode

BYTES = 50 * 1024 * 1024
"""The standard's limit for one sitemap, uncompressed; what is beyond is not read."""
URLS = 50_000
"""And for the number of URLs in it."""
PRIORITY = 0.5
"""The priority of a page that states none."""

_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 16
# No sitemap comes near these; a bomb does. Expat keeps open elements in memory,
# and a tag until its end.
_DEEP = 64
_LONG = 1 << 20
_ELEMENTS = 20 * URLS
_LINES = 4 * URLS
_DATE = 64

_ROOTS = frozenset("urlset sitemapindex rss RDF feed".split())
_ENTRIES = frozenset("url sitemap item entry".split())
_FIELDS = frozenset("loc lastmod priority link pubDate updated published".split())
_DATES = ("lastmod", "updated", "published", "pubDate")
_W3C = re.compile(
    r"\d{4}(-\d\d(-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?)?)?)?", re.ASCII
)
_FAULT = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\dA-Fa-f]+);)"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]",
    re.DOTALL,
)


class Entry(NamedTuple):
    """A page of a sitemap: its address as it stands, when it changed, how it ranks."""

    loc: str
    lastmod: datetime | None = None
    priority: float = PRIORITY


class Sitemap(NamedTuple):
    """What a sitemap lists: pages, or further sitemaps."""

    urls: tuple[Entry, ...] = ()
    sitemaps: tuple[str, ...] = ()
    damaged: bool = False
    """Whether some of it could not be read: it is faulty, or beyond the limits."""


def read_sitemap(body: bytes) -> Sitemap:
    """What a sitemap lists, whatever its bytes: as much of it as can be read.

    >>> read_sitemap(b"<urlset><url><loc> http://a.example/ </loc></url></urlset>").urls
    (Entry(loc='http://a.example/', lastmod=None, priority=0.5),)
    >>> read_sitemap(b"<sitemapindex><sitemap><loc>/b.xml</loc></sitemap>")
    Sitemap(urls=(), sitemaps=('/b.xml',), damaged=True)
    """
    plain, whole = _plain(body)
    text = decode(plain).lstrip("\ufeff \t\r\n")
    found = _read_xml(text) if text.startswith("<") else _read_text(text)
    return found if whole else found._replace(damaged=True)


def date(text: str) -> datetime | None:
    """A date as sitemaps (W3C) or feeds (RFC 822) write it; UTC where no zone is given.

    >>> date("2004-12"), date("yesterday")
    (datetime.datetime(2004, 12, 1, 0, 0, tzinfo=datetime.timezone.utc), None)
    """
    if len(text) > _DATE:
        return None
    try:
        if _W3C.fullmatch(text):
            found = datetime.fromisoformat(text.upper() + "-01-01"[len(text) - 4 :])
        else:
            found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _plain(body: bytes) -> tuple[bytes, bool]:
    """The body uncompressed, up to the limit, and whether that is all of it."""
    if not body.startswith(_GZIP):
        return body[:BYTES], len(body) <= BYTES
    stream = zlib.decompressobj(wbits=31)
    plain = bytearray()
    whole = False
    with suppress(zlib.error):
        for at in range(0, len(body), _CHUNK):
            # One byte more than the limit shows that there is more.
            plain += stream.decompress(body[at : at + _CHUNK], BYTES + 1 - len(plain))
            if stream.eof or len(plain) > BYTES:
                whole = stream.eof and not stream.unused_data and at + _CHUNK >= len(body)
                break
    return bytes(plain[:BYTES]), whole and len(plain) <= BYTES


def _read_text(text: str) -> Sitemap:
    lines = text.replace("\r", "\n").split("\n", _LINES)
    beyond = len(lines) > _LINES
    kept = [line for spaced in lines[:_LINES] if (line := spaced.strip())]
    urls = [Entry(line) for line in kept if line[:8].lower().startswith(("http://", "https://"))]
    return Sitemap(tuple(urls[:URLS]), damaged=beyond or not len(kept) == len(urls) <= URLS)


def _read_xml(text: str) -> Sitemap:
    found = _Reader().read(text)
    if found.damaged and len(mended := _FAULT.sub(_mend, text, count=_ELEMENTS)) != len(text):
        # Bare ampersands in addresses are the fault that is made most.
        again = _Reader().read(mended)._replace(damaged=True)
        found = max(found, again, key=lambda sitemap: len(sitemap.urls) + len(sitemap.sitemaps))
    return found


def _mend(match: re.Match[str]) -> str:
    fault = match[0]
    return "&amp;" if fault == "&" else fault if fault.startswith("<") else ""


class _Stop(Exception):
    """Enough was read, or too much was asked for."""


class _Reader:
    """Collects entries while expat walks through the document."""

    def __init__(self) -> None:
        self._path: list[str] = []
        self._prefix = ""
        self._text: list[str] = []
        self._fields: dict[str, str] = {}
        self._elements = 0
        self._urls: list[Entry] = []
        self._sitemaps: list[str] = []

    def read(self, text: str) -> Sitemap:
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        damaged = False
        fed = 0
        try:
            for at in range(0, len(text), _CHUNK):
                chunk = text[at : at + _CHUNK].encode()
                parser.Parse(chunk, False)
                fed += len(chunk)
                if fed - parser.CurrentByteIndex > _LONG:
                    raise _Stop
            parser.Parse(b"", True)
        except (expat.ExpatError, _Stop):
            damaged = True
            self._close("sitemap" if "sitemap" in self._path else "url")
        return Sitemap(tuple(self._urls), tuple(self._sitemaps), damaged)

    def _doctype(self, name: str, system: str | None, public: str | None, subset: bool) -> None:
        if subset:
            raise _Stop

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        path = self._path
        prefix, _, local = name.rpartition(":")
        if not path:
            if local not in _ROOTS:
                raise _Stop
            # What is of another namespace than the root is an extension; only in
            # RDF do the items have none. Prefixes are often used undeclared.
            self._prefix = "" if local == "RDF" else prefix
        self._elements += 1
        if len(path) >= _DEEP or self._elements > _ELEMENTS:
            raise _Stop
        if prefix != self._prefix:
            local = ""
        elif local in _ENTRIES and len(self._urls) + len(self._sitemaps) >= URLS:
            raise _Stop
        elif path[-1:] == ["entry"] and local == "link":
            self._atom_link(attributes)
        path.append(local)
        self._text.clear()

    def _atom_link(self, attributes: dict[str, str]) -> None:
        if attributes.get("rel", "alternate") == "alternate" and "href" in attributes:
            self._fields.setdefault("link", attributes["href"].strip())

    def _end(self, _: str) -> None:
        path = self._path
        local = path.pop()
        if local in _FIELDS:
            if path and path[-1] in _ENTRIES and (text := "".join(self._text).strip()):
                self._fields.setdefault(local, text)
        elif local in _ENTRIES:
            self._close(local)
        self._text.clear()

    def _close(self, kind: str) -> None:
        fields, self._fields = self._fields, {}
        loc = fields.get("loc") or fields.get("link")
        if loc and kind == "sitemap":
            self._sitemaps.append(loc)
        elif loc:
            self._urls.append(Entry(loc, _lastmod(fields), _priority(fields)))


def _lastmod(fields: dict[str, str]) -> datetime | None:
    for name in _DATES:
        if name in fields:
            return date(fields[name])
    return None


def _priority(fields: dict[str, str]) -> float:
    try:
        stated = float(fields.get("priority", PRIORITY))
    except ValueError:
        return PRIORITY
    return stated if 0 <= stated <= 1 else PRIORITY
