"""A worker: crawls the shards that it has leases for, all in one event loop.

Each shard is a `LiveCrawl` with its own policy, scheduler and store, opened when there is
something to do. A worker takes free leases up to its fair share, delivers links and decided
hosts, draws slices of the budget, and moves whole volumes to the archive. When a lease ends it
cancels the crawl of that shard at once; when the crawl has ended, or the worker is told to
stop, shards are finished and released.
"""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from uuid import uuid4

from lycosa.cluster.archive_volumes import ArchiveFolder, move_volumes
from lycosa.cluster.arrivals import HostDecision, read_arrivals, read_new_examples
from lycosa.cluster.budget import Draw, draw, end_if_due, give_back, shards_with_work
from lycosa.cluster.database import Database
from lycosa.cluster.exchange import Exchange
from lycosa.cluster.hosts import decide_hosts, find_groups
from lycosa.cluster.lease_keeper import LeaseKeeper
from lycosa.cluster.leases import LEASE_SECONDS, Lease
from lycosa.cluster.postgres_store import MAX_VOLUME_BYTES, PostgresStore
from lycosa.cluster.request_slots import RequestSlots
from lycosa.cluster.schema import read_crawl
from lycosa.core import Budget, Goal, Policy, Step
from lycosa.crawler.http.addresses import Lookup, system_lookup
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.wake_event import WakeEvent
from lycosa.crawler.storage.records import COMPRESSION_LEVEL
from lycosa.errors import StoreError

_log = logging.getLogger("lycosa.cluster")

POLL_SECONDS = 0.2
"""Between two looks for links of others, and for a slice that was refused before."""
MIN_POLL_SECONDS = 0.02
"""Between two answers to what shards need at once."""
MAX_ARRIVALS = 10_000
"""Links that are read at once."""
LEARN_SECONDS = 2.0
"""Between two looks for examples of others."""
MAX_BATCHES = 100
"""Batches of examples that are read at once."""
MOVE_SECONDS = 5.0
"""Between two looks for volumes to move."""


@dataclass(frozen=True)
class CrawlPlan:
    """What a worker needs to know of a crawl: the same for all workers."""

    job: Job
    make_policy: Callable[[], Policy]
    goal: Goal
    archive: str
    """A folder, or a URL that fsspec knows, for whole volumes."""
    level: int = COMPRESSION_LEVEL
    volume_bytes: int = MAX_VOLUME_BYTES

    @property
    def shard_job(self) -> Job:
        """The job of one shard: its start pages and its budget come from the cluster."""
        job = self.job
        pages = None if job.budget.pages is None else 0
        budget = Budget(pages=pages, score=job.budget.score)
        return replace(job, seeds=(), budget=budget, recall=None, refresh=False)

    @property
    def lookup(self) -> Lookup | None:
        """How names are resolved; None if a proxy does it."""
        return None if self.job.client.proxy else system_lookup


@dataclass
class RunningShard:
    """A shard that a worker crawls."""

    lease: Lease
    store: PostgresStore
    exchange: Exchange
    live: LiveCrawl
    limited: bool
    """Whether there is a budget of pages."""
    returning: bool = False
    """Whether it is not known yet that PostgreSQL has what the shard returned of its slice."""
    deciding: set[str] = field(default_factory=set)
    """Hosts that are being looked up."""


