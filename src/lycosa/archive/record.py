"""One WARC record (ISO 28500): its fields and block, parsed from bytes and serialised to bytes.

>>> data = serialise_record({"WARC-Type": "resource", "Content-Length": "5"}, b"Hello")
>>> header = parse_header(data)
>>> header.fields["warc-type"], data[header.start : header.start + header.size]
('resource', b'Hello')
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

RECORD_START = re.compile(rb"WARC/[01]\.\d\r?\n")
"""The version line that every record begins with."""

RECORD_END = b"\r\n\r\n"
"""What follows the block of every record."""

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_BASE_32 = [one + two for one in _DIGITS for two in _DIGITS]

# Bytes that would end a header line, or a C string, become spaces.
_LINE_BREAKS = bytes.maketrans(b"\r\n\0", b"   ")


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """One record: its header fields (names in lower case) and its block of bytes.

    `offset` is the position in the file from which the record can be read
    alone; None if the file has to be read from the start to reach it.
    """

    headers: Mapping[str, str]
    block: bytes
    offset: int | None

    @property
    def type(self) -> str:
        """The record type in lower case: response, resource, warcinfo or another."""
        return self.headers.get("warc-type", "").lower()

    @property
    def url(self) -> str:
        """The target URI; empty if the record has none."""
        # Some old tools wrote the URI between angle brackets.
        return self.headers.get("warc-target-uri", "").strip("<>")


class RecordHeader(NamedTuple):
    """The parsed header of a record."""

    fields: dict[str, str]
    """Names in lower case; of several fields with one name, the first."""
    start: int
    """The position of the block in the parsed bytes."""
    size: int | None
    """The number of bytes of the block; None without a valid Content-Length."""


def parse_header(data: bytes | bytearray) -> RecordHeader | None:
    """Parse the header that `data` begins with; None if the end of the header is not in `data`.

    Lines end with CR LF, or with a bare LF as some tools write them.
    """
    end, gap = data.find(b"\r\n\r\n"), 4
    bare = data.find(b"\n\n", 0, end if end >= 0 else len(data))
    if bare >= 0:
        end, gap = bare, 2
    if end < 0:
        return None
    fields = parse_fields(data[:end].decode("utf-8", "replace").split("\n")[1:])
    length = fields.get("content-length", "")
    size = int(length) if length.isascii() and length.isdecimal() else None
    return RecordHeader(fields, end + gap, size)


def parse_fields(lines: Iterable[str]) -> dict[str, str]:
    """Return the fields of a WARC or HTTP header; of fields with one name, the first.

    Names are in lower case; lines without a colon are ignored.
    """
    fields: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            fields.setdefault(name.strip().lower(), value.strip())
    return fields


def serialise_header(first_line: str, fields: Iterable[tuple[str, str]]) -> bytes:
    """Return a WARC or HTTP header and its empty line; line breaks in it become spaces."""
    lines = [first_line, *[f"{name}: {value}" for name, value in fields]]
    data = "\r\n".join(lines).encode("utf-8", "replace")
    breaks = len(lines) - 1
    if data.count(b"\n") > breaks or data.count(b"\r") > breaks or b"\0" in data:
        encoded = [line.encode("utf-8", "replace").translate(_LINE_BREAKS) for line in lines]
        data = b"\r\n".join(encoded)
    return data + RECORD_END


def serialise_lines(fields: Mapping[str, str]) -> bytes:
    r"""Return a block of `application/warc-fields`; line breaks in values become spaces.

    >>> serialise_lines({"software": "lycosa", "robots": "obey"})
    b'software: lycosa\r\nrobots: obey\r\n'
    """
    lines = (f"{name}: {value}".encode("utf-8", "replace") for name, value in fields.items())
    return b"".join(line.translate(_LINE_BREAKS) + b"\r\n" for line in lines)


def parse_lines(block: bytes) -> dict[str, str]:
    """Return the fields of a block of `application/warc-fields`; names in lower case."""
    return parse_fields(block.decode("utf-8", "replace").split("\n"))


def serialise_record(fields: Mapping[str, str], block: bytes) -> bytes:
    """Return the uncompressed bytes of a record."""
    return b"".join((serialise_header("WARC/1.1", fields.items()), block, RECORD_END))


def digest_of(data: bytes) -> str:
    """Return the digest of some bytes as WARC writes it.

    >>> digest_of(b"Hello")
    'sha1:677Z5C33WLQJW4ETLJOXQXQMYXM5BK7Q'
    """
    sha1 = hashlib.sha1(data, usedforsecurity=False).digest()
    digits = ["sha1:"]
    # Two digits of base 32 at once, of numbers that fit into a machine word: `base64.b32encode`
    # takes three times as long.
    for start in (0, 5, 10, 15):
        bits = int.from_bytes(sha1[start : start + 5], "big")
        digits += (
            _BASE_32[bits >> 30],
            _BASE_32[bits >> 20 & 1023],
            _BASE_32[bits >> 10 & 1023],
            _BASE_32[bits & 1023],
        )
    return "".join(digits)
