"""HTTP answers as they lie in a WARC record, taken apart and decoded."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import brotli
import zstandard

from lycosa.archive.warc import Record

LIMIT = 64 * 2**20
"""A body that grows beyond this when decompressed is cut off there."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What a server answered: header names in lower case, the body decoded."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def type(self) -> str:
        """The Content-Type header as it stands, with its parameters."""
        return self.headers.get("content-type", "")


def answer_of(record: Record) -> Answer | None:
    """The answer in a response or resource record; None for all others."""
    if record.type == "resource":
        kind = record.headers.get("content-type", "")
        return Answer(200, {"content-type": kind}, record.block)
    if record.type != "response" or not record.block.startswith(b"HTTP/"):
        return None
    end = record.block.find(b"\r\n\r\n")
    head, body = (record.block, b"") if end < 0 else (record.block[:end], record.block[end + 4 :])
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(None, 2)
    status = int(words[1]) if len(words) > 1 and words[1].isdecimal() else 0
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            headers.setdefault(name.strip().lower(), value.strip())
    return Answer(status, headers, _decoded(body, headers))


def _decoded(body: bytes, headers: Mapping[str, str]) -> bytes:
    """Undo what was done for the transfer; a body that was not is left as it is."""
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _unchunked(body)
    for encoding in reversed(headers.get("content-encoding", "").lower().split(",")):
        body = _decompressed(body, encoding.strip())
    return body


def _unchunked(body: bytes) -> bytes:
    parts: list[bytes] = []
    at = 0
    while True:
        line = body[at : at + 100].partition(b"\r\n")
        try:
            size = int(line[0].split(b";")[0], 16) if line[1] else -1
        except ValueError:
            size = -1
        if size < 0 and not parts:
            return body  # some tools store the body whole and leave the header in place
        if size <= 0:
            return b"".join(parts)
        at += len(line[0]) + 2
        parts.append(body[at : at + size])
        at += size + 2


def _decompressed(body: bytes, encoding: str) -> bytes:
    try:
        match encoding:
            case "gzip" | "x-gzip":
                return zlib.decompressobj(wbits=31).decompress(body, LIMIT)
            case "deflate":
                # The standard says zlib, some servers sent the bare stream.
                bits = 15 if body[:1] == b"\x78" else -15
                return zlib.decompressobj(wbits=bits).decompress(body, LIMIT)
            case "br":
                return bytes(brotli.Decompressor().process(body, output_buffer_limit=LIMIT))[:LIMIT]
            case "zstd":
                with zstandard.ZstdDecompressor().stream_reader(body) as reader:
                    return reader.read(LIMIT)
    except (zlib.error, brotli.error, zstandard.ZstdError):
        return body
    return body