class Worker:
    """A worker of a cluster crawl.

    Parameters
    ----------
    database
        The connections to PostgreSQL.
    plan
        The crawl.
    name
        The name of the worker; a new one by default.
    lease_seconds
        How long leases last.
    on_step
        Called with the number of the shard and each committed step.
    """

    def __init__(
        self,
        database: Database,
        plan: CrawlPlan,
        *,
        name: str | None = None,
        lease_seconds: float = LEASE_SECONDS,
        on_step: Callable[[int, Step], object] = lambda shard, step: None,
    ) -> None:
        owner = name or f"{platform.node()}-{os.getpid()}-{uuid4().hex[:8]}"
        self._database = database
        self._plan = plan
        self._keeper = LeaseKeeper(database, owner, lease_seconds)
        self._on_step = on_step
        self._closed: dict[int, Lease] = {}  # of shards that have nothing to do
        self._running: dict[int, RunningShard] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._stopping: str | None = None
        self._error: Exception | None = None
        self._wake = WakeEvent()
        self._need = WakeEvent()  # set when a shard needs something at once
        self._slots = RequestSlots(plan.job.max_in_flight)
        self._archive = ArchiveFolder(plan.archive)

    def stop(self, reason: str = "person") -> None:
        """Finish the requests in flight, release all shards and end."""
        self._stopping = self._stopping or reason
        self._wake.set()

    async def run(self) -> str:
        """Crawl until the crawl has ended; return why."""
        crawl = await self._database.call(read_crawl)
        self._shards = crawl["shards"]
        # What policies load is loaded once, while the worker waits for leases that are not over.
        self._loading = asyncio.create_task(asyncio.to_thread(self._plan.make_policy))
        await self._keeper.start()
        background = [
            asyncio.create_task(self._repeat(self._deliver, POLL_SECONDS)),
            asyncio.create_task(self._repeat(self._meet_needs, MIN_POLL_SECONDS)),
            asyncio.create_task(self._repeat(self._teach, LEARN_SECONDS)),
            asyncio.create_task(self._repeat(self._move, MOVE_SECONDS)),
        ]
        with tempfile.TemporaryDirectory(prefix="lycosa-worker-") as folder:
            self._folder = Path(folder)
            try:
                while self._stopping is None:
                    await self._turn()
                    self._wake.clear()
                    await self._wake.wait_at_most(self._keeper.seconds_until_look)
            finally:
                await self._end(background)
        if self._error is not None:
            raise self._error
        return self._stopping

    async def _turn(self) -> None:
        """Take leases, give up those beyond the fair share, and see whether the crawl has ended."""
        for shard, task in list(self._tasks.items()):
            if task.done():
                del self._tasks[shard]
                task.result()  # an error of the crawl ends the worker
        try:
            free, mine = await self._keeper.look()
            wanted = [row for row in free if row.shard not in self._tasks]
            if wanted:
                for lease in await self._keeper.take(wanted):
                    self._closed[lease.shard] = lease
            for shard in self._running.keys() - mine:
                self._running[shard].live.stop("released")
            await self._release_closed(mine)
            await self._open_closed()
            reason = await self._database.call(end_if_due)
        except StoreError as error:
            _log.info("PostgreSQL is not reached: %s", error)
            _log.debug("A turn of the worker failed", exc_info=True)
            return
        if reason is not None:
            self.stop(reason)

    async def _release_closed(self, wanted: set[int]) -> None:
        """Release the closed shards that this worker should not have, or has lost."""
        for lease in list(self._closed.values()):
            if lease.is_lost or lease.shard not in wanted:
                self._closed.pop(lease.shard, None)
                await self._release(lease)

    async def _open_closed(self) -> None:
        """Open the closed shards that have something to do."""
        if not self._closed:
            return
        work = partial(shards_with_work, shards=list(self._closed))
        for shard in await self._database.call(work):
            lease = self._closed.get(shard)
            if lease is not None and lease.is_valid and self._stopping is None:
                del self._closed[shard]
                _log.info("Shard %d, epoch %d, is crawled here", shard, lease.epoch)
                self._tasks[shard] = asyncio.create_task(self._crawl(lease))

    async def _crawl(self, lease: Lease) -> None:
        """Crawl one shard while the lease is valid."""
        crawl = asyncio.create_task(self._crawl_shard(lease))
        try:
            while lease.is_valid and not crawl.done():
                await asyncio.wait([crawl], timeout=lease.seconds_left)
            if not crawl.done():
                _log.info("The lease of shard %d is over", lease.shard)
                self._abandon(lease.shard)
                crawl.cancel()
                await asyncio.wait([crawl])
        except asyncio.CancelledError:
            self._abandon(lease.shard)
            crawl.cancel()
            await asyncio.gather(crawl, return_exceptions=True)
            raise
        finally:
            self._running.pop(lease.shard, None)
        error = None if crawl.cancelled() else crawl.exception()
        if crawl.cancelled() or isinstance(error, StoreError):
            _log.info("The crawl of shard %d was given up: %s", lease.shard, error or "lease over")
            self._keeper.drop(lease)
        elif error is not None:
            await self._release(lease)
            raise error
        else:
            await self._release(lease)

    async def _release(self, lease: Lease) -> None:
        try:
            await self._keeper.release(lease)
        except StoreError:  # it ends by itself
            _log.debug("Shard %d is not released", lease.shard, exc_info=True)

    def _abandon(self, shard: int) -> None:
        if shard in self._running:
            self._running[shard].store.abandon()

    async def _crawl_shard(self, lease: Lease) -> None:
        plan, shard = self._plan, lease.shard
        store = await asyncio.to_thread(
            PostgresStore.open, self._database, lease, archive=plan.archive,
            folder=self._folder / f"{shard}-{lease.epoch}", level=plan.level,
            max_volume_bytes=plan.volume_bytes,
        )  # fmt: skip
        shared = self._slots, self._need.set
        exchange = await asyncio.to_thread(Exchange, store, self._database, lease, *shared)
        await asyncio.shield(self._loading)
        live = LiveCrawl(plan.shard_job, plan.make_policy(), plan.goal, store, shard=exchange)
        limited = plan.job.budget.pages is not None
        self._running[shard] = running = RunningShard(lease, store, exchange, live, limited)
        if limited:
            granted = "SELECT granted FROM shards WHERE shard = $1"
            exchange.grant(await self._database.call(lambda c: c.fetchval(granted, shard)))
        if self._stopping is not None:
            live.stop(self._stopping)
        async for step in live:
            self._on_step(shard, step)
        if running.limited and exchange.is_idle:
            await self._give_back(running)

    async def _deliver(self) -> None:
        """Bring links to the shards; open those that were closed and get some."""
        await self._open_closed()
        ready = {shard: r for shard, r in self._running.items() if not r.exchange.is_replaying}
        if ready:
            work = partial(read_arrivals, receivers=list(ready), limit=MAX_ARRIVALS)
            for shard, arrival in await self._database.call(work):
                ready[shard].exchange.deliver(arrival)

    async def _meet_needs(self) -> None:
        """Bring the shards of hosts, and slices of the budget; wait until some are needed."""
        await self._need.wait_at_most(POLL_SECONDS)
        self._need.clear()
        ready = [r for r in self._running.values() if not r.exchange.is_replaying]
        await asyncio.gather(*map(self._decide_hosts, ready))
        limited = [running for running in ready if running.limited]
        for running in limited:
            if running.returning or running.exchange.is_idle or running.exchange.is_held_up:
                await self._give_back(running)
        await self._draw(limited)

    async def _teach(self) -> None:
        """Bring the examples of others to the shards that have something to do."""
        busy = {
            shard: running.exchange
            for shard, running in self._running.items()
            if not running.exchange.is_replaying and not running.exchange.is_idle
        }
        if busy:
            work = partial(read_new_examples, receivers=list(busy), limit=MAX_BATCHES)
            for arrival in await self._database.call(work):
                for exchange in busy.values():
                    exchange.deliver(arrival)

    async def _decide_hosts(self, running: RunningShard) -> None:
        running.deciding.update(running.exchange.router.take_new_hosts())
        hosts = list(running.deciding)
        if hosts:
            groups = await find_groups(hosts, self._plan.lookup)
            work = partial(decide_hosts, groups=groups, shards=self._shards)
            for host, shard in (await self._database.call(work)).items():
                running.exchange.deliver(HostDecision(host, shard))
                running.deciding.discard(host)

    async def _draw(self, limited: list[RunningShard]) -> None:
        """Draw slices for the shards that have spent theirs, all in one transaction."""
        asking = {}
        for running in limited:
            exchange, lease = running.exchange, running.lease
            if not exchange.is_idle and exchange.has_spent and exchange.best is not None:
                ask = Draw(lease.shard, lease.epoch, exchange.best)
                asking[lease.shard] = ask, exchange
        if asking:
            work = partial(draw, draws=[ask for ask, _ in asking.values()])
            for shard, granted in (await self._database.call(work)).items():
                asking[shard][1].grant(granted)

    async def _give_back(self, running: RunningShard) -> None:
        exchange, lease = running.exchange, running.lease
        if running.returning or not exchange.has_spent:
            requested, running.returning = exchange.requested, True
            exchange.grant(requested)  # a link that arrives now must not spend it
            work = partial(give_back, shard=lease.shard, epoch=lease.epoch, requested=requested)
            await self._database.call(work)
            running.returning = False

    async def _move(self) -> None:
        for running in list(self._running.values()):
            try:
                work = partial(move_volumes, self._database, self._archive, running.lease)
                await asyncio.to_thread(work)
            except StoreError:
                raise
            except Exception as error:  # whatever an object store raises
                words = f"The archive refuses a volume, which stays in PostgreSQL: {error}"
                running.live.progress.notify("archive", words)
                _log.warning(
                    "A volume of shard %d is not moved", running.lease.shard, exc_info=True
                )

    async def _repeat(self, work: Callable[[], object], seconds: float) -> None:
        """Do something again and again, also when PostgreSQL is not reached for a while."""
        while True:
            try:
                await work()  # type: ignore[misc]
            except StoreError:
                _log.debug("PostgreSQL is not reached", exc_info=True)
            except Exception as error:
                self._error = self._error or error
                self.stop("error")
                return
            await asyncio.sleep(seconds)

    async def _end(self, background: list[asyncio.Task[None]]) -> None:
        for running in list(self._running.values()):
            running.live.stop(self._stopping or "error")
        await self._release_closed(set())
        try:
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, self._loading, return_exceptions=True)
            try:
                await self._keeper.stop()
            except StoreError:
                _log.debug("The worker is still in the list", exc_info=True)
