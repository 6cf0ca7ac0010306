"""One WARC record (ISO 28500): its fields and block, parsed from bytes and serialised to bytes.

>>> data = serialise_record({"WARC-Type": "resource", "Content-Length": "5"}, b"Hello")
>>> header = parse_header(data)
>>> header.fields["warc-type"], data[header.start : header.start + header.size]
('resource', b'Hello')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lycosa.archive.record_text import serialise_header

RECORD_START = re.compile(rb"WARC/[01]\.\d\r?\n")
"""The version line that every record begins with."""

RECORD_END = b"\r\n\r\n"
"""What follows the block of every record."""


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


def parse_lines(block: bytes) -> dict[str, str]:
    """Return the fields of a block of `application/warc-fields`; names in lower case."""
    return parse_fields(block.decode("utf-8", "replace").split("\n"))


def serialise_record(fields: Mapping[str, str], block: bytes) -> bytes:
    """Return the uncompressed bytes of a record."""
    return serialise_header("WARC/1.1", fields.items(), block, RECORD_END)
