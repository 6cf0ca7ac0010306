"""Writing WACZ (version 1.1.1): a zip of WARC files with an index and a list of pages.

The zip holds `archive/*.warc.gz`, `indexes/index.cdx` (sorted CDXJ lines),
`pages/pages.jsonl`, `pages/extraPages.jsonl` and `datapackage.json`, all stored without
further compression, so that a player can read any record out of the zip.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from lycosa.archive.http_message import parse_response
from lycosa.archive.members import Damage, Member, scan_members
from lycosa.archive.replay_key import replay_key
from lycosa.web.urls import canonical

WACZ_VERSION = "1.1.1"
_COPY_BYTES = 1 << 20
_LINES_IN_MEMORY = 100_000  # of the index, while it is sorted
_MAX_HEAD_BYTES = 1 << 16
_NOT_MODIFIED = 304


class WarcFile(NamedTuple):
    """A file to put into a WACZ."""

    path: Path
    """Of a `.warc.gz` file, compressed record by record."""
    length: int
    """The bytes of it to take."""


class WaczPage(NamedTuple):
    """A page that readers of a WACZ are offered."""

    url: str
    title: str
    when: datetime
    is_main: bool
    """Whether it is one of the pages to start from; the others are found by search."""


class WaczSummary(NamedTuple):
    """What was written."""

    records: int
    """Responses and revisits in the index."""
    pages: int
    damage: int
    """Bytes of the archive that are damaged and in no index."""


def write_wacz(
    out: Path,
    warcs: Sequence[WarcFile],
    pages: Iterable[WaczPage],
    *,
    title: str = "",
    on_bytes: Callable[[int], None] = lambda count: None,
) -> WaczSummary:
    """Write a WACZ of some WARC files; `on_bytes` is called with the bytes done so far."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as wacz:
        writer = _Writer(wacz)
        done = 0
        with tempfile.TemporaryDirectory() as scratch, _SortedLines(Path(scratch)) as index:
            damage = 0
            for warc in warcs:
                with writer.member(f"archive/{warc.path.name}") as member:
                    for data in _read(warc):
                        member.write(data)
                for part in scan_members(warc.path, warc.length):
                    if isinstance(part, Damage):
                        damage += part.length
                    elif line := index_line(part, warc.path.name):
                        index.add(line)
                done += warc.length
                on_bytes(done)
            with writer.member("indexes/index.cdx") as member:
                for line in index:
                    member.write(line)
            records = index.count
        count, main = _write_pages(writer, pages)
        writer.finish(title, main)
    return WaczSummary(records, count, damage)


def index_line(member: Member, name: str) -> bytes | None:
    """Return the CDXJ line of a response or revisit; None for another record.

    An answer 304 gets none: players would show it in the place of the page it stands for.
    """
    record = member.record
    url = canonical(record.url)
    if record.type not in ("response", "revisit") or url is None:
        return None
    response = parse_response(record.block[:_MAX_HEAD_BYTES])
    if response.status == _NOT_MODIFIED:
        return None
    mime = response.type.partition(";")[0].strip() or "unk"
    entry = {
        "url": record.url,
        "mime": "warc/revisit" if record.type == "revisit" else mime,
        "status": str(response.status),
        "digest": record.headers.get("warc-payload-digest", "-"),
        "length": str(member.length),
        "offset": str(member.offset),
        "filename": name,
    }
    date = "".join(c for c in record.headers.get("warc-date", "") if c.isdigit())[:14]
    return f"{replay_key(url)} {date or '0' * 14} {json.dumps(entry)}\n".encode()


def _read(warc: WarcFile) -> Iterator[bytes]:
    with warc.path.open("rb") as file:
        for at in range(0, warc.length, _COPY_BYTES):
            yield file.read(min(_COPY_BYTES, warc.length - at))


class _SortedLines:
    """Lines sorted on disk, so that an index of any size needs little memory."""

    def __init__(self, folder: Path) -> None:
        self.count = 0
        self._folder = folder
        self._lines: list[bytes] = []
        self._files: list[IO[bytes]] = []

    def __enter__(self) -> _SortedLines:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files:
            file.close()

    def add(self, line: bytes) -> None:
        self.count += 1
        self._lines.append(line)
        if len(self._lines) == _LINES_IN_MEMORY:
            file = (self._folder / str(len(self._files))).open("w+b")
            self._files.append(file)
            file.writelines(sorted(self._lines))
            self._lines.clear()

    def __iter__(self) -> Iterator[bytes]:
        for file in self._files:
            file.seek(0)
        return heapq.merge(sorted(self._lines), *self._files)


class _Member:
    """A file in the zip, with its size and hash."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size = 0
        self.hash = hashlib.sha256()

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self.size += len(data)
        self.hash.update(data)


class _Writer:
    """Writes the members of a WACZ and lists them in its data package."""

    def __init__(self, wacz: zipfile.ZipFile) -> None:
        self._wacz = wacz
        self._resources: list[dict[str, Any]] = []

    def member(self, path: str) -> _OpenMember:
        return _OpenMember(self._wacz, path, self._resources)

    def finish(self, title: str, main: WaczPage | None) -> None:
        package: dict[str, Any] = {
            "profile": "data-package",
            "wacz_version": WACZ_VERSION,
            "software": f"lycosa/{version('lycosa')}",
            "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "resources": self._resources,
        }
        if title:
            package["title"] = title
        if main is not None:
            package |= {"mainPageUrl": main.url, "mainPageDate": _stamp(main.when)}
        data = json.dumps(package, indent=2).encode()
        self._wacz.writestr("datapackage.json", data)
        digest = {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(data).hexdigest()}"}
        self._wacz.writestr("datapackage-digest.json", json.dumps(digest))


class _OpenMember:
    """A member of the zip while it is written."""

    def __init__(self, wacz: zipfile.ZipFile, path: str, resources: list[dict[str, Any]]) -> None:
        self._path = path
        self._resources = resources
        self._file = wacz.open(path, "w", force_zip64=True)
        self._member = _Member(self._file)

    def __enter__(self) -> _Member:
        return self._member

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if kind is None:
            facts = {
                "name": self._path.rpartition("/")[2],
                "path": self._path,
                "hash": f"sha256:{self._member.hash.hexdigest()}",
                "bytes": self._member.size,
            }
            self._resources.append(facts)


def _write_pages(writer: _Writer, pages: Iterable[WaczPage]) -> tuple[int, WaczPage | None]:
    """Write both lists of pages; return the number of pages and the first main one."""
    first: WaczPage | None = None
    count = 0
    with tempfile.TemporaryFile() as others:
        with writer.member("pages/pages.jsonl") as member:
            member.write(_line({"format": "json-pages-1.0", "id": "pages", "title": "Pages"}))
            for page in pages:
                count += 1
                facts = {
                    "id": str(uuid5(NAMESPACE_URL, f"{page.url} {_stamp(page.when)}")),
                    "url": page.url,
                    "ts": _stamp(page.when),
                }
                if page.title:
                    facts["title"] = page.title
                if page.is_main:
                    first = first or page
                    member.write(_line(facts))
                else:
                    others.write(_line(facts))
        others.seek(0)
        with writer.member("pages/extraPages.jsonl") as member:
            member.write(_line({"format": "json-pages-1.0", "id": "extra", "title": "Others"}))
            while data := others.read(_COPY_BYTES):
                member.write(data)
    return count, first


def _line(facts: dict[str, str]) -> bytes:
    return json.dumps(facts).encode() + b"\n"


def _stamp(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
