"""The lease keeper: renews the leases of a worker, and takes those that are free.

Renewals run in the loop of the database, so that a crawl that keeps the processor busy does
not lose its leases.
"""

from __future__ import annotations

import asyncio
import logging
import platform
import time
from concurrent.futures import Future
from functools import partial

from lycosa.cluster.database import Connection, Database
from lycosa.cluster.leases import (
    LEASE_SECONDS,
    RENEWALS,
    Lease,
    LeaseRow,
    LeaseWatch,
    read_leases,
    release_lease,
    renew_leases,
    take_leases,
)
from lycosa.cluster.shards import assign
from lycosa.errors import StoreError

_log = logging.getLogger("lycosa.cluster")


class LeaseKeeper:
    """The leases of one worker.

    Parameters
    ----------
    database
        The connections to PostgreSQL.
    owner
        The name of the worker, which no other one has or had.
    seconds
        How long a lease lasts; all workers of a crawl must use the same.
    """

    def __init__(self, database: Database, owner: str, seconds: float = LEASE_SECONDS) -> None:
        self.leases: dict[int, Lease] = {}
        """The leases that the worker has, by shard."""
        self.owner = owner
        self.seconds = seconds
        self._database = database
        self._watch = LeaseWatch(seconds)
        self._workers = LeaseWatch(seconds)
        self._numbers: dict[str, int] = {}  # of workers, in the order in which they were seen
        self._renewing: Future[None] | None = None

    @property
    def interval(self) -> float:
        """Seconds between two renewals."""
        return self.seconds / RENEWALS

    @property
    def seconds_until_look(self) -> float:
        """Seconds until it is worth to look for free leases again."""
        return min(self.interval / 2, self._watch.seconds_until_free)

    async def start(self) -> None:
        """Begin to watch the leases of others, register the worker and begin to renew."""
        await self.look()
        insert = (
            "INSERT INTO workers VALUES ($1, $2, clock_timestamp(), 0, clock_timestamp()) "
            "ON CONFLICT DO NOTHING"
        )
        machine = platform.node()
        await self._database.call(lambda c: c.execute(insert, self.owner, machine))
        self._renewing = self._database.start(self._renew_forever())

    async def look(self) -> tuple[list[LeaseRow], set[int]]:
        """Return the leases to take now, and the shards that this worker should have."""

        async def read(connection: Connection) -> tuple[list[LeaseRow], list[tuple[str, int]]]:
            workers = await connection.fetch("SELECT name, renewals FROM workers ORDER BY name")
            return await read_leases(connection), [tuple(row) for row in workers]

        rows, workers = await self._database.call(read, seconds=self.seconds)
        numbers = self._numbers
        beats = [
            LeaseRow(numbers.setdefault(name, len(numbers)), name, 0, n) for name, n in workers
        ]
        gone = {row.owner for row in self._workers.free(beats)}
        alive = {name for name, _ in workers if name not in gone} | {self.owner}
        owners = assign(len(rows), alive, {row.shard: row.owner for row in rows})
        mine = {shard for shard, owner in owners.items() if owner == self.owner}
        free = [row for row in self._watch.free(rows) if row.shard in mine - self.leases.keys()]
        return free, mine

    async def take(self, rows: list[LeaseRow]) -> list[Lease]:
        """Take free leases; return those that no other worker took first."""
        sent = time.monotonic()
        work = partial(take_leases, owner=self.owner, rows=rows)
        taken = await self._database.call(work, seconds=self.seconds)
        found = [Lease(shard, epoch, sent=sent, seconds=self.seconds) for shard, epoch in taken]
        self.leases.update((lease.shard, lease) for lease in found)
        return found

    def drop(self, lease: Lease) -> None:
        """Stop renewing a lease."""
        lease.lose()
        if self.leases.get(lease.shard) is lease:
            del self.leases[lease.shard]

    async def release(self, lease: Lease) -> None:
        """Give a lease back, so that others can take it at once."""
        lost = lease.is_lost
        self.drop(lease)
        if not lost:
            work = partial(release_lease, owner=self.owner, shard=lease.shard, epoch=lease.epoch)
            await self._database.call(work, seconds=self.seconds)

    async def stop(self) -> None:
        """Stop renewing, and leave the list of workers."""
        if self._renewing is not None:
            self._renewing.cancel()
        remove = "DELETE FROM workers WHERE name = $1"
        await self._database.call(lambda c: c.execute(remove, self.owner), seconds=self.seconds)

    async def _renew_forever(self) -> None:
        while True:
            started = time.monotonic()
            try:
                await self._renew()
            except StoreError as error:
                _log.info("Leases of %s are not renewed: %s", self.owner, error)
                _log.debug("A renewal failed", exc_info=True)
            await asyncio.sleep(max(started + self.interval - time.monotonic(), self.interval / 4))

    async def _renew(self) -> None:
        held = list(self.leases.values())
        pairs = [(lease.shard, lease.epoch) for lease in held]
        sent = time.monotonic()

        async def renew(connection: Connection) -> set[int]:
            await connection.execute(
                "UPDATE workers SET renewals = renewals + 1, renewed = clock_timestamp() "
                "WHERE name = $1",
                self.owner,
            )
            return await renew_leases(connection, self.owner, pairs)

        kept = await self._database.use(renew, seconds=self.interval)
        for lease in held:
            if lease.shard in kept:
                lease.renewed(sent)
            elif self.leases.get(lease.shard) is lease:
                _log.info("Shard %d was taken over by another worker", lease.shard)
                lease.lose()
