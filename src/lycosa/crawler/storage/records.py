"""Answers as WARC records of one gzip member each, and back.

The headers stand as `Response.stored` gives them, in their order and as often
as they came, because the body is stored decoded.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from uuid import uuid4

from lycosa.archive.warc import Record
from lycosa.crawler.http.response import Response

LEVEL = 4
"""Of compression: see the table in docs/explanation/state.md."""

_LARGEST = 1 << 30  # a record of ours is far smaller; one that is not ours shall not fill memory
_BREAKS = bytes.maketrans(b"\r\n\0", b"   ")


def response(fetched: Response, level: int = LEVEL) -> tuple[bytes, str]:
    """The record of an answer, compressed, and the digest of its body.

    >>> when = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> page = Response("http://a.example/", when, 200, "HTTP/1.1 200 OK", body=b"Hello")
    >>> member, digest = response(page)
    >>> digest
    'sha1:677Z5C33WLQJW4ETLJOXQXQMYXM5BK7Q'
    >>> record = read_record(member)
    >>> record.type, record.url, record.block[-5:]
    ('response', 'http://a.example/', b'Hello')
    """
    lines = [_status_line(fetched)]
    lines += [name.encode() + b": " + value.encode() for name, value in fetched.stored]
    head = b"\r\n".join(line.translate(_BREAKS) for line in lines)
    digest = _digest(fetched.body)
    fields = {"WARC-Target-URI": fetched.url}
    if fetched.address:
        fields["WARC-IP-Address"] = fetched.address
    fields["WARC-Payload-Digest"] = digest
    fields["Content-Type"] = "application/http; msgtype=response"
    block = head + b"\r\n\r\n" + fetched.body
    return _record("response", fields, block, fetched.when, level), digest


def warcinfo(name: str, when: datetime, level: int = LEVEL) -> bytes:
    """The record that every file begins with: who wrote it."""
    fields = {"WARC-Filename": name, "Content-Type": "application/warc-fields"}
    block = b"software: lycosa\r\nformat: WARC File Format 1.1\r\n"
    return _record("warcinfo", fields, block, when, level)


def read_record(member: bytes) -> Record | None:
    """The record in a gzip member; None if it is damaged."""
    engine = zlib.decompressobj(wbits=31)
    try:
        text = engine.decompress(member, _LARGEST)
    except zlib.error:
        return None
    head, gap, rest = text.partition(b"\r\n\r\n")
    if not engine.eof or not gap or not head.startswith(b"WARC/1."):
        return None
    headers: dict[str, str] = {}
    for line in head.decode("utf-8", "replace").split("\r\n")[1:]:
        name, _, value = line.partition(":")
        headers.setdefault(name.strip().lower(), value.strip())
    if headers.get("content-length") != str(len(rest) - 4):
        return None
    return Record(headers, rest[:-4], None)


def _status_line(fetched: Response) -> bytes:
    words = fetched.line.split(None, 2)
    if len(words) > 1 and words[0].startswith("HTTP/") and words[1] == str(fetched.status):
        return fetched.line.encode("utf-8", "replace")
    return f"HTTP/1.1 {fetched.status} Status".encode()


def _digest(data: bytes) -> str:
    sha1 = hashlib.sha1(data, usedforsecurity=False)
    return "sha1:" + base64.b32encode(sha1.digest()).decode()


def _record(
    kind: str, fields: Mapping[str, str], block: bytes, when: datetime, level: int
) -> bytes:
    date = when.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    lines = [
        "WARC/1.1",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:{uuid4()}>",
        f"WARC-Date: {date}",
        *(f"{name}: {value}" for name, value in fields.items()),
        f"WARC-Block-Digest: {_digest(block)}",
        f"Content-Length: {len(block)}",
    ]
    head = b"\r\n".join(line.encode("utf-8", "replace").translate(_BREAKS) for line in lines)
    return zlib.compress(head + b"\r\n\r\n" + block + b"\r\n\r\n", level, wbits=31)
