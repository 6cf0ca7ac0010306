"""Reading WARC files (ISO 28500), and salvaging damaged ones.

The reader accepts `.warc`, `.warc.gz`, `.warc.xz` and `.warc.zst`, compressed
record by record or as a whole. A damaged file gives every record that is still
whole, and a `ReadReport` counts the damage: a torn record, a flipped bit (found
by the checksum of the compression, or by the block digest where there is none),
a file that ends too early.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lycosa.archive.decompression import Chunk, Gap, read_chunks
from lycosa.archive.record import RECORD_END, RECORD_START, Record, parse_header
from lycosa.archive.record_text import digest_of
from lycosa.errors import ArchiveError

_MAX_HEADER_BYTES = 65_536
# Records of a crawl are far smaller; a forged one must not fill the memory.
MAX_MEMBER_BYTES = 1 << 30
_MAX_START_BYTES = len(b"WARC/1.1\r\n")

_log = logging.getLogger("lycosa.archive")


@dataclass(slots=True)
class ReadReport:
    """Counts of a read, up to date while it runs."""

    records: int = 0
    """Records read."""
    reached: int = 0
    """The position reached in the file."""
    places: int = 0
    """Places where the file is damaged."""
    lost: int = 0
    """Bytes that could not be read."""

    def damage(self, name: str) -> str | None:
        """Return one sentence about the damage to the file `name`; None if there is none."""
        if not self.places:
            return None
        places = "1 place" if self.places == 1 else f"{self.places:,} places"
        return (
            f"{name} is damaged in {places}: {self.lost:,} bytes were lost, "
            f"{self.records:,} records could be read and are used."
        )


def read_warc(path: Path, report: ReadReport | None = None) -> Iterator[Record]:
    """Yield every whole record of a file, in order; `report` is kept up to date."""
    return _Parser(report or ReadReport()).records(path)


def read_warc_at(path: Path, offset: int) -> Record:
    """Return the record that begins at the `offset` of an earlier `Record`."""
    for record in _Parser(ReadReport()).records(path, offset):
        return record
    raise ArchiveError(f"There is no record at {offset} in {path}: its index is out of date.")


def read_member(member: bytes) -> Record | None:
    """Return the record in one gzip member; None if the member is damaged or holds no record."""
    return next(read_members(member), None)


def read_members(members: bytes) -> Iterator[Record]:
    """Yield the records in a row of gzip members, up to the first that is damaged."""
    while members:
        engine = zlib.decompressobj(wbits=31)
        try:
            data = engine.decompress(members, MAX_MEMBER_BYTES)
        except zlib.error:
            _log.debug("A record of %d bytes cannot be decompressed", len(members), exc_info=True)
            return
        record = whole_record(data) if engine.eof else None
        if record is None:
            return
        yield record
        members = engine.unused_data


def whole_record(data: bytes) -> Record | None:
    """Return the record that `data` is, from its first byte to its last."""
    header = parse_header(data) if RECORD_START.match(data) else None
    if header is None or header.size is None or not data.endswith(RECORD_END):
        return None
    end = header.start + header.size
    if end + len(RECORD_END) != len(data):
        return None
    return Record(header.fields, data[header.start : end], None)


@dataclass(slots=True)
class _Parser:
    """Cuts a stream of decompressed bytes into records, and resynchronises after damage."""

    report: ReadReport
    buffer: bytearray = field(default_factory=bytearray)
    starts: dict[int, int] = field(default_factory=dict)  # position in the stream -> file offset
    position: int = 0  # of the buffer's first byte in the stream
    plain: bool = False  # uncompressed: a position in the stream is one in the file
    lost: bool = False  # looking for the next record after damage

    def records(self, path: Path, offset: int = 0) -> Iterator[Record]:
        """Yield the whole records of a file from an offset on."""
        self.position = offset
        checked = path.suffix in (".gz", ".xz")
        self.plain = path.suffix not in (".gz", ".xz", ".zst")
        for chunk in read_chunks(path, offset):
            if isinstance(chunk, Gap):
                # The report counts compressed bytes, not what they would decompress to.
                self._count_damage(chunk.lost)
                self._drop(len(self.buffer))
                self.lost = True
                continue
            self._append(chunk)
            self.report.reached = chunk.reached
            yield from self._cut(checked, last=False)
        yield from self._cut(checked, last=True)
        if self.buffer.strip():
            self._count_damage(len(self.buffer))
        if damage := self.report.damage(str(path)):
            _log.info("%s", damage)

    def _append(self, chunk: Chunk) -> None:
        if chunk.offset is not None and not self.plain:
            self.starts[self.position + len(self.buffer)] = chunk.offset
        self.buffer += chunk.data

    def _drop(self, size: int) -> None:
        del self.buffer[:size]
        self.position += size
        for start in [s for s in self.starts if s < self.position]:
            del self.starts[start]

    def _count_damage(self, size: int) -> None:
        if not self.lost:
            self.report.places += 1
            _log.debug("Damage after record %d, at byte %d", self.report.records, self.position)
        self.report.lost += size

    def _cut(self, checked: bool, *, last: bool) -> Iterator[Record]:
        """Yield the records that are complete in the buffer.

        `checked` says that the compression has a checksum, so that the block
        digest need not be verified; `last` that no more bytes will follow.
        """
        while True:
            if not self._at_record():
                return
            header = parse_header(self.buffer)
            if header is None:
                if len(self.buffer) > _MAX_HEADER_BYTES:
                    self._resync(1)
                    continue
                return
            if header.size is None:
                self._resync(1)
                continue
            end = header.start + header.size
            if len(self.buffer) < end + len(RECORD_END) and not last:
                return
            after = self.buffer[end : end + len(RECORD_END)]
            if len(self.buffer) < end or after.strip(b"\r\n"):
                # Content-Length is larger, or smaller, than the distance to the next record.
                self._resync(1)
                continue
            block = bytes(self.buffer[header.start : end])
            if not checked and not _digest_agrees(header.fields, block):
                self._resync(1)
                continue
            offset = self.position if self.plain else self.starts.get(self.position)
            self._drop(end)
            self.lost = False
            self.report.records += 1
            yield Record(header.fields, block, offset)

    def _at_record(self) -> bool:
        """Skip to the next record; return whether the buffer begins with one."""
        blank = 0
        while blank < len(self.buffer) and self.buffer[blank] in b"\r\n":
            blank += 1
        self._drop(blank)
        if len(self.buffer) < _MAX_START_BYTES:
            return False
        if not RECORD_START.match(self.buffer):
            self._resync(0)
        return bool(RECORD_START.match(self.buffer))

    def _resync(self, skip: int) -> None:
        """Drop bytes up to the next version line that is at least `skip` bytes away."""
        found = RECORD_START.search(self.buffer, skip)
        # The end of the buffer may cut a version line in two.
        size = found.start() if found else max(0, len(self.buffer) - (_MAX_START_BYTES - 1))
        self._count_damage(size)
        self.lost = True
        self._drop(size)


def _digest_agrees(fields: Mapping[str, str], block: bytes) -> bool:
    """Return whether a block has its SHA-1 digest; True if it has none, or another kind."""
    algorithm, _, value = fields.get("warc-block-digest", "").partition(":")
    if algorithm.lower() != "sha1" or len(value) != 32:
        return True
    return digest_of(block) == "sha1:" + value.upper()
