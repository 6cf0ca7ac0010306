"""The budget of a cluster crawl: one row in PostgreSQL, drawn in slices by the shards.

A shard that has spent its slice draws the next one when its best waiting link is worth at least
half of the best one of the others: so requests go where the best links are. A shard that has
had a slice for some time and could not spend it, because its hosts are asked slowly, does not
hold others up. What an idle shard has left over it returns.
"""

from __future__ import annotations

from typing import NamedTuple

from lycosa.cluster.database import Connection
from lycosa.cluster.leases import fence
from lycosa.core import Budget

MIN_SLICE, MAX_SLICE = 4, 32
"""Pages of a slice: fewer keep the order better, more cost fewer transactions."""
MIN_WORTH = 0.5
"""A shard waits while its best link is worth less than this share of the best of another one."""
SLOW_SECONDS = 2.0
"""A shard that has not spent its slice by then is held up by politeness."""


class ShardBudget(NamedTuple):
    """What a shard may request."""

    granted: int
    """Pages that were granted to it so far."""
    wanted: bool
    """Whether it should ask again soon: others come first."""


async def set_budget(connection: Connection, budget: Budget) -> None:
    """Set the budget of a run: what earlier runs have requested counts."""
    await connection.execute(
        "UPDATE crawl SET pages = $1, targets = $2, seconds = $3, reason = NULL, "
        "started = clock_timestamp()",
        budget.pages, budget.targets, budget.seconds,
    )  # fmt: skip


def slice_size(left: int, shards: int) -> int:
    """Return the pages of the next slice, of those that are left.

    >>> slice_size(10_000, 16), slice_size(100, 16), slice_size(3, 16), slice_size(0, 16)
    (32, 4, 3, 0)
    """
    return min(left, max(MIN_SLICE, min(MAX_SLICE, left // (4 * shards))))


def is_turn(best: float, others: float | None) -> bool:
    """Return whether a shard may draw a slice, given the best links of it and of its competitors.

    >>> is_turn(0.02, None), is_turn(0.02, 0.1), is_turn(0.02, 0.5), is_turn(-3.0, -1.0)
    (True, False, False, True)
    """
    return others is None or others <= 0 or best >= MIN_WORTH * others


async def draw(
    connection: Connection, shard: int, epoch: int, *, requested: int, best: float | None
) -> ShardBudget:
    """Draw a slice for a shard that has spent what it had, if it is its turn.

    `requested` is the number of pages that it has requested, `best` the score of its best
    waiting link.
    """
    async with connection.transaction():
        await fence(connection, shard, epoch)
        crawl = await connection.fetchrow("SELECT pages, granted, shards FROM crawl FOR UPDATE")
        mine = await connection.fetchval(
            "UPDATE shards SET best = $2, requested = $3 WHERE shard = $1 RETURNING granted",
            shard, best, requested,
        )  # fmt: skip
        size = slice_size((crawl["pages"] or 0) - crawl["granted"], crawl["shards"])
        if size < 1 or best is None:
            return ShardBudget(mine, wanted=False)
        # Others compete if they have something to spend a slice on, and can. A clock that was
        # set makes the time of a slice meaningless, so it may lie in the future.
        other = await connection.fetchval(
            "SELECT max(best) FROM shards WHERE shard <> $1 AND waiting > 0 AND NOT idle "
            "AND best < 'Infinity' AND (requested >= granted OR abs(extract(epoch FROM "
            "clock_timestamp() - drawn)) < $2)",
            shard, SLOW_SECONDS,
        )  # fmt: skip
        if not is_turn(best, other):
            return ShardBudget(mine, wanted=True)
        await connection.execute("UPDATE crawl SET granted = granted + $1", size)
        granted = await connection.fetchval(
            "UPDATE shards SET granted = granted + $2, drawn = clock_timestamp() "
            "WHERE shard = $1 RETURNING granted",
            shard, size,
        )  # fmt: skip
        return ShardBudget(granted, wanted=False)


async def give_back(connection: Connection, shard: int, epoch: int, *, requested: int) -> int:
    """Return what an idle shard was granted and has not spent; return what it has left: that."""
    async with connection.transaction():
        await fence(connection, shard, epoch)
        query = "SELECT granted FROM shards WHERE shard = $1"
        granted: int = await connection.fetchval(query, shard)
        if granted > requested:
            await connection.execute("UPDATE crawl SET granted = granted - $1", granted - requested)
            await connection.execute(
                "UPDATE shards SET granted = $2, requested = $2 WHERE shard = $1", shard, requested
            )
        return min(granted, requested)


async def end_if_due(connection: Connection) -> str | None:
    """Return why the crawl has ended; None if it goes on. Records the end when it is reached."""
    reason: str | None = await connection.fetchval("SELECT reason FROM crawl")
    if reason is None:
        reason = await connection.fetchval(_END)
        if reason is not None:
            await connection.execute("UPDATE crawl SET reason = $1 WHERE reason IS NULL", reason)
    return reason


# One statement sees one moment. A shard that is idle becomes busy by a link alone, and no link
# is on its way: so it stays true.
_END = """
    SELECT CASE
        WHEN (SELECT sum(s.targets) FROM shards s) >= c.targets THEN 'budget: targets'
        WHEN clock_timestamp() - c.started > c.seconds * interval '1 second'
            THEN 'budget: seconds'
        WHEN NOT EXISTS (SELECT 1 FROM shards WHERE NOT idle)
            AND NOT EXISTS (SELECT 1 FROM marks m WHERE kind = 'links' AND EXISTS (
                SELECT 1 FROM links l WHERE l.receiver = m.receiver AND l.sender = m.sender
                AND l.sequence > m.sequence)) THEN 'frontier empty'
        WHEN c.granted >= c.pages AND NOT EXISTS (
            SELECT 1 FROM shards WHERE in_flight > 0 OR requested < granted)
            THEN 'budget: pages'
    END FROM crawl c"""
