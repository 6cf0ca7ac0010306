"""Checkpoints of a shard: the files of `CheckpointFolder`, copied to PostgreSQL.

A checkpoint is written to a local folder first and then copied: the end of the log that is
new, and the state. The next owner of the shard, on whatever machine, copies the rows to its
own folder and restores from there. If its disk is full it restores nothing and replays all steps.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lycosa.cluster.database import Connection, Database
from lycosa.cluster.leases import Lease, fence
from lycosa.crawler.storage.checkpoints import KEPT_STATES, Checkpoint, CheckpointFolder
from lycosa.errors import LycosaError, StoreError
from lycosa.snapshots import StateWriter

_log = logging.getLogger("lycosa.cluster")

_CHUNK_BYTES = 8 << 20


class _FolderRefused(LycosaError):
    """The local folder takes no files: its disk is full, or its file system read-only."""


class CheckpointRows(CheckpointFolder):
    """The checkpoints of a shard; `folder` is a local one, which is emptied.

    `database` has the connections, and `lease` says whose shard it is.
    """

    def __init__(self, database: Database, lease: Lease, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        super().__init__(folder)
        self._place = folder
        self._database = database
        self._lease = lease
        self._copied = 0  # bytes of the log that PostgreSQL has

    def latest(self, max_steps: int) -> Checkpoint | None:
        """Return the newest checkpoint of at most so many steps; None if the folder takes none."""
        try:
            self._database.run(self._download)
        except _FolderRefused:
            _log.warning("A checkpoint cannot be restored: all steps are replayed", exc_info=True)
            return None
        found = super().latest(max_steps)
        self._copied = self._size
        return found

    async def _download(self, connection: Connection) -> None:
        shard = self._lease.shard
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            states = await connection.fetch(
                "SELECT steps, data FROM checkpoint_states WHERE shard = $1", shard
            )
            self._write_bytes(self._log_path, b"")
            async for row in connection.cursor(
                "SELECT data FROM checkpoint_logs WHERE shard = $1 ORDER BY start", shard
            ):
                self._write_bytes(self._log_path, row[0], mode="ab")
        for steps, data in states:
            self._write_bytes(self._place / f"{steps:012}.state", data)

    def _write_bytes(self, path: Path, data: bytes, mode: str = "wb") -> None:
        # An `OSError` would be taken for one of the connection.
        try:
            self._place.mkdir(parents=True, exist_ok=True)
            with path.open(mode) as file:
                file.write(data)
        except OSError as error:
            raise _FolderRefused(f"{path} cannot be written: {error}") from error

    def clear(self) -> None:
        """Remove all checkpoints."""
        super().clear()
        self._copied = 0
        self._database.run(lambda connection: self._upload(connection, None))

    def write(self, steps: int, facts: Mapping[str, Any], state: StateWriter) -> None:
        """Write the checkpoint after a step, and copy it."""
        super().write(steps, facts, state)
        try:
            self._database.run(lambda connection: self._upload(connection, steps))
        except StoreError:
            # The next one copies what this one did not; whoever lost the lease copies nothing.
            _log.info("The checkpoint of step %d could not be copied", steps, exc_info=True)
        else:
            self._copied = self._size

    async def _upload(self, connection: Connection, steps: int | None) -> None:
        shard = self._lease.shard
        async with connection.transaction():
            await fence(connection, shard, self._lease.epoch)
            await connection.execute(
                "DELETE FROM checkpoint_logs WHERE shard = $1 AND start >= $2", shard, self._copied
            )
            if steps is None:
                await connection.execute("DELETE FROM checkpoint_states WHERE shard = $1", shard)
                return
            with self._log_path.open("rb") as log:
                log.seek(self._copied)
                start = self._copied
                while data := log.read(min(_CHUNK_BYTES, self._size - start)):
                    await connection.execute(
                        "INSERT INTO checkpoint_logs VALUES ($1, $2, $3)", shard, start, data
                    )
                    start += len(data)
            await connection.execute(
                "INSERT INTO checkpoint_states VALUES ($1, $2, $3, $4) "
                "ON CONFLICT (shard, steps) DO UPDATE SET data = excluded.data",
                shard, steps, self._size, (self._place / f"{steps:012}.state").read_bytes(),
            )  # fmt: skip
            await connection.execute(
                "DELETE FROM checkpoint_states WHERE shard = $1 AND steps NOT IN (SELECT steps "
                "FROM checkpoint_states WHERE shard = $1 ORDER BY steps DESC LIMIT $2)",
                shard, KEPT_STATES,
            )  # fmt: skip
