"""What came back for one request, and what its headers mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from lycosa.archive.content_encoding import codings
from lycosa.web.urls import canonical

_YEAR = 31_536_000.0
_TRANSFER = frozenset((b"content-encoding", b"transfer-encoding", b"content-length"))


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """What came back: an answer, or a fault and whatever came before it."""

    url: str
    """What was asked for, in its canonical form."""
    when: datetime
    status: int = 0
    """0 if there is a fault."""
    line: str = ""
    """The status line, as sent."""
    raw_headers: tuple[tuple[bytes, bytes], ...] = field(default=(), repr=False)
    """The headers as sent, in their order."""
    body: bytes = field(default=b"", repr=False)
    """Decoded; empty if there is a fault."""
    fault: str | None = None
    address: str = ""
    """The address connected to."""
    seconds: float = 0.0
    """From the question to the last byte."""
    transferred: int = 0
    """Bytes of the body that came over the wire."""

    def header(self, name: str) -> str:
        """The first header of this name; empty if there is none."""
        wanted = name.lower().encode()
        for key, value in self.raw_headers:
            if key.lower() == wanted:
                return header_text(value)
        return ""

    @property
    def type(self) -> str:
        """The Content-Type header as it stands, with its parameters."""
        return self.header("Content-Type")

    @property
    def location(self) -> str | None:
        """Where a redirect leads, in its canonical form; None if nowhere."""
        if self.status not in (301, 302, 303, 307, 308):
            return None
        target = self.header("Location")
        return canonical(target, self.url) if target else None

    @property
    def retry_after(self) -> float | None:
        """Seconds the server asks us to wait; None if it does not say."""
        return retry_after(self.header("Retry-After"), self.when)

    @property
    def stored(self) -> list[tuple[str, str]]:
        """The headers that belong to the decoded body, for an archive.

        Headers about the transfer are not true of it: they are kept under names
        with `X-Crawl-` in front, as Common Crawl does it, and the length is told anew.
        """
        coded = bool(codings(self.header("Content-Encoding")))
        pairs = []
        for key, value in self.raw_headers:
            transfer = key.lower() in _TRANSFER and (coded or key.lower() != b"content-encoding")
            pairs.append((("X-Crawl-" if transfer else "") + header_text(key), header_text(value)))
        return [*pairs, ("Content-Length", str(len(self.body)))]


def retry_after(value: str, now: datetime) -> float | None:
    """The seconds a Retry-After header means (RFC 9110, 10.2.3), at most a year.

    >>> now = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> retry_after("120", now), retry_after("Thu, 01 Jan 2026 12:01:00 GMT", now)
    (120.0, 60.0)
    >>> retry_after("soon", now) is None
    True
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value), _YEAR)
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, OverflowError, TypeError):
        return None
    seconds = (date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds()
    return min(max(seconds, 0.0), _YEAR)


def header_text(raw: bytes) -> str:
    """Header bytes are ASCII; where they are not, mostly UTF-8."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")
