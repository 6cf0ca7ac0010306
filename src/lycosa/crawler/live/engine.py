"""The live crawl: the state machine of the lab, fed from the web.

`Crawl` decides what is wanted next, `Scheduler` what may be asked for now, a
`HttpFetcher` asks, `PageReader` makes a page of the answer, and the `SqliteStore` has it on
the disk before anybody is told of it. One loop joins them. Requests are tasks;
all else happens in the loop, one page at a time, so a policy sees its crawl in
one order, the order in which the journal has it.
"""

from __future__ import annotations

import asyncio
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
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.http.addresses import Lookup, system_lookup
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import HttpFetcher
from lycosa.crawler.http.response import Response
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.live.progress import Progress
from lycosa.crawler.live.recorder import StepRecorder
from lycosa.crawler.live.redirects import Redirects
from lycosa.crawler.live.status import Status
from lycosa.crawler.politeness.robots_cache import RobotsCache, authority
from lycosa.crawler.politeness.robots_fetcher import RobotsFetcher
from lycosa.crawler.politeness.scheduler import Drop, Item, Scheduler
from lycosa.crawler.recall import Recall
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.errors import UsageError
from lycosa.web.robots import Robots
from lycosa.web.urls import host_of

_PAUSE = 1.0  # seconds; the longest time without a look at the clock
_BREATH = 0.01  # seconds of work after which the network has its turn
_LARGE = 256 << 10  # bytes of a body; a larger one is read in a thread
_SITEMAPS = 100  # of one host
_AHEAD = 64  # URLs taken ahead that are given back when scores change


class _Back(NamedTuple):
    """What came back for a URL or an errand; no item if there was no request after all."""

    item: Item | None
    number: int
    fetched: Response
    text: str | None = None


