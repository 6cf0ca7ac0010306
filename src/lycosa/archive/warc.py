"""WARC files (ISO 28500): records read with all that can be saved, and written.

Read are `.warc`, `.warc.gz`, `.warc.xz` and `.warc.zst`, compressed record by
record or as a whole; written is `.warc.gz`, record by record. A damaged file
gives every record that is still whole, and says how much was lost: a torn
record, a flipped bit (by the checksum of the compression, or the block digest
where there is none), a file that ends too early.
"""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from lycosa.archive.streams import Break, Piece, pieces
from lycosa.closing import Closing
from lycosa.errors import ArchiveError

_NEXT = re.compile(rb"WARC/[01]\.\d\r?\n")
_LONGEST_HEADER = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """One record: its headers (names in lower case) and its block of bytes.

    `offset` is where it can be read again, None if the file must be read from
    the start to get there.
    """

    headers: Mapping[str, str]
    block: bytes
    offset: int | None

    @property
    def type(self) -> str:
        """What kind of record it is: response, resource, warcinfo or another."""
        return self.headers.get("warc-type", "").lower()

    @property
    def url(self) -> str:
        """What was asked for."""
        # Some old tools wrote the address between angle brackets.
        return self.headers.get("warc-target-uri", "").strip("<>")


@dataclass(slots=True)
class Account:
    """How the reading of a file went, or goes: what was read and what was lost."""

    records: int = 0
    reached: int = 0
    """Bytes of the file."""
    places: int = 0
    """Where it is damaged."""
    lost: int = 0
    """Bytes."""

    def damage(self, name: str) -> str | None:
        """How much was lost and how much was kept, for people; None if all is well."""
        if not self.places:
            return None
        places = "1 place" if self.places == 1 else f"{self.places:,} places"
        return (
            f"{name} is damaged in {places}: {self.lost:,} bytes were lost, "
            f"{self.records:,} records could be read and are used."
        )


def read_warc(path: Path, account: Account | None = None) -> Iterator[Record]:
    """Every whole record of a file, in order; `account` is kept up to date."""
    return _Parser(account or Account()).records(path)


def read_warc_at(path: Path, offset: int) -> Record:
    """The record that begins at an offset that an earlier `Record` gave."""
    for record in _Parser(Account()).records(path, offset):
        return record
    raise ArchiveError(f"There is no record at {offset} in {path}: its index is out of date.")


@dataclass(slots=True)
class _Parser:
    """Cuts a stream of bytes into records and finds the next one after a fault."""

    account: Account
    buffer: bytearray = field(default_factory=bytearray)
    starts: dict[int, int] = field(default_factory=dict)  # position in the stream -> file offset
    position: int = 0  # of the buffer's first byte in the stream
    plain: bool = False  # a position in the stream is one in the file
    lost: bool = False  # looking for the next record after a fault

    def records(self, path: Path, offset: int = 0) -> Iterator[Record]:
        self.position = offset
        checked = path.suffix in (".gz", ".xz")
        self.plain = path.suffix not in (".gz", ".xz", ".zst")
        for piece in pieces(path, offset):
            if isinstance(piece, Break):
                # What is lost is counted in the file, not in what was torn off.
                self._fault(piece.lost)
                self._drop(len(self.buffer))
                self.lost = True
                continue
            self._take(piece)
            self.account.reached = piece.reached
            yield from self._cut(checked, last=False)
        yield from self._cut(checked, last=True)
        if self.buffer.strip():
            self._fault(len(self.buffer))

    def _take(self, piece: Piece) -> None:
        if piece.offset is not None and not self.plain:
            self.starts[self.position + len(self.buffer)] = piece.offset
        self.buffer += piece.data

    def _drop(self, size: int) -> None:
        del self.buffer[:size]
        self.position += size
        for start in [s for s in self.starts if s < self.position]:
            del self.starts[start]

    def _fault(self, size: int) -> None:
        if not self.lost:
            self.account.places += 1
        self.account.lost += size

    def _cut(self, checked: bool, *, last: bool) -> Iterator[Record]:
        """All records that are whole by now."""
        while True:
            if not self._at_record():
                return
            head_end, gap = self._header_end()
            if head_end < 0:
                if len(self.buffer) > _LONGEST_HEADER:
                    self._resync(1)
                    continue
                return
            headers = _headers(bytes(self.buffer[:head_end]))
            try:
                size = int(headers["content-length"])
            except (KeyError, ValueError):
                size = -1
            if size < 0:
                self._resync(1)
                continue
            start = head_end + gap
            end = start + size
            if len(self.buffer) < end + 4 and not last:
                return
            if len(self.buffer) < end or self.buffer[end : end + 4].strip(b"\r\n"):
                # It claims more, or less, than there is up to the next record.
                self._resync(1)
                continue
            block = bytes(self.buffer[start:end])
            if not checked and not _digest_agrees(headers, block):
                self._resync(1)
                continue
            offset = self.position if self.plain else self.starts.get(self.position)
            self._drop(end)
            self.lost = False
            self.account.records += 1
            yield Record(headers, block, offset)

    def _at_record(self) -> bool:
        """Whether the buffer begins with a record, after moving to the next one."""
        blank = 0
        while blank < len(self.buffer) and self.buffer[blank] in b"\r\n":
            blank += 1
        self._drop(blank)
        if len(self.buffer) < 10:
            return False
        if not _NEXT.match(self.buffer):
            self._resync(0)
        return bool(_NEXT.match(self.buffer))

    def _resync(self, skip: int) -> None:
        """Give up what is here and go to where the next record seems to begin."""
        found = _NEXT.search(self.buffer, skip)
        # A mark may be cut in two by the end of the buffer.
        gone = found.start() if found else max(0, len(self.buffer) - 9)
        self._fault(gone)
        self.lost = True
        self._drop(gone)

    def _header_end(self) -> tuple[int, int]:
        strict = self.buffer.find(b"\r\n\r\n")
        loose = self.buffer.find(b"\n\n", 0, strict if strict >= 0 else len(self.buffer))
        return (loose, 2) if loose >= 0 else (strict, 4)


