"""A cluster crawl from the side of the program that starts it: prepared, watched and ended."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from lycosa.cluster.budget import set_budget
from lycosa.cluster.database import Connection, Database
from lycosa.cluster.hosts import add_seeds, decide_hosts, find_groups
from lycosa.cluster.schema import create_tables, read_crawl
from lycosa.cluster.shards import DEFAULT_SHARDS
from lycosa.cluster.worker import CrawlPlan
from lycosa.core import Budget
from lycosa.crawler.politeness.robots_cache import authority
from lycosa.errors import UsageError

WORKER_SECONDS = 60.0
"""A worker that was not heard of for so long does not count as being at work."""


class CrawlProgress(NamedTuple):
    """How far a cluster crawl is."""

    pages: int
    targets: int
    waiting: int
    in_flight: int
    workers: int
    shards: int
    """Shards that have an owner."""
    seconds: float
    """Since the run was started."""
    reason: str | None
    """Why it has ended; None if it goes on."""


def check_plan(plan: CrawlPlan) -> None:
    """Raise a `UsageError` if a cluster cannot do what a crawl asks for."""
    if plan.job.recall is not None:
        raise UsageError("A cluster does not estimate recall yet: leave out recall, or --cluster.")
    if plan.job.refresh:
        raise UsageError("A cluster does not refresh pages yet: leave out refresh, or --cluster.")


def prepare(database: Database, plan: CrawlPlan, shards: int = DEFAULT_SHARDS) -> None:
    """Create the crawl in the database unless it is there, and begin a run.

    If workers of another machine are at work, the run goes on as it is.
    """
    check_plan(plan)
    identity = _identity(plan.job.seeds, plan.goal.name)
    database.run(lambda c: create_tables(c, shards=shards, project=identity))
    count: int = database.run(read_crawl)["shards"]
    hosts = dict.fromkeys(map(authority, plan.job.seeds))
    groups = asyncio.run(find_groups(hosts, plan.lookup))
    homes = database.run(lambda c: decide_hosts(c, groups, count))
    database.run(lambda c: add_seeds(c, plan.job.seeds, homes))
    database.run(lambda c: _begin(c, plan.job.budget))


async def _begin(connection: Connection, budget: Budget) -> None:
    at_work = (
        "SELECT started IS NOT NULL AND reason IS NULL AND EXISTS (SELECT 1 FROM workers "
        "WHERE clock_timestamp() - renewed < $1 * interval '1 second') FROM crawl"
    )
    if not await connection.fetchval(at_work, WORKER_SECONDS):
        await set_budget(connection, budget)


async def end_run(connection: Connection, reason: str) -> None:
    """Ask all workers to finish what is in flight and to end."""
    await connection.execute("UPDATE crawl SET reason = $1 WHERE reason IS NULL", reason)


async def read_progress(connection: Connection) -> CrawlProgress:
    """Return how far the crawl is."""
    query = """
        SELECT sum(s.steps)::bigint, sum(s.targets)::bigint, sum(s.waiting)::bigint,
            sum(s.in_flight)::bigint,
            (SELECT count(*) FROM workers
                WHERE clock_timestamp() - renewed < $1 * interval '1 second'),
            (SELECT count(*) FROM leases WHERE owner IS NOT NULL),
            (SELECT coalesce(extract(epoch FROM clock_timestamp() - started), 0)::float8
                FROM crawl),
            (SELECT reason FROM crawl)
        FROM shards s"""
    return CrawlProgress(*await connection.fetchrow(query, WORKER_SECONDS))


def _identity(seeds: Sequence[str], goal: str) -> str:
    """Return a text that tells the crawls of different projects apart.

    Seeds may be added later, so the first one and the goal decide.
    """
    return hashlib.sha256("\n".join((goal, seeds[0])).encode()).hexdigest()[:16]
