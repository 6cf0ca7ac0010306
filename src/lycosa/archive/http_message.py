"""HTTP responses as a WARC record holds them: parsed and decoded, and serialised."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lycosa.archive.content_encoding import BrokenCoding, decode_body
from lycosa.archive.record import Record, parse_fields
from lycosa.archive.record_text import serialise_header

MAX_BODY_BYTES = 64 * 2**20
"""A body that is larger when decoded is cut off here."""

REPEATED_HEADERS = ("x-robots-tag", "link")
"""The headers that a response may have several times, each with a meaning of its own."""

_MAX_CHUNK_LINE_BYTES = 100

_log = logging.getLogger("lycosa.archive")


@dataclass(frozen=True, slots=True, eq=False)
class ArchivedResponse:
    """A response read from an archive: header names in lower case, the body decoded.

    Of headers with one name the first counts; those of `REPEATED_HEADERS` are all there, a
    line each.
    """

    status: int
    """The status code; 0 if the status line has none."""
    headers: Mapping[str, str]
    body: bytes

    @property
    def type(self) -> str:
        """The Content-Type header, with its parameters."""
        return self.headers.get("content-type", "")


def response_of(record: Record) -> ArchivedResponse | None:
    """Return the response in a response or resource record; None for every other record.

    A `revisit` record is a response if the server answered 304; otherwise it has no body
    of its own, and the record that it refers to is the response.
    """
    if record.type == "resource":
        content_type = record.headers.get("content-type", "")
        return ArchivedResponse(200, {"content-type": content_type}, record.block)
    if record.type not in ("response", "revisit") or not record.block.startswith(b"HTTP/"):
        return None
    response = parse_response(record.block)
    return response if record.type == "response" or response.status == 304 else None


def parse_response(data: bytes) -> ArchivedResponse:
    """Parse an HTTP response and decode its body.

    Archives hold bodies as they were transferred, or decoded with the headers of
    the transfer left in place: a body that is not coded as its headers say is
    returned unchanged.

    >>> parse_response(serialise_response("HTTP/1.1 404 Not Found", [("X", "1")], b"Gone"))
    ArchivedResponse(status=404, headers={'x': '1'}, body=b'Gone')
    """
    end = data.find(b"\r\n\r\n")
    head, body = (data, b"") if end < 0 else (data[:end], data[end + 4 :])
    status_line, *lines = head.decode("latin-1").split("\r\n")
    words = status_line.split(None, 2)
    status = int(words[1]) if len(words) > 1 and words[1].isdecimal() else 0
    headers = parse_fields(lines)
    for name in REPEATED_HEADERS:
        if name in headers:
            headers[name] = "\n".join(_values(lines, name))
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _join_chunks(body)
    if coding := headers.get("content-encoding"):
        try:
            body = decode_body(body, coding, MAX_BODY_BYTES)
        except BrokenCoding:
            _log.debug("A body is not coded as %r; it is kept as stored", coding, exc_info=True)
    return ArchivedResponse(status, headers, body)


def _values(lines: Iterable[str], wanted: str) -> Iterator[str]:
    """Yield the values of all fields of a name."""
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip().lower() == wanted:
            yield value.strip()


def serialise_response(status_line: str, headers: Iterable[tuple[str, str]], body: bytes) -> bytes:
    """Return the bytes of an HTTP response; line breaks in its header become spaces.

    >>> serialise_response("HTTP/1.1 200 OK", [("Content-Length", "5")], b"Hello").splitlines()
    [b'HTTP/1.1 200 OK', b'Content-Length: 5', b'', b'Hello']
    """
    return serialise_header(status_line, headers, body)


def _join_chunks(body: bytes) -> bytes:
    """Undo the chunked transfer coding (RFC 9112, 7.1), as far as the body goes."""
    chunks: list[bytes] = []
    at = 0
    while True:
        line, end, _ = body[at : at + _MAX_CHUNK_LINE_BYTES].partition(b"\r\n")
        try:
            size = int(line.split(b";")[0], 16) if end else -1
        except ValueError:
            size = -1
        if size < 0 and not chunks:
            return body  # some tools store the body whole and leave the header in place
        if size <= 0:
            return b"".join(chunks)
        at += len(line) + 2
        chunks.append(body[at : at + size])
        at += size + 2
