"""The archive of a live crawl: numbered, append-only WARC files.

When `00001.warc.gz` reaches a limit, `00002.warc.gz` begins. The step log
stores the committed size of every file with the steps; bytes beyond it were
left behind by a process that died before it could commit them.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from lycosa.archive.writer import RecordSerialiser
from lycosa.crawler.storage.records import COMPRESSION_LEVEL, RecordLocation
from lycosa.errors import StoreError
from lycosa.files import sync_folder

MAX_VOLUME_BYTES = 1 << 30
"""The default size of a file after which a new one begins."""

OnStage = Callable[[str], None]
"""Called with the name of a stage of a write when it is reached."""

_WARC_SPECIFICATION = (
    "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
)

_log = logging.getLogger("lycosa.crawler")


class Volumes:
    """Appends records durably to numbered WARC files, and reads them.

    `sizes` are the committed bytes of each file. A file that is shorter is
    refused before anything is changed. Bytes beyond the committed size, and
    files that are not committed at all, are moved to the folder `torn` and
    never deleted: they are not garbage if the database is an older copy than
    the archive. `limit` is the size after which a new file begins, and
    `on_stage` observes the stages of every write. `dropped` are files that a compaction
    has emptied: they are deleted, if they are still there.
    """

    def __init__(
        self,
        folder: Path,
        sizes: Mapping[int, int],
        *,
        limit: int,
        on_stage: OnStage,
        dropped: Collection[int] = (),
    ) -> None:
        self.folder = folder
        self.sizes = dict(sizes)
        self._limit = limit
        self._on_stage = on_stage
        self._serialiser = RecordSerialiser(COMPRESSION_LEVEL)
        self._facts: Mapping[str, str] = {}
        self._begin = False  # whether the next record begins a new file
        self._describe = False  # whether the facts are to be written before the next record
        self._reader: tuple[int, int] | None = None  # the number of a file, its descriptor
        folder.mkdir(exist_ok=True)
        for file in dropped:
            self.delete(file)
        self._check_sizes()
        self._move_uncommitted()

    def path(self, file: int) -> Path:
        """Return the path of a file by its number."""
        return self.folder / f"{file:05}.warc.gz"

    def describe(self, facts: Mapping[str, str]) -> None:
        """Write a `warcinfo` record with these facts before the next record, and in new files."""
        self._facts, self._describe = dict(facts), True

    def begin_volume(self) -> None:
        """Begin a new file with the next record."""
        self._begin = True

    def delete(self, file: int) -> None:
        """Delete a file to which no step refers any more."""
        self._close_reader()
        self.path(file).unlink(missing_ok=True)
        sync_folder(self.folder)
        self.sizes.pop(file, None)

    def append(self, groups: Sequence[Sequence[bytes]]) -> list[list[RecordLocation]]:
        """Write records and sync them to the disk: all of them, or none.

        The records of a group are in one file.
        """
        sizes = dict(self.sizes)
        locations: list[list[RecordLocation]] = []
        batch: list[bytes] = []
        file = max(sizes, default=0)
        describe, begin = self._describe, self._begin
        try:
            for group in groups:
                if group and (not file or begin or sizes[file] >= self._limit):
                    self._write(file, batch)
                    begin = False
                    file += 1
                    batch = []
                    sizes[file] = 0
                    describe = True
                if group and describe:
                    batch.append(self._warcinfo(file))
                    sizes[file] += len(batch[-1])
                    describe = False
                locations.append([])
                for member in group:
                    locations[-1].append(RecordLocation(file, sizes[file], len(member)))
                    batch.append(member)
                    sizes[file] += len(member)
            self._write(file, batch)
        except OSError:
            _log.debug("Writing %d pages failed: rolling back", len(groups), exc_info=True)
            self._roll_back()
            raise
        self.sizes, self._describe, self._begin = sizes, describe, begin
        return locations

    def _warcinfo(self, file: int) -> bytes:
        software = f"lycosa/{version('lycosa')}"
        facts = {"conformsTo": _WARC_SPECIFICATION, **self._facts}
        name = self.path(file).name
        return self._serialiser.warcinfo(name, datetime.now(UTC), software=software, facts=facts)

    def read(self, location: RecordLocation) -> bytes:
        """Return the bytes of a record."""
        if self._reader is None or self._reader[0] != location.file:
            self._close_reader()
            self._reader = (location.file, os.open(self.path(location.file), os.O_RDONLY))
        return os.pread(self._reader[1], location.length, location.offset)

    def close(self) -> None:
        """Close the open file."""
        self._close_reader()

    def _write(self, file: int, batch: Sequence[bytes]) -> None:
        if not batch:
            return
        new = file not in self.sizes
        with self.path(file).open("wb" if new else "r+b", buffering=0) as out:
            if new:
                self._on_stage("begun")
            # An earlier attempt may have left bytes that could not be removed.
            out.truncate(self.sizes.get(file, 0))
            out.seek(0, os.SEEK_END)
            rest = memoryview(b"".join(batch))
            while rest:
                rest = rest[out.write(rest) :]
            self._on_stage("written")
            os.fsync(out.fileno())
        if new:
            sync_folder(self.folder)
        self._on_stage("synced")

    def _roll_back(self) -> None:
        """Restore the committed sizes, because other programs may read the files now."""
        with suppress(OSError):
            for path in self._files():
                size = self.sizes.get(int(path.name[:5]))
                if size is None:
                    path.unlink()
                elif path.stat().st_size > size:
                    os.truncate(path, size)

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("[0-9]" * 5 + ".warc.gz"))

    def _check_sizes(self) -> None:
        for file, size in self.sizes.items():
            path = self.path(file)
            if not path.is_file():
                raise StoreError(
                    f"{path} is missing: restore it, or run lycosa repair {self.folder.parent}."
                )
            if path.stat().st_size < size:
                raise StoreError(
                    f"{path} has {path.stat().st_size:,} of its {size:,} bytes: restore a "
                    f"complete copy, or run lycosa repair {self.folder.parent}."
                )

    def _move_uncommitted(self) -> None:
        for path in self._files():
            size = self.sizes.get(int(path.name[:5]))
            if path.stat().st_size == size:
                continue
            aside = self._free_name(path, size or 0)
            _log.info("Moving uncommitted bytes of %s to %s", path, aside)
            if size is None:
                path.rename(aside)
                continue
            with path.open("rb") as file, aside.open("xb") as copy:
                file.seek(size)
                shutil.copyfileobj(file, copy)
                copy.flush()
                os.fsync(copy.fileno())
            sync_folder(aside.parent)
            os.truncate(path, size)

    def _free_name(self, path: Path, size: int) -> Path:
        """Return an unused path in the folder `torn`."""
        torn = self.folder / "torn"
        torn.mkdir(exist_ok=True)
        copy = 0
        while (name := torn / f"{path.name[:5]}-{size}-{copy}.warc.gz").exists():
            copy += 1
        return name

    def _close_reader(self) -> None:
        if self._reader is not None:
            os.close(self._reader[1])
            self._reader = None
