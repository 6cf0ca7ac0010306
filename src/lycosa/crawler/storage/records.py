"""The WARC record of a fetched response.

The body is stored decoded, so the headers are those of `Response.stored`: in
their order, repeated ones included, with the headers of the transfer renamed.
"""

from __future__ import annotations

from lycosa.archive.writer import RecordSerialiser
from lycosa.crawler.http.response import Response

COMPRESSION_LEVEL = 4
"""The default compression level: see the table in docs/explanation/state.md."""


def response_record(fetched: Response, level: int = COMPRESSION_LEVEL) -> tuple[bytes, str]:
    """Return the record of a response as one gzip member, and the digest of its body.

    >>> from datetime import UTC, datetime
    >>> from lycosa.archive.reader import read_member
    >>> when = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> page = Response("http://a.example/", when, 200, "HTTP/1.1 200 OK", body=b"Hello")
    >>> member, digest = response_record(page)
    >>> digest
    'sha1:677Z5C33WLQJW4ETLJOXQXQMYXM5BK7Q'
    >>> record = read_member(member)
    >>> record.type, record.url, record.block[-5:]
    ('response', 'http://a.example/', b'Hello')
    """
    return RecordSerialiser(level).response(
        fetched.url,
        _status_line(fetched),
        fetched.stored,
        fetched.body,
        fetched.when,
        address=fetched.address,
    )


def _status_line(fetched: Response) -> str:
    """Return the status line as sent, or a valid one in its place."""
    words = fetched.line.split(None, 2)
    if len(words) > 1 and words[0].startswith("HTTP/") and words[1] == str(fetched.status):
        return fetched.line
    return f"HTTP/1.1 {fetched.status} Status"
