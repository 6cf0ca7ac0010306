"""The archive of a cluster crawl: whole WARC files in a folder, or in an object store (fsspec).

A file is written when its volume is closed and never changed: writing it again writes the same
bytes, so a worker that was killed between the file and the rows does no harm. If the archive
refuses a file, the rows stay in PostgreSQL and the next attempt follows later.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Any
from uuid import uuid4

from lycosa.cluster.database import Connection, Database
from lycosa.cluster.leases import Lease, fence
from lycosa.errors import StoreError

_log = logging.getLogger("lycosa.cluster")


def volume_name(volume: int) -> str:
    """Return the name of the file of a volume.

    >>> volume_name(12)
    '00012.warc.gz'
    """
    return f"{volume:05}.warc.gz"


class ArchiveFolder:
    """A folder for whole volumes; `url` is a path, or a URL such as `s3://bucket/archive`."""

    def __init__(self, url: str) -> None:
        from fsspec.core import url_to_fs

        self._files: Any
        self._files, self._root = url_to_fs(url)
        self._made = False

    def path(self, volume: int) -> str:
        """Return the path of the file of a volume."""
        return f"{self._root.rstrip('/')}/{volume_name(volume)}"

    def write(self, volume: int, data: bytes) -> None:
        """Write the file of a volume, whole or not at all; raises what the file system raises."""
        if not self._made:
            self._files.makedirs(self._root, exist_ok=True)
            self._made = True
        path = self.path(volume)
        if "file" in self._files.protocol:
            # An object appears whole; a local file is renamed when it is.
            part = f"{self._root.rstrip('/')}/.{volume_name(volume)}.{uuid4().hex}.part"
            try:
                self._files.pipe_file(part, data)
                self._files.mv(part, path)
            except BaseException:
                if self._files.exists(part):
                    self._files.rm_file(part)
                raise
        else:
            self._files.pipe_file(path, data)

    def read(self, volume: int, start: int, length: int) -> bytes | None:
        """Return bytes of the file of a volume; None if they are missing.

        Raises a `StoreError` if the archive cannot be read now: a page that is taken for missing
        is requested again.
        """
        try:
            data = self._files.cat_file(self.path(volume), start=start, end=start + length)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and self._files.isdir(self._root):
                _log.debug("Volume %d is missing", volume, exc_info=True)
                return None
            _log.warning("The archive cannot be read: %s", error)
            raise StoreError("The archive cannot be read.") from error
        return bytes(data) if len(data) == length else None

    def read_if_possible(self, volume: int, start: int, length: int) -> bytes | None:
        """Return bytes of the file of a volume; None if they cannot be read."""
        try:
            return self.read(volume, start, length)
        except StoreError:
            return None


async def read_volume(connection: Connection, volume: int) -> bytes:
    """Return the records of a volume that are rows in PostgreSQL."""
    query = "SELECT data FROM records WHERE volume = $1 ORDER BY start"
    return b"".join([row[0] for row in await connection.fetch(query, volume)])


def move_volumes(database: Database, archive: ArchiveFolder, lease: Lease) -> int:
    """Move the closed volumes of a shard to the archive; return how many were moved.

    Raises an `OSError`, or what else the file system raises, if the archive refuses one.
    """
    query = "SELECT volume FROM volumes WHERE shard = $1 AND closed AND NOT moved ORDER BY volume"
    rows = database.run(lambda connection: connection.fetch(query, lease.shard))
    for (volume,) in rows:
        archive.write(volume, database.run(partial(read_volume, volume=volume)))
        database.run(partial(_forget_records, lease=lease, volume=volume))
    return len(rows)


async def _forget_records(connection: Connection, lease: Lease, volume: int) -> None:
    async with connection.transaction():
        await fence(connection, lease.shard, lease.epoch)
        await connection.execute("UPDATE volumes SET moved = true WHERE volume = $1", volume)
        await connection.execute("DELETE FROM records WHERE volume = $1", volume)
