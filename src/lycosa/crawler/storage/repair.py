"""Repair of the folder of a live crawl: archive and step log agree again, and are whole.

Every archive file is read from its first byte to its last. A file with damage is
written again without it, and the step log is rebuilt from the records and what is
left of the old log. The originals stay beside the new files as `*.damaged`.

A repair can be killed at any moment. New files are written under other names first;
moving `crawl.db` aside decides: from then on the next repair moves the new files to
their places, before that it begins anew.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from lycosa.archive.members import Damage, scan_members
from lycosa.archive.writer import RecordSerialiser
from lycosa.crawler.storage.checkpoints import CheckpointFolder
from lycosa.crawler.storage.error_advice import translate_errors
from lycosa.crawler.storage.rebuild import LostPage, RebuiltJournal
from lycosa.crawler.storage.records import COMPRESSION_LEVEL
from lycosa.crawler.storage.salvage import SalvagedJournal
from lycosa.errors import UsageError
from lycosa.files import FileLock, sync_folder

__all__ = ["LostPage", "RepairReport", "repair_crawl"]

_log = logging.getLogger("lycosa.crawler")

_NEW_LOG = "crawl.db.repaired"
_NEW_FILES = "repaired"
_COPY_BYTES = 1 << 20

OnBytes = Callable[[int, int], None]
"""Called with the bytes of the archive that were read, and all its bytes."""


@dataclass(slots=True)
class RepairReport:
    """What a repair found and did."""

    journal: str
    """The state that the step log was in: `healthy`, `damaged` or `lost`."""
    repaired: bool = False
    """Whether anything was changed; if not, there was no damage."""
    steps: int = 0
    """Steps of the crawl after the repair."""
    pages: int = 0
    """Of them, pages that can be read."""
    faults: int = 0
    """Of them, faults, those of lost pages included."""
    lost: list[LostPage] = field(default_factory=list)
    """The pages that this repair had to give up."""
    damaged_files: list[str] = field(default_factory=list)
    """Names of the archive files that were damaged or missing."""
    lost_bytes: int = 0
    """Bytes of the archive that were damaged."""
    unnumbered: int = 0
    """Pages of an older archive: neither their source, score and reward nor faults are known."""
    kept: list[str] = field(default_factory=list)
    """Paths of the originals that were moved aside, relative to the folder."""


def repair_crawl(folder: Path | str, on_bytes: OnBytes = lambda done, total: None) -> RepairReport:
    """Repair the crawl in a folder; a folder without damage is left as it is.

    >>> from tempfile import TemporaryDirectory
    >>> from lycosa.crawler.http.response import Response
    >>> from lycosa.crawler.storage.sqlite import SqliteStore
    >>> page = Response("http://a.example/", datetime.now(UTC), 200, body=b"Hello")
    >>> with TemporaryDirectory() as folder:
    ...     with SqliteStore.open(folder) as store:
    ...         store.add(1, "http://a.example/", page, reward=1.0)
    ...     Path(folder, "crawl.db").unlink()
    ...     report = repair_crawl(folder)
    ...     with SqliteStore.open(folder) as store:
    ...         [(step, response)] = store.replay()
    >>> report.journal, report.pages, report.lost, step.reward, response.body
    ('lost', 1, [], 1.0, b'Hello')
    """
    folder = Path(folder)
    archive = folder / "archive"
    if not (folder / "crawl.db").exists() and not archive.is_dir():
        raise UsageError(f"There is no crawl in {folder}: it has neither crawl.db nor archive.")
    with translate_errors(folder):
        lock = FileLock(folder / "lock")
        try:
            return _Repair(folder, on_bytes).run()
        finally:
            lock.release()


class _Repair:
    """One repair of one folder, which is locked."""

    def __init__(self, folder: Path, on_bytes: OnBytes) -> None:
        self._folder = folder
        self._archive = folder / "archive"
        self._new_files = self._archive / _NEW_FILES
        self._new_log = folder / _NEW_LOG
        self._on_bytes = on_bytes
        self._healthy = False
        self._committed: dict[int, int] = {}  # by the old log, if it is healthy
        self._sizes: dict[int, int] = {}  # of the files after the repair
        self._damaged: list[Path] = []

    def run(self) -> RepairReport:
        interrupted = self._new_log.is_file() and not (self._folder / "crawl.db").exists()
        if interrupted:
            _log.info("Finishing an interrupted repair of %s", self._folder)
            self._install()
        self._remove_unfinished()
        with SalvagedJournal(self._folder / "crawl.db") as old:
            report = RepairReport(old.state)
            part = self._new_log.with_suffix(".part")
            self._healthy, self._committed = old.state == "healthy", old.sizes()
            with RebuiltJournal(part, old) as new:
                self._read_files(new, report)
                report.damaged_files = self._damaged_files()
                if report.damaged_files or not self._healthy or new.is_new:
                    new.finish(self._sizes)
                    report.repaired, report.lost = True, new.lost
                    report.unnumbered = new.unnumbered
                report.steps, report.pages, report.faults = new.counts()
        if not report.repaired:
            part.unlink()
            self._remove_unfinished()
            return report
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.rename(self._new_log)
        sync_folder(self._folder)
        report.kept = self._install()
        self._remove_unfinished()
        return report

    def _remove_unfinished(self) -> None:
        """Remove the new files of a repair that did not come to its end."""
        self._new_log.unlink(missing_ok=True)
        self._new_log.with_suffix(".part").unlink(missing_ok=True)
        if self._new_files.is_dir():
            for path in self._new_files.iterdir():
                path.unlink()
            self._new_files.rmdir()

    def _read_files(self, new: RebuiltJournal, report: RepairReport) -> None:
        paths = sorted(self._archive.glob("[0-9]" * 5 + ".warc.gz"))
        total = sum(path.stat().st_size for path in paths)
        done = 0
        for path in paths:
            self._read_file(path, new, report, partial(self._on_read, done, total))
            done += path.stat().st_size

    def _on_read(self, before: int, total: int, at: int) -> None:
        self._on_bytes(before + at, total)

    def _read_file(
        self, path: Path, new: RebuiltJournal, report: RepairReport, on_read: Callable[[int], None]
    ) -> None:
        """Add the records of a file to the new log; write the file again if it is damaged."""
        file = int(path.name[:5])
        whole: list[tuple[int, int]] = []  # extents of undamaged bytes: offset, length
        damaged: list[Damage] = []
        head = b""
        size = 0
        for part in scan_members(path):
            on_read(part.offset + part.length)
            if isinstance(part, Damage):
                damaged.append(part)
                continue
            if damaged and not whole and part.record.type != "warcinfo":
                head = RecordSerialiser(COMPRESSION_LEVEL).warcinfo(path.name, datetime.now(UTC))
                size = len(head)
            new.add(part, file, size)
            size += part.length
            if whole and sum(whole[-1]) == part.offset:
                whole[-1] = whole[-1][0], whole[-1][1] + part.length
            else:
                whole.append((part.offset, part.length))
        if size:
            self._sizes[file] = size
        if damaged and self._healthy:
            # What a killed process leaves at the end of a file is not damage.
            first, end = damaged[0].offset, sum(whole[-1]) if whole else 0
            if first >= max(end, self._committed.get(file, 0)):
                return
        if damaged:
            report.lost_bytes += sum(part.length for part in damaged)
            self._damaged.append(path)
            if size:
                self._copy(path, head, whole)

    def _copy(self, path: Path, head: bytes, extents: list[tuple[int, int]]) -> None:
        self._new_files.mkdir(exist_ok=True)
        with path.open("rb") as source, (self._new_files / path.name).open("wb") as target:
            target.write(head)
            for offset, length in extents:
                source.seek(offset)
                for at in range(0, length, _COPY_BYTES):
                    target.write(source.read(min(length - at, _COPY_BYTES)))
            target.flush()
            os.fsync(target.fileno())

    def _damaged_files(self) -> list[str]:
        """Return the names of the files that are damaged, missing or too short."""
        short = [
            f"{file:05}.warc.gz"
            for file, size in self._committed.items()
            if self._sizes.get(file, 0) < size
        ]
        return sorted({*short, *(path.name for path in self._damaged)})

    def _install(self) -> list[str]:
        """Move the originals aside and the new files to their places; may be repeated."""
        # The database and its log keep the names by which SQLite finds the one for the other.
        kept = self._move_aside(self._folder / "crawl.db", "-wal", "-shm")
        sync_folder(self._folder)
        replaced = sorted(self._new_files.iterdir()) if self._new_files.is_dir() else []
        originals = {*self._damaged, *(self._archive / path.name for path in replaced)}
        for path in sorted(originals):
            kept += self._move_aside(path)
        for path in replaced:
            path.rename(self._archive / path.name)
        if self._archive.is_dir():
            sync_folder(self._archive)
        # The pages of a checkpoint may be lost now.
        CheckpointFolder(self._folder / "checkpoints").clear()
        self._new_log.rename(self._folder / "crawl.db")
        sync_folder(self._folder)
        return kept

    def _move_aside(self, path: Path, *companions: str) -> list[str]:
        """Rename a file, and those whose names continue its own; return the new names."""
        suffixes = ("", *companions)
        number, name = 1, f"{path.name}.damaged"
        while any(path.with_name(name + suffix).exists() for suffix in suffixes):
            number += 1
            name = f"{path.name}.damaged{number}"
        kept = []
        for suffix in suffixes:
            original, aside = path.with_name(path.name + suffix), path.with_name(name + suffix)
            if original.exists():
                original.rename(aside)
                kept.append(str(aside.relative_to(self._folder)))
        return kept
