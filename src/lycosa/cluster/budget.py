"""The budget of a cluster crawl: one row in PostgreSQL, drawn in slices by the shards.

A shard that has spent its slice draws the next one when its best waiting link is worth at least
half of the best one of the others: so requests go where the best links are. A shard that has
had a slice for some time and could not spend it, because its hosts are asked slowly, does not
hold others up. A shard returns what it has left over when it is idle, and when none of its hosts
may be asked for some time; it draws again when one may.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lycosa.cluster.database import Connection
from lycosa.cluster.leases import fence
from lycosa.core import Budget

MIN_SLICE, MAX_SLICE = 4, 32
"""Pages of a slice: fewer keep the order better, more cost fewer transactions."""
SOLE_SLICE = 256
"""Pages of a slice while no other shard has anything to do: there is no order to keep."""
MIN_WORTH = 0.5
"""A shard waits while its best link is worth less than this share of the best of another one."""
SLOW_SECONDS = 2.0
"""A shard that has not spent its slice by then, or cannot before, is held up by politeness."""


class Draw(NamedTuple):
    """A shard that has spent what it had, and asks for a slice."""

    shard: int
    epoch: int
    best: float
    """The score of its best waiting link."""


async def set_budget(connection: Connection, budget: Budget) -> None:
    """Set the budget of a run: what earlier runs have requested counts."""
    await connection.execute(
        "UPDATE crawl SET pages = $1, targets = $2, seconds = $3, reason = NULL, "
        "started = clock_timestamp()",
        budget.pages, budget.targets, budget.seconds,
    )  # fmt: skip


def slice_size(left: int, busy: int) -> int:
    """Return the pages of the next slice, of those that are left; `busy` shards share them.

    >>> slice_size(10_000, 16), slice_size(100, 16), slice_size(3, 16), slice_size(0, 16)
    (32, 4, 3, 0)
    >>> slice_size(10_000, 1), slice_size(100, 1)
    (256, 25)
    """
    most = MAX_SLICE if busy > 1 else SOLE_SLICE
    return min(left, max(MIN_SLICE, min(most, left // (4 * busy))))


def is_turn(best: float, others: float | None) -> bool:
    """Return whether a shard may draw a slice, given the best links of it and of its competitors.

    >>> is_turn(0.02, None), is_turn(0.02, 0.1), is_turn(0.02, 0.5), is_turn(-3.0, -1.0)
    (True, False, False, True)
    """
    return others is None or others <= 0 or best >= MIN_WORTH * others


async def draw(connection: Connection, draws: Sequence[Draw]) -> dict[int, int]:
    """Draw a slice for each shard whose turn it is; return what each was granted so far.

    A shard that has another epoch by now is left out. Nothing holds its lease meanwhile: a slice
    belongs to the shard, so its new owner finds it there.
    """
    async with connection.transaction():
        crawl = await connection.fetchrow("SELECT pages, granted FROM crawl FOR UPDATE")
        rows = await connection.fetch(_ASK, *map(list, zip(*draws, strict=True)))
        granted: dict[int, int] = {row["shard"]: row["granted"] for row in rows}
        left = (crawl["pages"] or 0) - crawl["granted"]
        if left < 1 or not granted:
            return granted
        busy = await connection.fetchval("SELECT count(*) FROM shards WHERE NOT idle")
        found = await connection.fetch(_COMPETITORS, SLOW_SECONDS)
        competitors: dict[int, float] = {row["shard"]: row["best"] for row in found}
        slices: dict[int, int] = {}
        for ask in draws:
            others = [best for shard, best in competitors.items() if shard != ask.shard]
            if ask.shard in granted and is_turn(ask.best, max(others, default=None)):
                slices[ask.shard] = size = slice_size(left, max(busy, 1))
                left -= size
        if slices:
            await connection.execute(
                "UPDATE crawl SET granted = granted + $1", sum(slices.values())
            )
            rows = await connection.fetch(_GRANT, list(slices), list(slices.values()))
            granted |= {row["shard"]: row["granted"] for row in rows}
        return granted


# What a shard has requested is written with its steps only: the crawl ends when all that was
# granted is requested and nothing is in flight, and a page that no commit has yet may be lost.
_ASK = """
    UPDATE shards SET best = ask.best
    FROM unnest($1::integer[], $2::bigint[], $3::double precision[]) AS ask (shard, epoch, best)
        JOIN leases ON leases.shard = ask.shard AND leases.epoch = ask.epoch
    WHERE shards.shard = ask.shard AND leases.owner IS NOT NULL
    RETURNING shards.shard, shards.granted"""
# Shards compete if they have something to spend a slice on, and can. A clock that was set makes
# the time of a slice meaningless, so it may lie in the future.
_COMPETITORS = """
    SELECT shard, best FROM shards WHERE waiting > 0 AND NOT idle AND best < 'Infinity'
        AND (requested >= granted OR abs(extract(epoch FROM clock_timestamp() - drawn)) < $1)"""
_GRANT = """
    UPDATE shards SET granted = granted + slice.pages, drawn = clock_timestamp()
    FROM unnest($1::integer[], $2::bigint[]) AS slice (shard, pages)
    WHERE shards.shard = slice.shard RETURNING shards.shard, shards.granted"""


async def give_back(connection: Connection, shard: int, epoch: int, *, requested: int) -> int:
    """Return what a shard was granted and has not spent, and let it compete no more until it draws.

    Returns what it was granted then. A call whose answer was lost may be repeated.
    """
    async with connection.transaction():
        await fence(connection, shard, epoch)
        query = "SELECT granted FROM shards WHERE shard = $1"
        granted: int = await connection.fetchval(query, shard)
        if granted > requested:
            await connection.execute("UPDATE crawl SET granted = granted - $1", granted - requested)
            await connection.execute(
                "UPDATE shards SET granted = $2, requested = least(requested, $2), best = NULL "
                "WHERE shard = $1",
                shard, requested,
            )  # fmt: skip
        return min(granted, requested)


async def shards_with_work(connection: Connection, shards: Sequence[int]) -> set[int]:
    """Return which of some shards have something to do; the others need not be opened.

    A shard has something to do if it said so in its last commit, or if links wait for it. One
    with steps is opened once in every run, because scope, goal and budget may be others.
    """
    return {row[0] for row in await connection.fetch(_WITH_WORK, list(shards))}


_WITH_WORK = """
    SELECT s.shard FROM shards s, crawl c WHERE s.shard = ANY($1::integer[]) AND (
        NOT s.idle OR s.granted > s.requested OR (s.steps > 0 AND s.updated < c.started)
        OR EXISTS (SELECT 1 FROM marks m WHERE m.kind = 'links' AND m.receiver = s.shard
            AND EXISTS (SELECT 1 FROM links l WHERE l.receiver = m.receiver
                AND l.sender = m.sender AND l.sequence > m.sequence)))"""


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
