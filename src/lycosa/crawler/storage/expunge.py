"""Expunging: pages are deleted from the archive of a crawl, and their steps stay.

A record is overwritten in its place by one of the same length that says that the page was
removed: no other record moves, and `lycosa repair` reads the archive as before. The rest of the
place is the comment of a gzip member (RFC 1952, 2.3.1), which readers skip. The step becomes
one with the fault `removed`. Checkpoints have words of all pages, so they are deleted, and the
next crawl replays the archive.

An expunging that was killed is repeated as a whole: each of its parts may be repeated.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import zlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from lycosa.archive.members import Member, scan_members
from lycosa.archive.writer import WARC_FIELDS, RecordSerialiser
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.storage.checkpoints import CheckpointFolder
from lycosa.crawler.storage.error_advice import translate_errors
from lycosa.crawler.storage.journal import COLUMNS, StepRow, row_of_values
from lycosa.crawler.storage.records import STEP_FIELD, RecordLocation, read_response, step_value
from lycosa.documents.conversion import conversion_key
from lycosa.errors import StoreError
from lycosa.files import FileLock

_HEADER = b"\x1f\x8b\x08\x10\0\0\0\0\x02\xff"  # with a comment, without a time
_CONVERSIONS = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'conversions'"

_log = logging.getLogger("lycosa.crawler")

Covers = Callable[[str], bool]
"""Says whether a canonical URL is to be expunged."""


def expunge_pages(folder: Path | str, covers: Covers, bodies: Container[str] = frozenset()) -> int:
    """Delete the pages of some URLs from the crawl in a folder; return how many there were.

    Of these pages, those whose body has one of the SHA-256 digests `bodies` are deleted
    wherever the crawl met the same body. The crawl must not be running.
    """
    folder = Path(folder)
    if not (folder / "crawl.db").is_file():
        return 0
    with translate_errors(folder):
        lock = FileLock(folder / "lock")
        try:
            return _expunge(folder, covers, bodies)
        finally:
            lock.release()


def _expunge(folder: Path, covers: Covers, everywhere: Container[str]) -> int:
    with closing(sqlite3.connect(folder / "crawl.db", isolation_level=None)) as database:
        database.execute("PRAGMA secure_delete = ON").fetchone()
        steps = _steps(database, covers)
        archived = [step for step in steps if step.location is not None]
        bodies = {step.n: _body(folder, step.location) for step in archived if step.location}
        copies = _copies(database, archived, bodies, everywhere)
        bodies |= {step.n: _body(folder, step.location) for step in copies if step.location}
        archived += copies
        if not archived and not steps:
            return 0
        # Before the bodies, from which their keys are computed, are gone.
        _delete_conversions(database, archived, bodies)
        _overwrite_all(folder / "archive", archived)
        _overwrite_others(folder / "archive", covers)
        CheckpointFolder(folder / "checkpoints").clear()
        with database:
            database.execute("BEGIN IMMEDIATE")
            database.executemany(
                "UPDATE steps SET fault = ?, status = 0, type = '', reward = 0, file = NULL, "
                '"offset" = NULL, length = NULL, digest = NULL WHERE n = ?',
                ((str(Fault.REMOVED), step.n) for step in archived),
            )
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return len(archived)


def _steps(database: sqlite3.Connection, covers: Covers) -> list[StepRow]:
    """Return the steps that requested a URL to be expunged, or were led to one."""
    found = [n for n, url, final in database.execute("SELECT n, url, final FROM steps")
             if covers(url) or (final != url and covers(final))]  # fmt: skip
    return [*_rows(database, "n", found)]


def _rows(database: sqlite3.Connection, column: str, values: Iterable[object]) -> Iterator[StepRow]:
    query = f"SELECT {COLUMNS} FROM steps WHERE {column} = ?"  # noqa: S608
    for value in values:
        yield from map(row_of_values, database.execute(query, (value,)).fetchall())


def _body(folder: Path, location: RecordLocation) -> bytes:
    """Return the body of a record; empty if it is gone already."""
    path = folder / "archive" / f"{location.file:05}.warc.gz"
    with path.open("rb") as file:
        file.seek(location.offset)
        try:
            response = read_response(file.read(location.length))
        except (ValueError, zlib.error):  # half overwritten by an attempt that was killed
            _log.debug("A record of %s cannot be read", path, exc_info=True)
            return b""
    return b"" if response is None else response.body


def _copies(
    database: sqlite3.Connection,
    steps: Sequence[StepRow],
    bodies: Mapping[int, bytes],
    everywhere: Container[str],
) -> list[StepRow]:
    """Return the other steps that have those bodies of some which are deleted everywhere."""
    known = {step.n for step in steps}
    digests = {
        step.digest
        for step in steps
        if step.digest and sha256(bodies[step.n]).hexdigest() in everywhere
    }
    return [step for step in _rows(database, "digest", sorted(digests)) if step.n not in known]


def _delete_conversions(
    database: sqlite3.Connection, steps: Iterable[StepRow], bodies: Mapping[int, bytes]
) -> None:
    if database.execute(_CONVERSIONS).fetchone() is None:
        return
    keys = {conversion_key(bodies[step.n], step.type) for step in steps if bodies[step.n]}
    query = "DELETE FROM conversions WHERE key = ?"
    database.executemany(query, ((key,) for key in sorted(keys)))


def _overwrite_all(archive: Path, steps: Iterable[StepRow]) -> None:
    by_file: dict[int, dict[RecordLocation, StepRow]] = {}
    for step in steps:
        if step.location is not None:
            # Of steps with the same record, the first one is that of the record.
            by_file.setdefault(step.location.file, {}).setdefault(step.location, step)
    for file, records in by_file.items():
        with (archive / f"{file:05}.warc.gz").open("r+b") as volume:
            for location, step in records.items():
                volume.seek(location.offset)
                volume.write(_removed_record(step, location.length))
            volume.flush()
            os.fsync(volume.fileno())


def _overwrite_others(archive: Path, covers: Covers) -> None:
    """Overwrite the records in files that the crawl does not read: cut off, or damaged."""
    for path in sorted([*archive.glob("torn/*.warc.gz"), *archive.glob("*.damaged*")]):
        found = [
            part
            for part in scan_members(path)
            if isinstance(part, Member) and part.record.type == "response"
        ]
        with path.open("r+b") as file:
            for member in found:
                if covers(member.record.url):
                    file.seek(member.offset)
                    file.write(_padded(b"", member.length))
            file.flush()
            os.fsync(file.fileno())


def _removed_record(step: StepRow, length: int) -> bytes:
    """Return a record of this length that says that the page of a step was removed."""
    gone = replace(step, reward=0.0, fault=str(Fault.REMOVED))
    fields = {
        "WARC-Target-URI": step.final,
        STEP_FIELD: step_value(gone),
        "Content-Type": WARC_FIELDS,
    }
    block = f"fault: {Fault.REMOVED}\r\n".encode()
    when = step.when.astimezone(UTC) if step.when else datetime.now(UTC)
    member = RecordSerialiser(0).record("metadata", fields, block, when)
    return _padded(zlib.decompress(member, wbits=31), length)


def _padded(text: bytes, length: int) -> bytes:
    """Return a gzip member of an exact length: the rest is its comment.

    >>> member = _padded(b"WARC/1.1", 100)
    >>> len(member), zlib.decompress(member, wbits=31)
    (100, b'WARC/1.1')
    """
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = engine.compress(text) + engine.flush()
    end = zlib.crc32(text).to_bytes(4, "little") + len(text).to_bytes(4, "little")
    room = length - len(_HEADER) - 1 - len(packed) - len(end)
    if room < 0:
        raise StoreError(f"A record of {length} bytes is too short to be overwritten.")
    return _HEADER + b" " * room + b"\0" + packed + end
