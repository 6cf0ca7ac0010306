"""The archive of a live crawl: numbered WARC files that grow at their end.

`00001.warc.gz` is full at a limit, then `00002.warc.gz` begins. What was
written is `sizes`; whoever keeps the books remembers them, and bytes beyond
them are what a process left behind that died too early.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from lycosa.archive.writer import RecordSerialiser
from lycosa.crawler.storage.records import LEVEL
from lycosa.errors import StoreError

LIMIT = 1 << 30
"""Bytes after which a new file is begun."""

Watch = Callable[[str], None]
"""Called with the name of a stage that was reached."""


class Place(NamedTuple):
    """Where a record lies."""

    file: int
    offset: int
    length: int


class Volumes:
    """Writes records so that they last, and reads them again.

    `sizes` is how many bytes of each file count. A file that has fewer is
    refused, before anything is touched; what a file has more is moved to the
    folder `torn`, and so are files that do not count at all: deleting it is
    left to people, because it would be wrong if the books are older than the
    archive.
    """

    def __init__(self, folder: Path, sizes: Mapping[int, int], *, limit: int, watch: Watch) -> None:
        self.folder = folder
        self.sizes = dict(sizes)
        self._limit = limit
        self._watch = watch
        self._serialiser = RecordSerialiser(LEVEL)
        self._reader: tuple[int, int] | None = None  # the number of a file, its descriptor
        folder.mkdir(exist_ok=True)
        self._refuse_losses()
        self._set_tails_aside()

    def path(self, file: int) -> Path:
        """The file of a number."""
        return self.folder / f"{file:05}.warc.gz"

    def append(self, members: Sequence[bytes]) -> list[Place]:
        """Write records and wait until the disk has them; all of them, or none."""
        sizes = dict(self.sizes)
        places: list[Place] = []
        batch: list[bytes] = []
        file = max(sizes, default=0)
        try:
            for member in members:
                if not file or sizes[file] >= self._limit:
                    self._write(file, batch)
                    file += 1
                    batch = [self._serialiser.warcinfo(self.path(file).name, datetime.now(UTC))]
                    sizes[file] = len(batch[0])
                places.append(Place(file, sizes[file], len(member)))
                batch.append(member)
                sizes[file] += len(member)
            self._write(file, batch)
        except OSError:
            self._take_back()
            raise
        self.sizes = sizes
        return places

    def read(self, place: Place) -> bytes:
        """The bytes of a record."""
        if self._reader is None or self._reader[0] != place.file:
            self._close_reader()
            self._reader = (place.file, os.open(self.path(place.file), os.O_RDONLY))
        return os.pread(self._reader[1], place.length, place.offset)

    def close(self) -> None:
        """Let go of the files."""
        self._close_reader()

    def _write(self, file: int, batch: Sequence[bytes]) -> None:
        if not batch:
            return
        new = file not in self.sizes
        with self.path(file).open("wb" if new else "r+b", buffering=0) as out:
            if new:
                self._watch("begun")
            # An earlier attempt may have left something that could not be taken back.
            out.truncate(self.sizes.get(file, 0))
            out.seek(0, os.SEEK_END)
            rest = memoryview(b"".join(batch))
            while rest:
                rest = rest[out.write(rest) :]
            self._watch("written")
            os.fsync(out.fileno())
        if new:
            sync_folder(self.folder)
        self._watch("synced")

    def _take_back(self) -> None:
        """Make the files as they were: others may want to read them now."""
        with suppress(OSError):
            for path in self._files():
                size = self.sizes.get(int(path.name[:5]))
                if size is None:
                    path.unlink()
                elif path.stat().st_size > size:
                    os.truncate(path, size)

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("[0-9]" * 5 + ".warc.gz"))

    def _refuse_losses(self) -> None:
        for file, size in self.sizes.items():
            path = self.path(file)
            if not path.is_file():
                raise StoreError(
                    f"{path} is missing: put it back, or begin a new crawl in another folder."
                )
            if path.stat().st_size < size:
                raise StoreError(
                    f"{path} has {path.stat().st_size:,} of its {size:,} bytes: put back a "
                    "whole copy, or begin a new crawl in another folder."
                )

    def _set_tails_aside(self) -> None:
        for path in self._files():
            size = self.sizes.get(int(path.name[:5]))
            if path.stat().st_size == size:
                continue
            aside = self._free_name(path, size or 0)
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


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names of a folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