def _headers(head: bytes) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in head.decode("utf-8", "replace").splitlines()[1:]:
        name, colon, value = line.partition(":")
        if colon:
            headers.setdefault(name.strip().lower(), value.strip())
    return headers


def _digest_agrees(headers: Mapping[str, str], block: bytes) -> bool:
    name, _, value = headers.get("warc-block-digest", "").partition(":")
    if name.lower() != "sha1" or len(value) != 32:
        return True
    return value.upper() == _sha1(block)


def _sha1(block: bytes) -> str:
    return base64.b32encode(hashlib.sha1(block, usedforsecurity=False).digest()).decode()


class WarcWriter(Closing):
    """Writes a `.warc.gz`, one gzip member a record, so that any can be read alone.

    The same calls with the same dates give the same bytes.
    """

    def __init__(
        self, path: Path, *, software: str = "lycosa", date: datetime | None = None
    ) -> None:
        if path.suffixes[-2:] != [".warc", ".gz"]:
            raise ArchiveError(f"An archive is written as .warc.gz, not as {path.name!r}.")
        self._file = path.open("wb")
        info = f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode()
        fields = {"WARC-Filename": path.name, "Content-Type": "application/warc-fields"}
        self._write("warcinfo", info, fields, date)

    def response(
        self,
        url: str,
        body: bytes,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        date: datetime | None = None,
    ) -> int:
        """Write what a server answered; returns the offset of the record."""
        lines = [f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        if not any(line.lower().startswith("content-length:") for line in lines):
            lines.append(f"Content-Length: {len(body)}")
        head = "\r\n".join(line.replace("\r", " ").replace("\n", " ") for line in lines)
        fields = {
            "WARC-Target-URI": url,
            "WARC-Payload-Digest": "sha1:" + _sha1(body),
            "Content-Type": "application/http; msgtype=response",
        }
        block = head.encode("utf-8", "replace") + b"\r\n\r\n" + body
        return self._write("response", block, fields, date)

    def _write(
        self, kind: str, block: bytes, fields: Mapping[str, str], date: datetime | None
    ) -> int:
        offset = self._file.tell()
        when = (date or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ")
        digest = _sha1(block)
        identity = uuid5(NAMESPACE_URL, f"{fields.get('WARC-Target-URI')} {when} {offset} {digest}")
        head = {
            "WARC-Type": kind,
            "WARC-Record-ID": f"<urn:uuid:{identity}>",
            "WARC-Date": when,
            **fields,
            "WARC-Block-Digest": "sha1:" + digest,
            "Content-Length": str(len(block)),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        record = b"WARC/1.1\r\n" + lines.encode() + b"\r\n" + block + b"\r\n\r\n"
        self._file.write(zlib.compress(record, 6, wbits=31))
        return offset

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


_REASONS = {
    200: "OK", 301: "Moved Permanently", 302: "Found", 304: "Not Modified", 403: "Forbidden",
    404: "Not Found", 410: "Gone", 429: "Too Many Requests", 500: "Internal Server Error",
    503: "Service Unavailable",
}  # fmt: skip
