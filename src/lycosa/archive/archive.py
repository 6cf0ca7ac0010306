"""Any page of an archive by its URL, without reading the whole of it.

The index is a CDXJ file, the sorted text lines that other web-archive tools
read, searched by bisection. An archive that was compressed as a whole cannot
be entered in the middle: on first need it is copied once, record by record.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Iterator
from pathlib import Path

from lycosa.archive.http_message import Answer, answer_of
from lycosa.archive.warc import Account, Record, read_warc, read_warc_at
from lycosa.errors import ArchiveError
from lycosa.web.urls import canonical


def surt(url: str) -> str:
    """The sort key of a canonical URL: the host from its right end, then the path.

    >>> surt("http://www.cs.example.edu:8080/~smith/")
    'edu,example,cs,www:8080)/~smith/'
    """
    authority, _, path = url.partition("://")[2].partition("/")
    host, colon, port = (
        authority.partition(":") if not authority.startswith("[") else (authority, "", "")
    )
    return ",".join(reversed(host.split("."))) + colon + port + ")/" + path


class Archive:
    """A WARC file and its index; `cache` is where the index and copies are kept."""

    def __init__(self, path: Path, cache: Path | None = None) -> None:
        if not path.is_file():
            raise ArchiveError(f"There is no archive {path}.")
        self.path = path
        self.account = Account()
        self._cache = cache if cache is not None else path.parent
        self._index: mmap.mmap | None = None

    def __iter__(self) -> Iterator[tuple[str, Answer]]:
        """Every answer with its canonical URL, in the order of the file."""
        self.account = Account()
        for record in read_warc(self.path, self.account):
            answer = answer_of(record)
            url = canonical(record.url) if answer else None
            if answer and url:
                yield url, answer
        if self.account.places and not self.account.records:
            raise ArchiveError(f"Nothing could be read of {self.path}: it is no WARC file.")

    def get(self, url: str) -> Answer | None:
        """What was answered for a canonical URL, or None; http and https are kept apart."""
        index = self._open_index()
        for line in _lines_from(index, surt(url).encode() + b" "):
            entry = json.loads(line.split(b" ", 2)[2])
            if entry["url"] == url:
                record = read_warc_at(self._cache_or_here(entry["filename"]), int(entry["offset"]))
                return answer_of(record)
        return None

    def _cache_or_here(self, name: str) -> Path:
        return self.path if name == self.path.name else self._cache / name

    def _open_index(self) -> mmap.mmap | bytes:
        if self._index is None:
            path = self._cache / (self.path.name + ".cdxj")
            # The index bears the time of the archive it was made for.
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
            _line(record, name, offset) for record, name, offset in self._places() if record.url
        ]
        partial = path.with_suffix(".partial")
        partial.write_bytes(b"".join(sorted(line for line in lines if line)))
        partial.replace(path)

    def _places(self) -> Iterator[tuple[Record, str, int]]:
        """Every record with the file and the offset where it can be read again."""
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
        partial = self._cache / (name + ".partial")
        with partial.open("wb") as copy:
            for record in read_warc(self.path):
                yield record, name, copy.tell()
                copy.write(zlib.compress(_whole(record), 1, wbits=31))
        partial.replace(self._cache / name)


def _whole(record: Record) -> bytes:
    fields = {**record.headers, "content-length": str(len(record.block))}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return b"WARC/1.1\r\n" + head.encode() + b"\r\n" + record.block + b"\r\n\r\n"


def _line(record: Record, name: str, offset: int) -> bytes:
    answer = answer_of(record)
    url = canonical(record.url)
    if answer is None or url is None:
        return b""
    date = "".join(c for c in record.headers.get("warc-date", "") if c.isdigit())[:14]
    entry = {
        "url": url,
        "mime": answer.type.partition(";")[0].strip(),
        "status": str(answer.status),
        "offset": str(offset),
        "filename": name,
    }
    return f"{surt(url)} {date or '0' * 14} {json.dumps(entry)}\n".encode()


def _lines_from(index: mmap.mmap | bytes, key: bytes) -> Iterator[bytes]:
    """The lines of a sorted file that begin with a key, found by bisection."""
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
