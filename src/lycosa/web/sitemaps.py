"""Sitemap parser (sitemaps.org, protocol 0.9).

A sitemap is XML, or text with a URL on each line, or a feed (RSS, Atom), any of
them possibly gzipped; a sitemap index lists other sitemaps. URLs are returned
as they are written. Extensions for images, videos and news describe a page that
is listed anyway, and so does each `xhtml:link` to a translation: they are
ignored.

XML is parsed by expat, without an internal DTD subset: no entity can be
declared, so none can be expanded or fetched.
"""

from __future__ import annotations

import logging
import re
import zlib
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple
from xml.parsers import expat

from lycosa.web.decoding import decode

MAX_SITEMAP_BYTES = 50 * 1024 * 1024
"""The standard's limit for one sitemap, uncompressed; the rest is not read."""
MAX_URLS = 50_000
"""The standard's limit for the URLs of one sitemap."""
DEFAULT_PRIORITY = 0.5
"""The priority of a page that states none."""

_GZIP = b"\x1f\x8b"
_CHUNK_BYTES = 1 << 16
# No sitemap comes near these limits; a decompression bomb does. Expat keeps open
# elements in memory, and a tag until its end.
_MAX_DEPTH = 64
_MAX_TAG_BYTES = 1 << 20
_MAX_ELEMENTS = 20 * MAX_URLS
_MAX_LINES = 4 * MAX_URLS
_MAX_DATE_CHARACTERS = 64

_ROOTS = frozenset("urlset sitemapindex rss RDF feed".split())
_ENTRIES = frozenset("url sitemap item entry".split())
_FIELDS = frozenset("loc lastmod priority link pubDate updated published".split())
_DATES = ("lastmod", "updated", "published", "pubDate")
_W3C = re.compile(
    r"\d{4}(-\d\d(-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?)?)?)?", re.ASCII
)
_ERROR = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\dA-Fa-f]+);)"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]",
    re.DOTALL,
)


_log = logging.getLogger("lycosa.web")


class SitemapEntry(NamedTuple):
    """A page that a sitemap lists; `lastmod` is when it changed."""

    loc: str
    """The URL as it is written."""
    lastmod: datetime | None = None
    priority: float = DEFAULT_PRIORITY
    """The weight that the sitemap gives the page, from 0 to 1."""


class Sitemap(NamedTuple):
    """The content of a sitemap: pages, or further sitemaps."""

    urls: tuple[SitemapEntry, ...] = ()
    """The pages, in the order of the file."""
    sitemaps: tuple[str, ...] = ()
    """The URLs of further sitemaps, of a sitemap index."""
    damaged: bool = False
    """Whether a part could not be read: malformed, or beyond the limits."""


def read_sitemap(body: bytes) -> Sitemap:
    """Parse as much of a sitemap as can be read; no input raises.

    >>> read_sitemap(b"<urlset><url><loc> http://a.example/ </loc></url></urlset>").urls
    (SitemapEntry(loc='http://a.example/', lastmod=None, priority=0.5),)
    >>> read_sitemap(b"<sitemapindex><sitemap><loc>/b.xml</loc></sitemap>")
    Sitemap(urls=(), sitemaps=('/b.xml',), damaged=True)
    """
    plain, whole = _decompress(body)
    text = decode(plain).lstrip("\ufeff \t\r\n")
    found = _read_xml(text) if text.startswith("<") else _read_text(text)
    return found if whole else found._replace(damaged=True)


