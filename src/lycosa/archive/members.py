"""A scan of a `.warc.gz` file member by member: whole records, and the damage between them.

`read_warc` gives the records of any archive; this scan is for files that are
compressed record by record, and also says where each record begins and ends, so that
the whole ones can be copied as they are.

>>> import tempfile
>>> from datetime import UTC, datetime
>>> from lycosa.archive.writer import WarcWriter
>>> with tempfile.TemporaryDirectory() as folder:
...     path = Path(folder) / "a.warc.gz"
...     with WarcWriter(path, date=datetime(2026, 1, 1, tzinfo=UTC)) as writer:
...         offset = writer.response("http://a.example/", b"Hello")
...     data = bytearray(path.read_bytes())
...     data[offset + 20] ^= 1
...     _ = path.write_bytes(data)
...     [(type(part).__name__, part.offset == offset) for part in scan_members(path)]
[('Member', False), ('Damage', True)]
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lycosa.archive.reader import MAX_MEMBER_BYTES, whole_record
from lycosa.archive.record import RECORD_START, Record

_MAGIC = b"\x1f\x8b\x08"
_INPUT_BYTES = 1 << 16
# A candidate is judged by its first bytes, so that a scan past damage stays linear.
_PROBE_INPUT_BYTES = 256
_PROBE_OUTPUT_BYTES = len(b"WARC/1.1\r\n")


class Member(NamedTuple):
    """A gzip member that holds one whole record."""

    offset: int
    length: int
    record: Record


class Damage(NamedTuple):
    """Bytes between members that are no whole record."""

    offset: int
    length: int


def scan_members(path: Path, size: int = 0) -> Iterator[Member | Damage]:
    """Yield what a file consists of, or its first `size` bytes, from the first to the last."""
    size = size or path.stat().st_size
    if not size:
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) as data:
        at = damaged_from = 0
        while at < len(data):
            member = _member_at(data, at)
            if member is None:
                at = _next_candidate(data, at + 1)
                continue
            if damaged_from < at:
                yield Damage(damaged_from, at - damaged_from)
            yield member
            at = damaged_from = at + member.length
        if damaged_from < at:
            yield Damage(damaged_from, at - damaged_from)


def _member_at(data: mmap.mmap, offset: int) -> Member | None:
    """Return the member that begins at an offset; None if there is no whole one."""
    engine = zlib.decompressobj(wbits=31)
    pieces: list[bytes] = []
    at, room = offset, MAX_MEMBER_BYTES
    try:
        while not engine.eof and at < len(data) and room > 0:
            piece = data[at : at + _INPUT_BYTES]
            pieces.append(engine.decompress(piece, room))
            room -= len(pieces[-1])
            at += len(piece)
    except zlib.error:
        return None
    record = whole_record(b"".join(pieces)) if engine.eof else None
    if record is None:
        return None
    return Member(offset, at - len(engine.unused_data) - offset, record)


def _next_candidate(data: mmap.mmap, offset: int) -> int:
    """Return the next offset at which a record seems to begin; the end if there is none."""
    while (offset := data.find(_MAGIC, offset)) >= 0:
        engine = zlib.decompressobj(wbits=31)
        try:
            probe = data[offset : offset + _PROBE_INPUT_BYTES]
            if RECORD_START.match(engine.decompress(probe, _PROBE_OUTPUT_BYTES)):
                return offset
        except zlib.error:
            pass
        offset += 1
    return len(data)
