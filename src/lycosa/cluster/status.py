"""The state of a cluster crawl, as PostgreSQL has it at one moment.

Workers publish how far each shard is with every commit; nothing here asks them. Rates come
from two states, `rates`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from lycosa.cluster.database import Connection
from lycosa.cluster.schema import read_crawl

MAX_TROUBLES: Final = 20
"""Hosts in trouble that are shown, those that fail longest first."""
_log = logging.getLogger("lycosa.cluster")


@dataclass(frozen=True, slots=True)
class ShardStatus:
    """One shard: its owner, how far it is, and what waits for it."""

    shard: int
    owner: str | None
    epoch: int
    renewed: float | None
    """Seconds since its lease was renewed; None if it never was."""
    pages: int
    targets: int
    waiting: int
    """URLs in its queues."""
    in_flight: int
    best: float | None
    """The score of the best link that waits."""
    lag: int
    """Links of other shards that it has not received yet."""
    idle: bool
    rate: float = 0.0
    """Pages a second."""


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """One worker: its machine, its shards, and when it was last heard of."""

    name: str
    machine: str
    shards: int
    renewed: float
    """Seconds since it said that it lives."""
    rate: float = 0.0


@dataclass(frozen=True, slots=True)
class HostTrouble:
    """A host that fails or has asked to be left alone."""

    host: str
    shard: int
    failures: int
    """In a row."""
    reason: str
    seconds: float
    """For how long it is left alone, when its state was stored."""


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    """The whole crawl."""

    time: datetime
    """By the clock of PostgreSQL."""
    reason: str | None
    """Why it has ended; None while it goes on."""
    budget: Mapping[str, float | None]
    granted: int
    """Pages of the budget that the shards have drawn."""
    hosts: int
    volumes: int
    """Volumes of the archive that are still in PostgreSQL alone."""
    shards: tuple[ShardStatus, ...]
    workers: tuple[WorkerStatus, ...]
    troubles: tuple[HostTrouble, ...]

    @property
    def totals(self) -> dict[str, float]:
        """The sums over all shards."""
        names = ("pages", "targets", "waiting", "in_flight", "lag", "rate")
        return {name: sum(getattr(shard, name) for shard in self.shards) for name in names}


_SHARDS = """
    SELECT s.shard, l.owner, l.epoch, extract(epoch FROM clock_timestamp() - l.renewed)::float8,
        s.steps, s.targets, s.waiting, s.in_flight, s.best, coalesce(a.lag, 0)::bigint, s.idle
    FROM shards s JOIN leases l USING (shard) LEFT JOIN (
        SELECT k.receiver, count(*) AS lag FROM links k LEFT JOIN marks m
            ON m.kind = 'links' AND m.receiver = k.receiver AND m.sender = k.sender
        WHERE k.sequence > coalesce(m.sequence, 0) GROUP BY k.receiver) a ON a.receiver = s.shard
    ORDER BY s.shard"""
_WORKERS = """
    SELECT name, machine, extract(epoch FROM clock_timestamp() - renewed)::float8
    FROM workers ORDER BY name"""


async def read_status(connection: Connection) -> ClusterStatus:
    """Return the state of the crawl in a database."""
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        crawl = await read_crawl(connection)
        shards = tuple(ShardStatus(*row) for row in await connection.fetch(_SHARDS))
        owners = [shard.owner for shard in shards]
        workers = tuple(
            WorkerStatus(name, machine, owners.count(name), renewed)
            for name, machine, renewed in await connection.fetch(_WORKERS)
        )
        notes = await connection.fetch("SELECT shard, value FROM notes WHERE key = 'hosts'")
        return ClusterStatus(
            await connection.fetchval("SELECT clock_timestamp()"),
            crawl["reason"],
            {name: crawl[name] for name in ("pages", "targets", "seconds")},
            crawl["granted"],
            await connection.fetchval("SELECT count(*) FROM hosts"),
            await connection.fetchval("SELECT count(*) FROM volumes WHERE NOT moved"),
            shards,
            workers,
            tuple(find_troubles((row[0], row[1]) for row in notes)),
        )


def find_troubles(notes: Iterable[tuple[int, str]]) -> list[HostTrouble]:
    """Return the hosts in trouble, from the notes of the shards about their hosts.

    >>> note = {"a.example": {"tempo": {"failures": 3, "why": "timeout", "back-off": 40.0}}}
    >>> find_troubles([(2, json.dumps(note))])[0].reason
    'timeout'
    """
    found = []
    for shard, text in notes:
        for host, state in _hosts(text).items():
            pace: dict[str, Any] = state.get("tempo", {})
            waits = [float(pace.get(k, 0)) for k in ("back-off", "quarantine", "retry-after")]
            if pace.get("failures") or max(waits) > 0:
                failures, reason = int(pace.get("failures", 0)), str(pace.get("why", ""))
                found.append(HostTrouble(host, shard, failures, reason, max(waits)))
    found.sort(key=lambda trouble: (-trouble.failures, -trouble.seconds, trouble.host))
    return found[:MAX_TROUBLES]


def _hosts(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        _log.debug("A note about hosts is not JSON", exc_info=True)
        return {}
    return found if isinstance(found, dict) else {}


def rates(before: ClusterStatus, after: ClusterStatus) -> ClusterStatus:
    """Return the later of two states with the pages a second since the earlier one."""
    seconds = max((after.time - before.time).total_seconds(), 1e-3)
    pages = {shard.shard: shard.pages for shard in before.shards}
    shards = tuple(
        replace(shard, rate=(shard.pages - pages.get(shard.shard, 0)) / seconds)
        for shard in after.shards
    )
    by_worker: dict[str | None, float] = {}
    for shard in shards:
        by_worker[shard.owner] = by_worker.get(shard.owner, 0.0) + shard.rate
    workers = tuple(replace(each, rate=by_worker.get(each.name, 0.0)) for each in after.workers)
    return replace(after, shards=shards, workers=workers)
