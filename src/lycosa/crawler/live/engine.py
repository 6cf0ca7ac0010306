"""The live crawl: the state machine of the lab, fed from the web.

`Crawl` decides which URL is wanted next, `Scheduler` which may be requested
now; a `Fetcher` fetches it, `PageReader` parses the response, and the `Store`
has the step before it is given out. One loop joins them. Requests are tasks;
all else happens in the loop, one page at a time, so a policy sees its crawl in
one order, that of the step log.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from math import inf
from typing import Any, NamedTuple

import numpy as np

from lycosa.core import Goal, Policy, Step
from lycosa.crawler.browser.script_menus import ScriptMenus
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import Fetcher
from lycosa.crawler.http.response import Response
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.page_parser import PageParser
from lycosa.crawler.live.page_reader import PageReader, Parsed
from lycosa.crawler.live.prefetched import return_prefetched
from lycosa.crawler.live.progress import Progress
from lycosa.crawler.live.recorder import StepRecorder
from lycosa.crawler.live.redirects import Redirects
from lycosa.crawler.live.seed_outcomes import SeedOutcomes
from lycosa.crawler.live.shard import ShardLink, WholeCrawl
from lycosa.crawler.live.status import Status
from lycosa.crawler.live.wake_event import WakeEvent
from lycosa.crawler.politeness.robots_cache import RobotsCache
from lycosa.crawler.politeness.robots_fetcher import RobotsFetcher
from lycosa.crawler.politeness.scheduler import DropReason, ScheduledRequest, Scheduler
from lycosa.crawler.recall import Recall
from lycosa.crawler.storage.store import Store
from lycosa.errors import StoreError, UsageError
from lycosa.web.robots import Robots

_log = logging.getLogger("lycosa.crawler")

MAX_IDLE_SECONDS = 1.0  # between two looks at the clock, for a budget of seconds
MAX_BLOCKING_SECONDS = 0.01  # of work in the loop before the network gets its turn
MAX_INLINE_LINKS = 2_000  # more links are scored in a thread
RECALL_INTERVAL_PAGES = 10


class _Fetched(NamedTuple):
    """A response that is to be handled; without a request if none was made after all."""

    request: ScheduledRequest | None
    number: int
    response: Response
    parsed: Parsed | None = None


class LiveCrawl:
    """A crawl of the web, to be iterated over once.

        async for step in LiveCrawl(job, policy, goal, store):
            print(step.page.url, step.reward)

    With a `store` every step is durable before it is given out, and a crawl that
    ended, by itself or by a kill, is resumed. Every stored step is given out,
    also before an error is raised, unless the process is killed or the iteration
    is abandoned. The crawl closes the store. `fetcher` fetches the pages; by default
    the job configures it. `shard` is the crawl's place in a cluster, if it has one.
    `reason` says why the crawl ended, and `seeds` what became of the start pages.
    """

    def __init__(
        self,
        job: Job,
        policy: Policy,
        goal: Goal,
        store: Store | None = None,
        fetcher: Fetcher | None = None,
        shard: ShardLink | None = None,
    ) -> None:
        self.job = job
        self._shard = shard or WholeCrawl()
        self.reason: str | None = None
        self.page_reader = PageReader(
            job.followed, store, sitemaps=job.sitemaps, rules=job.page_rules
        )
        self.progress = Progress()
        self.recall = Recall()
        self._script_menus = ScriptMenus()
        self.scheduler = Scheduler(pace=job.pace)
        self.robots = RobotsCache(job.client.name, store)
        self._created = self._started = time.monotonic()
        self._replay_seconds = 0.0  # they do not count for a budget of seconds
        start = np.array([self.page_reader.number(seed) for seed in job.seeds], np.int32)
        clock, seed, router = self._seconds, job.random_seed, self._shard.router
        self.crawl = Crawl(
            policy, goal, job.budget, start, clock=clock, random_seed=seed, router=router
        )
        self.seeds = SeedOutcomes(job, self.page_reader, self.robots, self.progress, store)
        parts = self.crawl, self.recall, self.page_reader, self.scheduler, self.progress, store
        self.recorder = StepRecorder(
            *parts, job=job, seeds=self.seeds, run_facts=self._run_facts, shard=self._shard
        )
        self._responses: deque[_Fetched | Exception] = deque()
        keep, is_busy = self.recorder.keep, self._responses.__len__
        self._parser = PageParser(self.page_reader, keep, is_busy=is_busy)
        redirected = job.redirects, self.seeds.reclaimable
        self._redirects = Redirects(self.crawl, self.page_reader, *redirected)
        self._robots_fetcher = RobotsFetcher(
            self.scheduler, self.robots, obey=job.robots, on_robots=self._add_sitemaps
        )
        self._tasks: set[asyncio.Task[None]] = set()
        self._event = WakeEvent()
        self._shard.attach(self.crawl, self.page_reader, self.scheduler, self._event.set)
        self._stop: str | None = None
        self._quiet_until = -inf
        self._used = False
        self._accept = job.accept
        self._fetcher = fetcher or job.page_fetcher(self.robots, self._shard.check_permission)
        job.describe(store)

    def __aiter__(self) -> AsyncGenerator[Step, None]:
        if self._used:
            raise UsageError("A LiveCrawl runs once: make another one to resume the crawl.")
        self._used = True
        return self._run()

    def stop(self, reason: str = "person") -> None:
        """Dispatch no more requests; those in flight are finished."""
        self._stop = self._stop or reason
        self._event.set()

    def status(self) -> Status:
        """Return the progress so far."""
        parts = self.crawl, self.progress, self.recall, self.scheduler, self.seeds
        known, in_flight = len(self.page_reader.urls), len(self._tasks)
        return Status.of(*parts, known=known, in_flight=in_flight, **self._run_facts())

    async def _run(self) -> AsyncGenerator[Step, None]:
        self._started = time.monotonic()
        _log.info("Crawl of %d seeds starts", len(self.job.seeds))
        try:
            async with self._fetcher:
                for _ in self.recorder.replay():
                    await asyncio.sleep(0)
                await self.recorder.commit()
                self._replay_seconds = time.monotonic() - self._created
                if self.recorder.was_killed or self._shard.is_takeover:
                    # The last run may have made requests, before now, that it did not record.
                    self._quiet_until = self._created + self.job.pace.delay
                try:
                    async with aclosing(self._steps()) as steps:
                        async for step in steps:
                            yield step
                finally:
                    for task in self._tasks:
                        task.cancel()
                    await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:
            _log.info("Crawl ends after %d pages: %s", self.crawl.pages, self.reason)
            try:
                await self.recorder.close()
            finally:
                await self._parser.close()
                self.page_reader.converter.close()

    async def _steps(self) -> AsyncGenerator[Step, None]:
        try:
            while True:
                self._event.clear()
                self._shard.take_in()
                await self._handle_responses()
                self.recorder.commit_if_due(self._event.set)
                for step in self.recorder.take_committed():
                    yield step
                reason = self._stop or self._shard.end_reason(self.crawl.reason)
                if reason is not None and not self._tasks and not self._responses:
                    break
                await self._wait()
            self.reason = reason
            self.seeds.end()
            await self.recorder.commit()
        except Exception:
            # Steps that the store has, or can still take, are given out before the error.
            await self.recorder.rescue()
            for step in self.recorder.take_committed():
                yield step
            raise
        for step in self.recorder.take_committed():
            yield step

    def _run_facts(self) -> dict[str, Any]:
        """Return the reason of the end of this run, and its seconds."""
        return {"reason": self.reason, "seconds": time.monotonic() - self._started}

    def _seconds(self) -> float:
        return time.monotonic() - self._replay_seconds

    async def _wait(self) -> None:
        """Wait until there is a response, or a request is allowed, or a commit is due."""
        if self._responses or self._event.is_set():
            await asyncio.sleep(0)
            return
        due = self._seconds_until_dispatch(), self.recorder.seconds_until_due
        await self._event.wait_at_most(min(*due, MAX_IDLE_SECONDS))

    def _seconds_until_dispatch(self) -> float:
        """Return the seconds in which no request is allowed, unless there is a response."""
        full = len(self._tasks) >= self.job.max_in_flight
        if full or not self._may_dispatch():
            return inf
        quiet = self._quiet_until - time.monotonic()
        seconds = self.scheduler.seconds_until_ready() if quiet <= 0 else quiet
        return inf if seconds is None else seconds

    def _may_dispatch(self) -> bool:
        over = self._stop or self.crawl.reason
        return over is None and self.recorder.has_room and self._shard.may_request

    def _dispatch(self) -> None:
        """Dispatch every request that is allowed now."""
        crawl, scheduler, urls = self.crawl, self.scheduler, self.page_reader.urls
        started = time.perf_counter()
        self._handle_drops()
        while self._may_dispatch():
            if time.monotonic() < self._quiet_until:
                return
            # A response that was not handled yet still has its slot at its host.
            if len(self._tasks) + len(self._responses) >= self.job.max_in_flight:
                return
            if time.perf_counter() - started > MAX_BLOCKING_SECONDS:  # many URLs are skipped
                self._event.set()
                return
            score = crawl.best
            number = crawl.next() if score is not None and scheduler.wants(score) else None
            if score is not None and number is not None:
                scheduler.offer(number, self._robots_fetcher.host(urls[number]), score)
                self._handle_drops()
                continue
            if (request := scheduler.ready()) is None:
                return
            self._handle_drops()
            self._send(request)

    def _send(self, request: ScheduledRequest) -> None:
        """Start the task of a request, unless the cache or robots.txt makes it needless."""
        if request.internal:
            url = self._robots_fetcher.url(request)
            if url is None:
                return
        else:
            url = self._redirects.url(request.number)
            refusal = self.robots.refusal(url)
            if refusal is not None:
                refused = Response(url, datetime.now(UTC), fault=refusal.fault)
                self.scheduler.finish(request, Response(url, refused.when))
                if request.number in self._redirects:
                    self._responses.append(_Fetched(None, request.number, refused))
                else:
                    self._skip(request.number, refusal.reason)
                return
        address = self._fetcher.known_address(url)
        if address is not None and not self._start(request, address):
            return
        task = asyncio.create_task(self._fetch(request, url, started=address is not None))
        self._tasks.add(task)
        self._shard.request_started()
        task.add_done_callback(self._task_done)

    def _start(self, request: ScheduledRequest, address: str) -> bool:
        """Record that a request is sent to an address; return False if it must wait after all."""
        started = self.scheduler.start(request, address)
        self._handle_drops()
        return started

    async def _fetch(self, request: ScheduledRequest, url: str, *, started: bool) -> None:
        try:
            if not started:
                address = await self._fetcher.address(url)
                await self._shard.permission()
                if not self._start(request, address):
                    return
                if self.job.pace.per_host > 1:
                    self._event.set()  # the host may be asked for something else only now
            if request.internal:
                response = await self._fetcher.fetch(url)
            else:
                known = {} if request.number in self._redirects else self.recorder.validators
                etag, modified = known.get(request.number, (None, None))
                response = await self._fetcher.fetch(
                    url, accept=self._accept, etag=etag, modified=modified
                )
            self.progress.count_response(response)
            parsed = None
            if not request.internal:
                response, parsed = await self._parser.parse(response)
            self._responses.append(_Fetched(request, request.number, response, parsed))
        except Exception as error:
            level = logging.DEBUG if isinstance(error, StoreError) else logging.WARNING
            _log.log(level, "Fetching %s raised an exception", url, exc_info=True)
            self._responses.append(error)

    def _task_done(self, task: asyncio.Task[None]) -> None:
        # The loop is woken here and no earlier: only now there is room for another request.
        self._tasks.discard(task)
        self._shard.request_ended()
        self._event.set()

    async def _handle_responses(self) -> None:
        """Make steps of the responses, and dispatch requests in between."""
        started = time.perf_counter()
        while self._responses:
            fetched = self._responses.popleft()
            if isinstance(fetched, Exception):
                raise fetched
            await self._handle(fetched)
            if time.perf_counter() - started > MAX_BLOCKING_SECONDS:
                self._dispatch()
                await asyncio.sleep(0)
                started = time.perf_counter()
        self._dispatch()

    async def _handle(self, fetched: _Fetched) -> None:
        request, number, response, parsed = fetched
        if request is not None:
            retry = self.scheduler.finish(request, response)
            self._handle_drops()
            self.seeds.attempted(request, response, retry=retry)
            if retry:
                return
            if request.internal:
                self.recorder.keep(response)
                self._robots_fetcher.handle(request, response)
                self._handle_drops()
                return
        location = response.location
        if location is not None and not self._shard.leads_elsewhere(location):
            self.recorder.keep(response)
            fault = self._redirects.follow(number, location, response.status)
            if fault is None:
                self.scheduler.offer(number, self._robots_fetcher.host(location), inf)
                self._handle_drops()
                return
            response = replace(response, fault=fault, status=0, body=b"")
        page = self.page_reader.read(number, response, parsed)
        if self.job.rendering.mode == "never" and self._script_menus.observe(page, response):
            self.progress.notify("script-menus", self._script_menus.notice)
        return_prefetched(self.crawl, self.scheduler, self._redirects)
        moved = self._redirects.has_moved(number, location)
        step = number, response, self._redirects.end(number), moved
        if len(page.targets) > MAX_INLINE_LINKS or self.page_reader.may_convert(response, parsed):
            # The network goes on meanwhile; no other page is read, because the loop waits here.
            await asyncio.to_thread(self.recorder.add, page, *step)
        else:
            self.recorder.add(page, *step)
        recall, due = self.job.recall, self.crawl.pages % RECALL_INTERVAL_PAGES == 0
        # The lower end: a rule that stops at the first high estimate stops at one too high.
        if recall is not None and due and self.recall.estimate().low >= recall:
            self.stop("recall reached")

    def _add_sitemaps(self, base: str, robots: Robots) -> None:
        """Add the sitemaps that a robots.txt names as seeds, if the job wants them."""
        if self.job.sitemaps:
            numbers = self.page_reader.sitemap_numbers(robots.sitemaps, base)
            self.crawl.add(np.array(numbers, np.int32))

    def _handle_drops(self) -> None:
        """Account for the URLs that the scheduler dropped, and for those it holds."""
        redirected = []
        for number, _, reason in self.scheduler.take_dropped():
            if number < 0:
                self._robots_fetcher.drop(number)
            elif number in self._redirects:
                redirected.append((number, reason))
            else:
                self._skip(number, reason)
        self.crawl.held = self.scheduler.waiting
        for number, reason in redirected:
            if self.crawl.is_over_budget:  # other pages have used it up meanwhile
                self._redirects.abandon(number)
                self._skip(number, reason)
                continue
            # It was requested, so it is a step; its redirect is not followed any further.
            fault = Fault.OUT_OF_SCOPE if reason is DropReason.PAGES else Fault.UNREACHABLE
            gone = Response(self._redirects.url(number), datetime.now(UTC), fault=fault)
            self._responses.append(_Fetched(None, number, gone))

    def _skip(self, number: int, reason: str) -> None:
        self.progress.skipped[reason] += 1
        self.seeds.skipped(number, reason)
        self.crawl.skip(number)