class LiveCrawl:
    """A crawl of the web, to be iterated over once.

        async for step in LiveCrawl(job, policy, goal, store):
            print(step.page.url, step.reward)

    With a store every step is on the disk before it is given out, and a crawl
    that ended, by itself or by a kill, goes on where it was. The store is
    closed in the end. `reason` says why there was an end. `lookup` turns names
    into addresses, if the operating system shall not.
    """

    def __init__(
        self,
        job: Job,
        policy: Policy,
        goal: Goal,
        store: SqliteStore | None = None,
        *,
        lookup: Lookup = system_lookup,
    ) -> None:
        assert job.scope is not None  # noqa: S101 - a job sees to it
        self.job = job
        self.reason: str | None = None
        self.reading = PageReader(job.scope, sitemaps=job.sitemaps)
        self.progress = Progress()
        self.recall = Recall()
        self.hosts = Scheduler(pace=job.pace)
        self.rules = RobotsCache(job.manners.name, store)
        self._made = self._began = time.monotonic()
        self._away = 0.0  # seconds that do not count
        seeds = [self.reading.number(seed) for seed in job.seeds]
        self.crawl = Crawl(policy, goal, job.budget, np.array(seeds, np.int32), clock=self._seconds)
        parts = self.crawl, self.recall, self.reading, self.hosts, self.progress
        self.memory = StepRecorder(*parts, store, refresh=job.refresh, about=self._about)
        self._redirects = Redirects(self.crawl, self.reading, job.redirects)
        robots = self.hosts, self.rules
        self._errands = RobotsFetcher(*robots, obey=job.robots, learned=self._learned)
        self._back: deque[_Back | Exception] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._event = asyncio.Event()
        self._stop: str | None = None
        self._quiet = -inf
        self._used = False
        self._accept = job.accept
        per_host, at_once = job.pace.per_host, job.at_once
        self._fetcher = HttpFetcher(
            job.manners, job.limits, job.reach, per_host=per_host, at_once=at_once, lookup=lookup
        )

    def __aiter__(self) -> AsyncGenerator[Step, None]:
        if self._used:
            raise UsageError("A crawl is run once: make another LiveCrawl to go on.")
        self._used = True
        return self._run()

    def stop(self, reason: str = "person") -> None:
        """Ask for nothing more; what is under way is finished."""
        self._stop = self._stop or reason
        self._event.set()

    def status(self) -> Status:
        """How far it has come."""
        crawl, progress = self.crawl, self.progress
        waits = sorted(self.hosts.waits(), key=lambda wait: -wait.urls)
        return Status(
            seconds=time.monotonic() - self._began,
            pages=crawl.pages,
            targets=crawl.found,
            faults=progress.faults,
            requests=progress.requests,
            rate=progress.rate.value,
            received=progress.received,
            known=len(self.reading.urls),
            waiting=crawl.waiting + self.hosts.waiting,
            under_way=len(self._tasks),
            estimate=self.recall.estimate(),
            hosts=len(self.hosts),
            waits=tuple(waits[:10]),
            curve=progress.curve.points,
            reason=self.reason,
        )

    async def _run(self) -> AsyncGenerator[Step, None]:
        self._began = time.monotonic()
        try:
            async with self._fetcher:
                for _ in self.memory.replay():
                    await asyncio.sleep(0)
                await self.memory.commit()
                self._away = time.monotonic() - self._made
                if self.memory.was_killed:
                    # Scheduler may have been asked that nobody has noted.
                    self._quiet = time.monotonic() + self.job.pace.delay
                try:
                    async with aclosing(self._steps()) as steps:
                        async for step in steps:
                            yield step
                finally:
                    await self._give_up()
        finally:
            try:
                await self.memory.close()
            finally:
                self.reading.converter.close()

    async def _steps(self) -> AsyncGenerator[Step, None]:
        while True:
            self._event.clear()
            await self._take_in()
            self.memory.commit_if_due(self._event.set)
            for step in self.memory.committed():
                yield step
            reason = self._reason()
            if reason is not None and not self._tasks and not self._back:
                break
            await self._pause()
        self.reason = reason
        await self.memory.commit()
        for step in self.memory.committed():
            yield step

    def _about(self) -> dict[str, Any]:
        """What is noted of this run."""
        return {
            "reason": self.reason,
            "seconds": time.monotonic() - self._began,
            "seeds": list(self.job.seeds),
            "goal": self.crawl.goal.name,
            "spider": self.crawl.policy.name,
            "ended": None if self.reason is None else datetime.now(UTC).isoformat(),
        }

    def _reason(self) -> str | None:
        return self._stop or self.crawl.reason

    async def _pause(self) -> None:
        """Wait until something came back, or may go."""
        if self._back or self._event.is_set():
            await asyncio.sleep(0)
            return
        wait = min(self._idle(), self.memory.due, _PAUSE)
        timer = asyncio.get_running_loop().call_later(max(wait, 0.0), self._event.set)
        try:
            await self._event.wait()
        finally:
            timer.cancel()

    def _idle(self) -> float:
        """Seconds in which nothing will go out, unless something comes back."""
        if self._reason() or not self.memory.has_room or len(self._tasks) >= self.job.at_once:
            return inf
        quiet = self._quiet - time.monotonic()
        wake = self.hosts.wake() if quiet <= 0 else quiet
        return inf if wake is None else wake

    def _start(self) -> None:
        """Let as many requests go as may go."""
        crawl, hosts, urls = self.crawl, self.hosts, self.reading.urls
        began = time.perf_counter()
        self._count_out()
        while self._reason() is None and self.memory.has_room:
            if time.monotonic() < self._quiet:
                return
            # What came back and was not taken in yet still has its place at its host.
            if len(self._tasks) + len(self._back) >= self.job.at_once:
                return
            if time.perf_counter() - began > _BREATH:  # many are skipped, one after the other
                self._event.set()
                return
            score = crawl.best
            if score is not None and hosts.wants(score):
                number = crawl.next()
                if number is not None:
                    url = urls[number]
                    hosts.offer(number, self._errands.host(url), score)
                    self._count_out()
                    continue
            item = hosts.ready()
            if item is None:
                return
            self._count_out()
            self._begin(item)

    def _begin(self, item: Item) -> None:
        """Send one request on its way, if it is to be made at all."""
        if item.errand:
            url = self._errands.url(item)
            if url is None:
                return
        else:
            url = self._redirects.url(item.number)
            refusal = self.rules.refusal(url)
            if refusal is not None:
                refused = Response(url, datetime.now(UTC), fault=refusal.fault)
                self.hosts.ended(item, Response(url, refused.when))
                if item.number in self._redirects:
                    self._back.append(_Back(None, item.number, refused))
                else:
                    self._skip(item.number, refusal.reason)
                return
        task = asyncio.create_task(self._ask(item, url))
        self._tasks.add(task)
        task.add_done_callback(self._asked)

    async def _ask(self, item: Item, url: str) -> None:
        try:
            address = await self._address(url)
            began = self.hosts.began(item, address)
            self._count_out()
            if not began:
                return
            if self.job.pace.per_host > 1:
                self._event.set()  # only now the host may be asked for something else
            if item.errand:
                fetched = await self._fetcher.fetch(url)
            else:
                known = {} if item.number in self._redirects else self.memory.validators
                etag, modified = known.get(item.number, (None, None))
                fetched = await self._fetcher.fetch(
                    url, accept=self._accept, etag=etag, modified=modified
                )
            self.progress.asked(fetched.transferred)
            text = None
            if self.reading.reads_documents and self.reading.is_document(fetched):
                text = await asyncio.to_thread(self.reading.convert, fetched.body, fetched.type)
            self._back.append(_Back(item, item.number, fetched, text))
        except Exception as error:
            self._back.append(error)

    def _asked(self, task: asyncio.Task[None]) -> None:
        """There is room for another request, which is why this is not said any earlier."""
        self._tasks.discard(task)
        self._event.set()

    async def _address(self, url: str) -> str:
        """Where a request will go, as far as can be told."""
        if self.job.manners.proxy:
            return ""
        name = host_of(url)
        if ":" in name or name.replace(".", "").isdecimal():
            return name
        try:
            return (await self._fetcher.names.addresses(name))[0]
        except OSError:
            return ""  # the request will say what is wrong

    async def _take_in(self) -> None:
        """Make steps of what came back, and let new requests go in between."""
        began = time.perf_counter()
        while self._back:
            back = self._back.popleft()
            if isinstance(back, Exception):
                raise back
            await self._handle(*back)
            if time.perf_counter() - began > _BREATH:
                self._start()
                await asyncio.sleep(0)
                began = time.perf_counter()
        self._start()

    async def _handle(
        self, item: Item | None, number: int, fetched: Response, text: str | None
    ) -> None:
        if item is not None:
            again = self.hosts.ended(item, fetched)
            self._count_out()
            if again:
                return
            if item.errand:
                self.memory.keep(fetched)
                self._errands.answered(item, fetched)
                self._count_out()
                return
        place = fetched.location
        if place is not None:
            self.memory.keep(fetched)
            fault = self._redirects.follow(number, place)
            if fault is None:
                self.hosts.offer(number, self._errands.host(place), inf)
                self._count_out()
                return
            fetched = replace(fetched, fault=fault, status=0, body=b"")
        if len(fetched.body) > _LARGE:
            # The network goes on meanwhile; nothing else reads, because we wait for it here.
            page = await asyncio.to_thread(self.reading.answer, number, fetched, text)
        else:
            page = self.reading.answer(number, fetched, text)
        self._give_back()
        self.memory.add(page, number, fetched, self._redirects.end(number))
        recall = self.job.recall
        if recall is not None and self.crawl.pages % 10 == 0:
            estimate = self.recall.estimate()
            if estimate.found and estimate.share >= recall:
                self.stop("recall reached")

    def _learned(self, base: str, robots: Robots) -> None:
        """What a robots.txt names are more seeds, if that is wanted."""
        if self.job.sitemaps:
            numbers = self.reading.listings(robots.sitemaps[:_SITEMAPS], base)
            self.crawl.add(np.array(numbers, np.int32))

    def _count_out(self) -> None:
        """See to what the hosts have dropped, and say how much they hold."""
        for number, _, reason in self.hosts.dropped():
            if number < 0:
                self._errands.dropped(number)
            elif number in self._redirects:
                # It was asked for, so it is a step: where it leads nobody goes any more.
                fault = Fault.OUT_OF_SCOPE if reason is Drop.PAGES else Fault.UNREACHABLE
                url = self._redirects.url(number)
                gone = Response(url, datetime.now(UTC), fault=fault)
                self._back.append(_Back(None, number, gone))
            else:
                self._skip(number, reason)
        self.crawl.held = self.hosts.waiting

    def _skip(self, number: int, reason: str) -> None:
        self.progress.skipped[reason] += 1
        self.crawl.skip(number)

    def _give_back(self) -> None:
        """Before scores change, let the crawl have what was taken ahead, if it is not much."""
        hosts = self.hosts
        if self.crawl.rescores and hosts.waiting <= _AHEAD and len(hosts) <= _AHEAD:
            for number in hosts.take_back():
                if number in self._redirects:
                    hosts.offer(number, authority(self._redirects.url(number)), inf)
                else:
                    self.crawl.put_back(number)
            self.crawl.held = hosts.waiting

    def _seconds(self) -> float:
        return time.monotonic() - self._away

    async def _give_up(self) -> None:
        """End what is under way, if somebody has lost interest."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
