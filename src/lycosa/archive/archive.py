"""An archive: a WARC file with an index, which gives any page by its URL.

The index is a CDXJ file, the sorted text lines that other web-archive tools
read, searched by bisection. An archive that is compressed as a whole has no
entry points: the first lookup copies it once, compressed record by record.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Iterator
from pathlib import Path

from lycosa.archive.decompression import Chunk, read_chunks
from lycosa.archive.http_message import ArchivedResponse, response_of
from lycosa.archive.reader import ReadReport, read_warc, read_warc_at
from lycosa.archive.record import Record, serialise_record
from lycosa.errors import ArchiveError
from lycosa.files import replace_file
from lycosa.web.urls import canonical

_ARC_START = b"filedesc://"


def surt(url: str) -> str:
    """Return the sort key of a canonical URL: the host from its right end, then the path.

    >>> surt("http://www.cs.example.edu:8080/~smith/")
    'edu,example,cs,www:8080)/~smith/'
    """
    authority, _, path = url.partition("://")[2].partition("/")
    host, colon, port = (
        authority.partition(":") if not authority.startswith("[") else (authority, "", "")
    )
    return ",".join(reversed(host.split("."))) + colon + port + ")/" + path


class Archive:
    """A WARC file and its index.

    `path` is the WARC file, plain or compressed. `cache` is the folder of the index
    and of the copy, if one is needed; the folder of the archive if None. `report`
    holds the counts of the last iteration.
    """

    def __init__(self, path: Path, cache: Path | None = None) -> None:
        if not path.is_file():
            raise ArchiveError(f"There is no archive {path}.")
        if _is_arc(path):
            raise ArchiveError(
                f"{path} is an ARC file, the predecessor of WARC, which is not supported: convert "
                "it first, for example with `warcio recompress old.arc.gz new.warc.gz`."
            )
        self.path = path
        self.report = ReadReport()
        self._cache = cache if cache is not None else path.parent
        self._index: mmap.mmap | None = None

    def __iter__(self) -> Iterator[tuple[str, ArchivedResponse]]:
        """Yield every response with its canonical URL, in the order of the file."""
        self.report = ReadReport()
        for record in read_warc(self.path, self.report):
            response = response_of(record)
            url = canonical(record.url) if response else None
            if response and url:
                yield url, response
        if self.report.places and not self.report.records:
            raise ArchiveError(f"Nothing could be read of {self.path}: it is not a WARC file.")

    def get(self, url: str) -> ArchivedResponse | None:
        """Return the response of a canonical URL, or None; http and https are different URLs."""
        index = self._open_index()
        for line in _lines_from(index, surt(url).encode() + b" "):
            entry = json.loads(line.split(b" ", 2)[2])
            if entry["url"] == url:
                record = read_warc_at(self._file(entry["filename"]), int(entry["offset"]))
                return response_of(record)
        return None

    def _file(self, name: str) -> Path:
        return self.path if name == self.path.name else self._cache / name

    def _open_index(self) -> mmap.mmap | bytes:
        if self._index is None:
            path = self._cache / (self.path.name + ".cdxj")
            # The index has the modification time of the archive it was made from.
            time = self.path.stat().st_mtime_ns
            if not path.exists() or path.stat().st_mtime_ns != time:
                self._write_index(path)
                os.utime(path, ns=(time, time))
            if not path.stat().st_size:
                return b""
            with path.open("rb") as file:
                self._index = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return self._index

    def _write_index(self, path: Path) -> None:
        self._cache.mkdir(parents=True, exist_ok=True)
        lines = [
            _index_line(record, name, offset)
            for record, name, offset in self._locations()
            if record.url
        ]
        with replace_file(path) as part:
            part.write_bytes(b"".join(sorted(line for line in lines if line)))

    def _locations(self) -> Iterator[tuple[Record, str, int]]:
        """Yield every record with the file and the offset from which it can be read alone."""
        records = read_warc(self.path)
        first = next(records, None)
        second = next(records, None)
        if first is None:
            return
        if first.offset is not None and (second is None or second.offset is not None):
            yield first, self.path.name, first.offset
            if second is not None:
                yield second, self.path.name, second.offset or 0
            for record in records:
                yield record, self.path.name, record.offset or 0
            return
        name = self.path.name.partition(".warc")[0] + ".copy.warc.gz"
        with replace_file(self._cache / name) as part, part.open("wb") as copy:
            for record in read_warc(self.path):
                yield record, name, copy.tell()
                data = serialise_record(record.headers, record.block)
                copy.write(zlib.compress(data, 1, wbits=31))


def _is_arc(path: Path) -> bool:
    """Return whether a file is in the format ARC, by its first bytes."""
    first = next(read_chunks(path), None)
    return isinstance(first, Chunk) and first.data.startswith(_ARC_START)


def _index_line(record: Record, name: str, offset: int) -> bytes:
    """Return the index line of a record; empty if it has no response or no valid URL."""
    response = response_of(record)
    url = canonical(record.url)
    if response is None or url is None:
        return b""
    date = "".join(c for c in record.headers.get("warc-date", "") if c.isdigit())[:14]
    entry = {
        "url": url,
        "mime": response.type.partition(";")[0].strip(),
        "status": str(response.status),
        "offset": str(offset),
        "filename": name,
    }
    return f"{surt(url)} {date or '0' * 14} {json.dumps(entry)}\n".encode()


def _lines_from(index: mmap.mmap | bytes, key: bytes) -> Iterator[bytes]:
    """Yield the lines of a sorted file that begin with a key, found by bisection."""
    low, high = 0, len(index)
    while low < high:
        middle = (low + high) // 2
        begin = index.rfind(b"\n", low, middle) + 1 or low
        end = index.find(b"\n", begin)
        if index[begin : begin + len(key)] < key:
            low = end + 1
        else:
            high = begin
    while index[low : low + len(key)] == key:
        end = index.find(b"\n", low)
        yield bytes(index[low:end])
        low = end + 1
