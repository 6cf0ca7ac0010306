"""The WARC records of a fetched response: the response, and what it was rendered to.

The body is stored decoded, so the headers are those of `Response.stored`: in
their order, repeated ones included, with the headers of the transfer renamed.
The rendered document is a conversion record, which follows the response at
once: the two are one entry of the step log.
"""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

from lycosa.archive.http_message import ArchivedResponse, response_of
from lycosa.archive.reader import read_members
from lycosa.archive.writer import RecordSerialiser
from lycosa.crawler.http.response import Response

COMPRESSION_LEVEL = 4
"""The default compression level: see the table in docs/explanation/state.md."""


def response_record(fetched: Response, level: int = COMPRESSION_LEVEL) -> tuple[bytes, str]:
    """Return the record of a response as one gzip member, and the digest of its body.

    A response that was rendered has a second member, its conversion record.

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
    serialiser, identity = RecordSerialiser(level), uuid4()
    member, digest = serialiser.response(
        fetched.url,
        _status_line(fetched),
        fetched.stored,
        fetched.body,
        fetched.when,
        address=fetched.address,
        identity=identity,
    )
    if fetched.rendered is not None:
        member += serialiser.conversion(fetched.url, fetched.rendered, fetched.when, of=identity)
    return member, digest


def read_response(members: bytes, digest: str | None = None) -> ArchivedResponse | None:
    """Return the response in the members that `response_record` made; None if it is damaged.

    Its body is the rendered document, if there is one. With a `digest` a
    response whose body has another one counts as damaged.

    >>> from datetime import UTC, datetime
    >>> page = Response("http://a.example/", datetime.now(UTC), 200, body=b"1", rendered=b"2")
    >>> read_response(response_record(page)[0]).body
    b'2'
    """
    records = read_members(members)
    first = next(records, None)
    if first is None or (digest and first.headers.get("warc-payload-digest") != digest):
        return None
    response, second = response_of(first), next(records, None)
    if response is None or second is None or second.type != "conversion":
        return response
    return replace(response, body=second.block)


def _status_line(fetched: Response) -> str:
    """Return the status line as sent, or a valid one in its place."""
    words = fetched.line.split(None, 2)
    if len(words) > 1 and words[0].startswith("HTTP/") and words[1] == str(fetched.status):
        return fetched.line
    return f"HTTP/1.1 {fetched.status} Status"
