"""Leases: which worker owns a shard, without a clock that machines would have to share.

The owner of a shard renews its lease several times in the `seconds` that it lasts: each
renewal counts up a number in PostgreSQL. Another worker takes a lease over when it has seen
the same number for `seconds` by its own monotonic clock (as clients of lock services do that
must not trust the clocks of others; Burrows 2006 describes the leases of Chubby). The owner
measures from the moment at which it *sent* the last renewal that succeeded, and stops a
margin earlier:

    owner       sent renewal 7                 stops asking      lease over
                |------------------------------|-----------------|
    other           sees renewal 7 for the first time                takes over
                    |------------------------------------------------|

so the owner has stopped before any other worker begins, whatever the wall clocks say.

Every change of owner increments the `epoch`, and every write to a shard carries it: `fence`
locks the row of the lease for the rest of the transaction and refuses an old epoch. A worker
that was suspended, and does not know that it lost its lease, cannot write any more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from math import inf
from typing import NamedTuple

from lycosa.cluster.database import Connection
from lycosa.errors import StoreError

LEASE_SECONDS = 6.0
"""How long a lease lasts after a renewal."""
MARGIN = 0.25
"""The share of that time, at its end, in which the owner makes no requests any more."""
RENEWALS = 4
"""Renewals in that time: all but one may fail."""


class LeaseLost(StoreError):
    """Another worker owns the shard now: what was not committed is refused."""


class LeaseRow(NamedTuple):
    """The row of a lease: its owner, None if it is free, its epoch and its renewals."""

    shard: int
    owner: str | None
    epoch: int
    renewals: int


class Lease:
    """A lease that this process has: a shard, its epoch, and until when it may make requests.

    `sent` is when the acquisition was sent, by `clock`; `seconds` how long the lease lasts.

    >>> now = 100.0
    >>> lease = Lease(3, 1, sent=100.0, seconds=6.0, clock=lambda: now)
    >>> lease.is_valid, lease.seconds_left
    (True, 4.5)
    >>> now = 104.5
    >>> lease.is_valid
    False
    """

    def __init__(
        self,
        shard: int,
        epoch: int,
        *,
        sent: float,
        seconds: float = LEASE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.shard = shard
        self.epoch = epoch
        self._seconds = seconds
        self._clock = clock
        self._lost = False
        self.renewed(sent)

    def renewed(self, sent: float) -> None:
        """Record a renewal that was sent at that time and succeeded."""
        self._until = sent + self._seconds * (1 - MARGIN)

    def lose(self) -> None:
        """Record that another worker has the lease, or that it was released."""
        self._lost = True

    @property
    def is_lost(self) -> bool:
        """Whether it will never be valid again."""
        return self._lost

    @property
    def is_valid(self) -> bool:
        """Whether requests may be made for the shard."""
        return self.seconds_left > 0

    @property
    def seconds_left(self) -> float:
        """Seconds for which requests may be made if it is not renewed."""
        return 0.0 if self._lost else max(self._until - self._clock(), 0.0)


class LeaseWatch:
    """Finds leases that are over: not renewed for `seconds` by this process's own `clock`.

    >>> now = 0.0
    >>> watch = LeaseWatch(6.0, clock=lambda: now)
    >>> rows = [LeaseRow(0, "a", 1, 7), LeaseRow(1, None, 0, 0)]
    >>> watch.free(rows)
    [LeaseRow(shard=1, owner=None, epoch=0, renewals=0)]
    >>> now = 6.0
    >>> [row.shard for row in watch.free(rows)], watch.free([LeaseRow(0, "a", 1, 8)])
    ([0, 1], [])
    >>> now = 10.0
    >>> watch.seconds_until_free
    2.0
    """

    def __init__(
        self, seconds: float = LEASE_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._seen: dict[int, tuple[LeaseRow, float]] = {}

    def free(self, rows: Iterable[LeaseRow]) -> list[LeaseRow]:
        """Take in the rows as they were read just now; return those that may be taken."""
        now, found = self._clock(), []
        for row in rows:
            seen, since = self._seen.get(row.shard, (None, now))
            if seen != row:
                self._seen[row.shard] = row, now
                since = now
            if row.owner is None or now - since >= self._seconds:
                found.append(row)
        return found

    @property
    def seconds_until_free(self) -> float:
        """Seconds until the next lease is over, if none is renewed; `inf` if none can be."""
        now = self._clock()
        left = (since + self._seconds - now for _, since in self._seen.values())
        return min((seconds for seconds in left if seconds > 0), default=inf)


async def read_leases(connection: Connection) -> list[LeaseRow]:
    """Return the rows of all leases."""
    query = "SELECT shard, owner, epoch, renewals FROM leases ORDER BY shard"
    return [LeaseRow(*row) for row in await connection.fetch(query)]


async def take_leases(
    connection: Connection, owner: str, rows: Iterable[LeaseRow]
) -> list[tuple[int, int]]:
    """Take leases that are unchanged since they were read; return shard and new epoch of each."""
    wanted = list(rows)
    query = """
        UPDATE leases SET owner = $1, epoch = leases.epoch + 1, renewals = leases.renewals + 1,
            renewed = clock_timestamp()
        FROM unnest($2::integer[], $3::bigint[], $4::bigint[]) AS seen (shard, epoch, renewals)
        WHERE leases.shard = seen.shard AND leases.epoch = seen.epoch
            AND leases.renewals = seen.renewals
        RETURNING leases.shard, leases.epoch"""
    columns = [row.shard for row in wanted], [row.epoch for row in wanted]
    renewals = [row.renewals for row in wanted]
    return [tuple(row) for row in await connection.fetch(query, owner, *columns, renewals)]


async def renew_leases(
    connection: Connection, owner: str, leases: Iterable[tuple[int, int]]
) -> set[int]:
    """Renew leases, given by shard and epoch; return the shards whose lease the owner still has."""
    held = list(leases)
    query = """
        UPDATE leases SET renewals = renewals + 1, renewed = clock_timestamp()
        FROM unnest($2::integer[], $3::bigint[]) AS held (shard, epoch)
        WHERE leases.shard = held.shard AND leases.epoch = held.epoch AND owner = $1
        RETURNING leases.shard"""
    columns = [shard for shard, _ in held], [epoch for _, epoch in held]
    return {row[0] for row in await connection.fetch(query, owner, *columns)}


async def release_lease(connection: Connection, owner: str, shard: int, epoch: int) -> None:
    """Release a lease, so that another worker can take it at once."""
    query = """
        UPDATE leases SET owner = NULL, renewals = renewals + 1
        WHERE shard = $1 AND epoch = $2 AND owner = $3"""
    await connection.execute(query, shard, epoch, owner)


async def fence(connection: Connection, shard: int, epoch: int) -> None:
    """Hold a lease for the rest of the transaction; raise `LeaseLost` if it has another epoch."""
    query = "SELECT 1 FROM leases WHERE shard = $1 AND epoch = $2 AND owner IS NOT NULL FOR SHARE"
    if await connection.fetchval(query, shard, epoch) is None:
        raise LeaseLost(f"Shard {shard} has another owner now: its epoch is no longer {epoch}.")
