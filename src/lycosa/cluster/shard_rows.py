"""The rows of a shard: how a batch is written, and how steps are read."""

from __future__ import annotations

from typing import Any

from lycosa.cluster.database import Connection
from lycosa.cluster.shard_buffer import Batch
from lycosa.crawler.storage.store import StoredStep

MAX_COMMAND_BYTES = 32 << 20
"""Bytes of records that one command writes; a message to PostgreSQL has at most 1 GB."""

STEP_ARRAYS = (
    "$1::bigint[], $2::text[], $3::text[], $4::integer[], $5::text[], $6::text[], "
    "$7::double precision[], $8::bigint[], $9::double precision[], $10::timestamptz[], "
    "$11::integer[], $12::bigint[], $13::bigint[], $14::text[]"
)


def step_values(step: StoredStep, *place: Any) -> tuple[Any, ...]:
    """Return the values of the row of a step; `place` is that of its record."""
    return (
        step.n, _text(step.url), _text(step.final), step.status, _text(step.type), step.fault,
        step.reward, step.source, step.score, step.when, *place,
    )  # fmt: skip


def _text(text: str) -> str:
    """Replace the null character, which PostgreSQL cannot store."""
    return text.replace("\0", "\ufffd")


async def close_volume(connection: Connection, volume: int | None, size: int) -> None:
    """Record that nothing more is written to a volume."""
    if volume is not None:
        await connection.execute(
            "UPDATE volumes SET closed = true, bytes = $2 WHERE volume = $1", volume, size
        )


async def write_records(connection: Connection, rows: list[tuple[int, int, bytes]]) -> None:
    """Write records: the volume, the place in it and the bytes of each."""
    insert = "INSERT INTO records SELECT * FROM unnest($1::integer[], $2::bigint[], $3::bytea[])"
    first, size = 0, 0
    for k, (_, _, data) in enumerate(rows, 1):
        size += len(data)
        if size > MAX_COMMAND_BYTES or k == len(rows):
            await connection.execute(insert, *map(list, zip(*rows[first:k], strict=True)))
            first, size = k, 0


async def write_rest(connection: Connection, shard: int, batch: Batch) -> None:
    """Write all but the responses."""
    if batch.notes:
        await connection.execute(
            "INSERT INTO notes SELECT $1, * FROM unnest($2::text[], $3::text[]) "
            "ON CONFLICT (shard, key) DO UPDATE SET value = excluded.value",
            shard, list(batch.notes), list(batch.notes.values()),
        )  # fmt: skip
    if batch.rewards:
        await connection.execute(
            "UPDATE steps SET reward = new.reward "
            "FROM unnest($2::bigint[], $3::double precision[]) AS new (n, reward) "
            "WHERE shard = $1 AND steps.n = new.n",
            shard, list(batch.rewards), list(batch.rewards.values()),
        )  # fmt: skip
    if batch.conversions:
        await connection.execute(
            "INSERT INTO conversions SELECT * FROM unnest($1::text[], $2::bytea[]) "
            "ON CONFLICT DO NOTHING",
            list(batch.conversions), list(batch.conversions.values()),
        )  # fmt: skip
    if batch.events:
        await connection.execute(
            "INSERT INTO events SELECT $1, * "
            "FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[])",
            shard, *map(list, zip(*batch.events, strict=True)),
        )  # fmt: skip
    if batch.links:
        await connection.execute(
            "INSERT INTO links SELECT $1, * FROM unnest($2::bigint[], $3::integer[], $4::text[], "
            "$5::double precision[], $6::bigint[], $7::bytea[])",
            shard, *map(list, zip(*batch.links, strict=True)),
        )  # fmt: skip
    if batch.examples:
        await connection.execute(
            "INSERT INTO examples SELECT $1, * "
            "FROM unnest($2::bigint[], $3::integer[], $4::bytea[])",
            shard, *map(list, zip(*batch.examples, strict=True)),
        )  # fmt: skip
    if batch.marks:
        kinds, senders = map(list, zip(*batch.marks, strict=True))
        await connection.execute(
            "UPDATE marks SET sequence = new.sequence "
            "FROM unnest($2::text[], $3::integer[], $4::bigint[]) AS new (kind, sender, sequence) "
            "WHERE receiver = $1 AND marks.kind = new.kind AND marks.sender = new.sender",
            shard, kinds, senders, list(batch.marks.values()),
        )  # fmt: skip


async def fetch_steps(connection: Connection, shard: int, after: int, limit: int) -> list[Any]:
    """Return the next steps after a step, each with the bytes of its record if that is a row."""
    query = """
        SELECT n, url, final, status, type, fault, reward, source, score, time,
            s.volume, s.start, s.length, digest,
            substring(r.data FROM (s.start - r.start)::integer + 1 FOR s.length::integer) AS data
        FROM steps s LEFT JOIN LATERAL (
            SELECT start, data FROM records
            WHERE records.volume = s.volume AND records.start <= s.start
            ORDER BY start DESC LIMIT 1) r ON true
        WHERE shard = $1 AND n > $2 ORDER BY n LIMIT $3"""
    return list(await connection.fetch(query, shard, after, limit))