def parse_date(text: str) -> datetime | None:
    """Parse a date of a sitemap (W3C) or feed (RFC 822); UTC if it has no time zone.

    >>> parse_date("2004-12"), parse_date("yesterday")
    (datetime.datetime(2004, 12, 1, 0, 0, tzinfo=datetime.timezone.utc), None)
    """
    if len(text) > _MAX_DATE_CHARACTERS:
        return None
    try:
        if _W3C.fullmatch(text):
            found = datetime.fromisoformat(text.upper() + "-01-01"[len(text) - 4 :])
        else:
            found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _decompress(body: bytes) -> tuple[bytes, bool]:
    """Return the uncompressed body, up to the limit, and whether it is complete."""
    if not body.startswith(_GZIP):
        return body[:MAX_SITEMAP_BYTES], len(body) <= MAX_SITEMAP_BYTES
    stream = zlib.decompressobj(wbits=31)
    plain = bytearray()
    whole = False
    try:
        for at in range(0, len(body), _CHUNK_BYTES):
            # One byte more than the limit shows that there is more.
            plain += stream.decompress(
                body[at : at + _CHUNK_BYTES], MAX_SITEMAP_BYTES + 1 - len(plain)
            )
            if stream.eof or len(plain) > MAX_SITEMAP_BYTES:
                whole = stream.eof and not stream.unused_data and at + _CHUNK_BYTES >= len(body)
                break
    except zlib.error:
        _log.debug("A gzipped sitemap is damaged after %d bytes", len(plain), exc_info=True)
    return bytes(plain[:MAX_SITEMAP_BYTES]), whole and len(plain) <= MAX_SITEMAP_BYTES


def _read_text(text: str) -> Sitemap:
    lines = text.replace("\r", "\n").split("\n", _MAX_LINES)
    beyond = len(lines) > _MAX_LINES
    kept = [line for spaced in lines[:_MAX_LINES] if (line := spaced.strip())]
    urls = [
        SitemapEntry(line) for line in kept if line[:8].lower().startswith(("http://", "https://"))
    ]
    return Sitemap(tuple(urls[:MAX_URLS]), damaged=beyond or not len(kept) == len(urls) <= MAX_URLS)


def _read_xml(text: str) -> Sitemap:
    found = _SitemapParser().read(text)
    if found.damaged and len(repaired := _ERROR.sub(_repair, text, count=_MAX_ELEMENTS)) != len(
        text
    ):
        # Bare ampersands in URLs are the most frequent error.
        again = _SitemapParser().read(repaired)._replace(damaged=True)
        found = max(found, again, key=lambda sitemap: len(sitemap.urls) + len(sitemap.sitemaps))
    return found


def _repair(match: re.Match[str]) -> str:
    """Escape a bare ampersand, keep a CDATA section, remove a forbidden character."""
    error = match[0]
    return "&amp;" if error == "&" else error if error.startswith("<") else ""


class _Stop(Exception):
    """Parsing ends here: a limit is reached, or the document is no sitemap."""


class _SitemapParser:
    """Collects entries from the events of expat."""

    def __init__(self) -> None:
        self._path: list[str] = []
        self._prefix = ""
        self._text: list[str] = []
        self._fields: dict[str, str] = {}
        self._elements = 0
        self._urls: list[SitemapEntry] = []
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
            for at in range(0, len(text), _CHUNK_BYTES):
                chunk = text[at : at + _CHUNK_BYTES].encode()
                parser.Parse(chunk, False)
                fed += len(chunk)
                if fed - parser.CurrentByteIndex > _MAX_TAG_BYTES:
                    raise _Stop
            parser.Parse(b"", True)
        except (expat.ExpatError, _Stop):
            _log.debug("A sitemap is damaged after %d URLs", len(self._urls), exc_info=True)
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
            # An element of another namespace than the root is an extension; only in
            # RDF do the items have no prefix. Prefixes are often used undeclared.
            self._prefix = "" if local == "RDF" else prefix
        self._elements += 1
        if len(path) >= _MAX_DEPTH or self._elements > _MAX_ELEMENTS:
            raise _Stop
        if prefix != self._prefix:
            local = ""
        elif local in _ENTRIES and len(self._urls) + len(self._sitemaps) >= MAX_URLS:
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
            self._urls.append(SitemapEntry(loc, _last_modified(fields), _priority(fields)))


def _last_modified(fields: dict[str, str]) -> datetime | None:
    for name in _DATES:
        if name in fields:
            return parse_date(fields[name])
    return None


def _priority(fields: dict[str, str]) -> float:
    try:
        stated = float(fields.get("priority", DEFAULT_PRIORITY))
    except ValueError:
        return DEFAULT_PRIORITY
    return stated if 0 <= stated <= 1 else DEFAULT_PRIORITY
