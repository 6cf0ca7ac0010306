"""The response to one request, and the meaning of its headers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from lycosa.archive.content_encoding import codings
from lycosa.archive.http_message import REPEATED_HEADERS
from lycosa.web.urls import canonical

REDIRECTS = frozenset((301, 302, 303, 307, 308))
"""The statuses of responses that lead to another URL."""

_MAX_RETRY_AFTER_SECONDS = 31_536_000.0  # a year
_TRANSFER = frozenset((b"content-encoding", b"transfer-encoding", b"content-length"))
_REPEATED = frozenset(name.encode() for name in REPEATED_HEADERS)


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """An HTTP response, or a fault with whatever arrived before it."""

    url: str
    """The requested URL, in its canonical form."""
    when: datetime
    """When the request was made; with a time zone."""
    status: int = 0
    """0 if there is a fault."""
    line: str = ""
    """The status line, as sent."""
    raw_headers: tuple[tuple[bytes, bytes], ...] = field(default=(), repr=False)
    """The headers as sent, in their order."""
    body: bytes = field(default=b"", repr=False)
    """Decoded; empty if there is a fault."""
    fault: str | None = None
    """The name of what went wrong, see `Fault`; None if there is a response."""
    address: str = ""
    """The IP address of the server."""
    seconds: float = 0.0
    """From the request to the last byte."""
    transferred: int = 0
    """Bytes of the body on the wire."""
    rendered: bytes | None = field(default=None, repr=False)
    """The document after its scripts ran, as HTML in UTF-8 with a byte-order mark; None if
    it was not rendered."""
    render_fault: str | None = None
    """Why it could not be rendered, see `RenderFault`; None if it was, or need not be."""
    resources: tuple[Response, ...] = field(default=(), repr=False)
    """The responses to the requests that rendering made besides: scripts, and their data."""
    request: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """The headers of the request, without secrets; empty if they are not known."""
    _type: str | None = field(default=None, init=False, repr=False)  # once it was looked for

    def header(self, name: str) -> str:
        """Return the first header of this name; empty if there is none."""
        wanted = name.lower().encode()
        for key, value in self.raw_headers:
            if key.lower() == wanted:
                return header_text(value)
        return ""

    @property
    def content(self) -> bytes:
        """What is read of the page: the rendered document if there is one, else the body."""
        return self.body if self.rendered is None else self.rendered

    @property
    def repeated_headers(self) -> dict[str, str]:
        """Those of the `REPEATED_HEADERS` that it has, each with all its values, a line each."""
        found: dict[str, str] = {}
        for key, value in self.raw_headers:
            lower = key.lower()
            if lower in _REPEATED:
                name, text = lower.decode(), header_text(value)
                found[name] = f"{found[name]}\n{text}" if name in found else text
        return found

    @property
    def type(self) -> str:
        """The Content-Type header as it stands, with its parameters."""
        found = self._type
        if found is None:
            found = self.header("Content-Type")
            object.__setattr__(self, "_type", found)
        return found

    @property
    def location(self) -> str | None:
        """The target of a redirect, in its canonical form; None if this is no redirect."""
        if self.status not in REDIRECTS:
            return None
        target = self.header("Location")
        return canonical(target, self.url) if target else None

    @property
    def retry_after(self) -> float | None:
        """Seconds the server asks the client to wait; None if it does not say."""
        return retry_after(self.header("Retry-After"), self.when)

    @property
    def stored(self) -> list[tuple[str, str]]:
        """The headers to archive with the decoded body.

        Headers that describe the transfer do not hold for the decoded body: they
        get the prefix `X-Crawl-`, as in Common Crawl, and a new Content-Length.
        """
        pairs = []
        for key, value in self.raw_headers:
            name, lower = header_text(key), key.lower()
            if lower in _TRANSFER and (lower != b"content-encoding" or self._is_coded):
                name = f"X-Crawl-{name}"
            pairs.append((name, header_text(value)))
        pairs.append(("Content-Length", str(len(self.body))))
        return pairs

    @property
    def _is_coded(self) -> bool:
        return bool(codings(self.header("Content-Encoding")))


def retry_after(value: str, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header (RFC 9110, 10.2.3), at most a year.

    >>> now = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> retry_after("120", now), retry_after("Thu, 01 Jan 2026 12:01:00 GMT", now)
    (120.0, 60.0)
    >>> retry_after("soon", now) is None
    True
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value), _MAX_RETRY_AFTER_SECONDS)
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, OverflowError, TypeError):
        return None
    seconds = (date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds()
    return min(max(seconds, 0.0), _MAX_RETRY_AFTER_SECONDS)


def header_text(raw: bytes) -> str:
    """Decode header bytes: UTF-8, of which ASCII is a part, else Latin-1."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")
