"""The store of one shard of a cluster crawl, in PostgreSQL; a worker can be killed at any moment.

A commit is one transaction: the steps, the WARC records of their responses, notes, events, and
what the shard sends to others. It begins with `fence`, so that a worker that lost its lease
cannot write. Records of the open volume are rows; a volume that is full or old is written to
the archive as one file, and its rows are deleted then (`archive_mover`).

A commit whose answer was lost may have succeeded: the row of the shard counts its commits, so
that a repeated one sees that it was done.
"""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from lycosa.archive.http_message import ArchivedResponse
from lycosa.archive.writer import RecordSerialiser
from lycosa.closing import Closing
from lycosa.cluster.archive_volumes import ArchiveFolder, volume_name
from lycosa.cluster.checkpoint_rows import CheckpointRows
from lycosa.cluster.database import Connection, Database, Unreachable
from lycosa.cluster.leases import Lease, LeaseLost, fence
from lycosa.cluster.shard_buffer import Batch, ShardBuffer, ShardState
from lycosa.cluster.shard_rows import (
    STEP_ARRAYS,
    close_volume,
    fetch_steps,
    step_values,
    write_records,
    write_rest,
)
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.records import COMPRESSION_LEVEL, read_response, response_records
from lycosa.crawler.storage.store import StoredStep
from lycosa.errors import StoreError, UsageError

_log = logging.getLogger("lycosa.cluster")

MAX_VOLUME_BYTES = 32 << 20
"""The size of a volume after which a new one begins: its records are rows until then."""
MAX_VOLUME_SECONDS = 600.0
"""The age of a volume after which a new one begins."""
RETRY_SECONDS = 0.2
"""Between two attempts to commit while PostgreSQL cannot be reached."""
MAX_RETRY_SECONDS = 60.0
"""A commit fails after so many seconds without PostgreSQL."""
_STEPS_PER_QUERY = 200
_ON_DEMAND = ("robots:", "between:")  # notes of which a shard may have very many


class PostgresStore(Closing):
    """The store of one shard, opened by `PostgresStore.open`. See `Store` for the contract.

    Parameters
    ----------
    database
        The connections, which the store does not close.
    lease
        The lease of the shard.
    archive
        Where whole volumes are.
    checkpoints
        The checkpoints of the shard.
    level
        The compression level of records.
    max_volume_bytes
        The size after which a volume is closed.
    """

    def __init__(
        self,
        database: Database,
        lease: Lease,
        archive: ArchiveFolder,
        checkpoints: CheckpointRows,
        level: int = COMPRESSION_LEVEL,
        max_volume_bytes: int = MAX_VOLUME_BYTES,
    ) -> None:
        self.shard = lease.shard
        self.checkpoints = checkpoints
        """The checkpoints of the shard."""
        self.steps = 0
        """The number of the last step that is committed."""
        self._database = database
        self._lease = lease
        self._archive = archive
        self._level = level
        self._max_volume_bytes = max_volume_bytes
        self._facts: Mapping[str, str] = {}
        self._commit_lock = threading.Lock()
        self._open = True
        self._abandoned = False
        self._notes: dict[str, str] = {}
        self._more_notes: set[str] = set()
        self._volume_since = time.monotonic()
        self._load()
        self.buffer = ShardBuffer(self.steps + 1)
        """What the next commit writes."""

    @classmethod
    def open(
        cls,
        database: Database,
        lease: Lease,
        *,
        archive: str | Path,
        folder: Path,
        level: int = COMPRESSION_LEVEL,
        max_volume_bytes: int = MAX_VOLUME_BYTES,
    ) -> Self:
        """Open the store of the shard that a lease is for.

        `archive` is a folder, or a URL that fsspec knows, for whole volumes; `folder` is a
        local one for the files of checkpoints.
        """
        return cls(
            database, lease, ArchiveFolder(str(archive)), CheckpointRows(database, lease, folder),
            level, max_volume_bytes,
        )  # fmt: skip

    def _load(self) -> None:
        """Read how far the shard is, and its notes."""
        shard = self._lease.shard

        async def load(connection: Connection) -> None:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                row = await connection.fetchrow(
                    "SELECT commits, steps FROM shards WHERE shard = $1", shard
                )
                if row is None:
                    raise UsageError(f"This crawl has no shard {shard}.")
                self._commits, self.steps = row
                await self._load_volume(connection)
                many = [f"{prefix}%" for prefix in _ON_DEMAND]
                query = (
                    "SELECT key, CASE WHEN key LIKE ANY($2) THEN NULL ELSE value END "
                    "FROM notes WHERE shard = $1"
                )
                rows = await connection.fetch(query, shard, many)
            self._notes = {key: value for key, value in rows if value is not None}
            self._more_notes = {key for key, value in rows if value is None}

        self._database.run(load)

    async def _load_volume(self, connection: Connection) -> None:
        query = (
            "SELECT volume, bytes FROM volumes WHERE shard = $1 AND NOT closed "
            "ORDER BY volume DESC LIMIT 1"
        )
        found = await connection.fetchrow(query, self._lease.shard)
        self._volume: int | None = None if found is None else found["volume"]
        self._size: int = 0 if found is None else found["bytes"]

    @property
    def events(self) -> Iterator[tuple[int, int, str, str]]:
        """The committed events: position, step after which it came, kind and detail."""
        query = (
            "SELECT position, after_step, kind, detail FROM events "
            "WHERE shard = $1 ORDER BY position"
        )
        rows = self._run(lambda connection: connection.fetch(query, self.shard))
        return (tuple(row) for row in rows)

    def describe(self, facts: Mapping[str, str], *, revisits: bool = False) -> None:
        """Write these facts at the beginning of every new volume."""
        self._facts = dict(facts)

    def add(
        self,
        n: int,
        url: str,
        response: Response,
        *,
        reward: float = 0.0,
        source: int = 0,
        score: float = math.inf,
    ) -> None:
        """Buffer step `n`, one more than the last."""
        step = StoredStep.of(n, url, response, reward=reward, source=source, score=score)
        self.buffer.add_step(step, response)

    def amend(self, n: int, reward: float) -> None:
        """Buffer a new reward of a step."""
        self.buffer.amend(n, float(reward))

    def keep(self, response: Response) -> None:
        """Buffer a response that is not a step, such as a robots.txt or a redirect."""
        if response.fault is None:
            self.buffer.keep(response)

    def put(self, key: str, value: object) -> None:
        """Buffer a note: any value that JSON can express."""
        self.buffer.put(key, json.dumps(value))

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value last put under a key, committed or not."""
        text = self.buffer.note(key)
        if text is None:
            text = self._notes.get(key)
        if text is None and key in self._more_notes:
            query = "SELECT value FROM notes WHERE shard = $1 AND key = $2"
            text = self._run(lambda connection: connection.fetchval(query, self.shard, key))
        return default if text is None else json.loads(text)

    def keep_conversion(self, key: str, value: bytes) -> None:
        """Buffer a conversion of a document."""
        self.buffer.keep_conversion(key, value)

    def conversion(self, key: str) -> bytes | None:
        """Return the conversion kept under a key by any shard, committed or not."""
        found = self.buffer.conversion(key)
        if found is None:
            query = "SELECT value FROM conversions WHERE key = $1"
            found = self._run(lambda connection: connection.fetchval(query, key))
        return found

    def publish(self, state: ShardState) -> None:
        """Buffer the state of the shard."""
        self.buffer.publish(state)

    def commit(self) -> None:
        """Make the buffer durable; waits for PostgreSQL while the lease is valid."""
        self._check_open()
        with self._commit_lock:
            # What is added meanwhile waits for the next commit, so that transactions stay large.
            for _ in range(1 + self.buffer.has_taken):
                if batch := self.buffer.take():
                    self._write(batch)
                    self._count(batch)
                    self.buffer.written()

    def _write(self, batch: Batch) -> None:
        """Write a batch; repeat it while PostgreSQL cannot be reached."""
        records = [response_records(e.response, e.step, None, self._level) for e in batch.fetched]
        members = [(record.members, record.main, record.digest) for record in records]
        give_up = time.monotonic() + MAX_RETRY_SECONDS
        while True:
            if self._abandoned or self._lease.is_lost:
                raise LeaseLost(f"The lease of shard {self.shard} is lost.")
            try:
                found = self._database.run(
                    lambda connection: self._transaction(connection, batch, members)
                )
            except Unreachable:
                if time.monotonic() > give_up or not self._lease.is_valid:
                    raise
                time.sleep(RETRY_SECONDS)
                continue
            if found is None:  # an earlier attempt succeeded, and its answer was lost
                self._database.run(self._load_volume)
            else:
                if found[0] != self._volume:
                    self._volume_since = time.monotonic()
                self._volume, self._size = found
            self._commits += 1
            return

    def _count(self, batch: Batch) -> None:
        """Take over what was committed."""
        self.steps = batch.last_step or self.steps
        for key, text in batch.notes.items():
            if key.startswith(_ON_DEMAND):
                self._more_notes.add(key)
            else:
                self._notes[key] = text

    async def _transaction(
        self, connection: Connection, batch: Batch, members: list[tuple[Any, ...]]
    ) -> tuple[int | None, int] | None:
        """Write a batch; return the open volume and its size, None if it was written before."""
        shard = self.shard
        async with connection.transaction():
            await fence(connection, shard, self._lease.epoch)
            state = batch.state
            counted = await connection.fetchval(
                "UPDATE shards SET commits = commits + 1, steps = coalesce($3, steps), "
                "updated = clock_timestamp(), idle = coalesce($4, idle) "
                "WHERE shard = $1 AND commits = $2 RETURNING commits",
                shard, self._commits, batch.last_step, None if state is None else state.idle,
            )  # fmt: skip
            if counted is None:
                found = await connection.fetchval(
                    "SELECT commits FROM shards WHERE shard = $1", shard
                )
                if found == self._commits + 1:
                    return None
                raise StoreError(f"Shard {shard} has {found} commits, not {self._commits}.")
            if state is not None:
                await connection.execute(
                    "UPDATE shards SET waiting = $2, in_flight = $3, requested = $4, "
                    "targets = $5, best = $6 WHERE shard = $1",
                    shard, state.waiting, state.in_flight, state.requested, state.targets,
                    state.best,
                )  # fmt: skip
            volume = self._volume, self._size
            if batch.fetched:
                volume = await self._write_fetched(connection, batch, members)
            await write_rest(connection, shard, batch)
            return volume

    async def _write_fetched(
        self, connection: Connection, batch: Batch, members: list[tuple[Any, ...]]
    ) -> tuple[int | None, int]:
        volume, size = self._volume, self._size
        old = time.monotonic() - self._volume_since > MAX_VOLUME_SECONDS
        rows: list[tuple[int, int, bytes]] = []
        steps: list[tuple[Any, ...]] = []
        for (step, _), (group, main, digest) in zip(batch.fetched, members, strict=True):
            if volume is None or size >= self._max_volume_bytes or (old and volume == self._volume):
                await close_volume(connection, volume, size)
                volume = await connection.fetchval(
                    "INSERT INTO volumes (shard) VALUES ($1) RETURNING volume", self.shard
                )
                head = self._warcinfo(volume)
                rows.append((volume, 0, head))
                size = len(head)
            offsets = [size + sum(map(len, group[:k])) for k in range(len(group))]
            rows.append((volume, size, b"".join(group)))
            size += len(rows[-1][2])
            if step is not None:
                place: tuple[Any, ...] = (None, None, None, None)
                if main is not None:
                    place = (volume, offsets[main], len(group[main]), digest)
                steps.append(step_values(step, *place))
        await write_records(connection, rows)
        await connection.execute("UPDATE volumes SET bytes = $2 WHERE volume = $1", volume, size)
        if steps:
            await connection.execute(
                f"INSERT INTO steps SELECT {self.shard}, * FROM unnest({STEP_ARRAYS})",  # noqa: S608
                *map(list, zip(*steps, strict=True)),
            )
        return volume, size

    def _warcinfo(self, volume: int) -> bytes:
        software = f"lycosa/{version('lycosa')}"
        facts = {**self._facts, "lycosa-shard": str(self.shard)}
        return RecordSerialiser(self._level).warcinfo(
            volume_name(volume), datetime.now(UTC), software=software, facts=facts
        )

    def replay(self, after: int = 0) -> Iterator[tuple[StoredStep, ArchivedResponse | None]]:
        """Yield the committed steps after step `after`, each with its response."""
        last = after
        select = partial(fetch_steps, shard=self.shard, limit=_STEPS_PER_QUERY)
        while rows := self._run(partial(select, after=last)):
            for row in rows:
                values = *row[:9], row["time"].astimezone(UTC)
                yield StoredStep(*values), self._response(row)
            last = rows[-1]["n"]

    def _response(self, row: Any) -> ArchivedResponse | None:
        if row["volume"] is None:
            return None
        data = row["data"]
        if data is None:
            data = self._archive.read(row["volume"], row["start"], row["length"])
        return None if data is None else read_response(data, row["digest"])

    def abandon(self) -> None:
        """Refuse every further commit: the lease is lost."""
        self._abandoned = True

    def close(self, *, commit: bool = True) -> None:
        """Commit the buffer, or discard it; a second call does nothing."""
        if self._open:
            try:
                if commit and not self._abandoned:
                    self.commit()
            finally:
                self._open = False

    def _run(self, work: Any) -> Any:
        self._check_open()
        return self._database.run(work)

    def _check_open(self) -> None:
        if not self._open:
            raise UsageError(f"The store of shard {self.shard} is closed: open it again.")
