"""The live crawl: the state machine of the lab, fed from the web.

`Crawl` decides what is wanted next, `Hosts` what may be asked for now, a
`Fetcher` asks, `Reading` makes a page of the answer, and the `Store` has it on
the disk before anybody is told of it. One loop joins them. Requests are tasks;
all else happens in the loop, one page at a time, so a policy sees its crawl in
one order, the order in which the journal has it.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from math import inf

import numpy as np

from lycosa.core import Goal, Policy, Step
from lycosa.crawl.crawl import Crawl
from lycosa.crawl.live.errands import Errands
from lycosa.crawl.live.faults import Fault
from lycosa.crawl.live.fetch import Accept, Fetcher, only
from lycosa.crawl.live.fetched import Fetched
from lycosa.crawl.live.hosts import Hosts, Item
from lycosa.crawl.live.job import Job
from lycosa.crawl.live.memory import Memory
from lycosa.crawl.live.progress import Progress
from lycosa.crawl.live.reading import Reading
from lycosa.crawl.live.rules import Rules, authority
from lycosa.crawl.live.status import Status
from lycosa.crawl.live.store import Store
from lycosa.crawl.recall import Recall
from lycosa.errors import UsageError
from lycosa.web.documents import is_document
from lycosa.web.robots import Robots
from lycosa.web.urls import canonical

_PAUSE = 1.0  # seconds; the longest time without a look at the clock
_BREATH = 0.01  # seconds of work after which the network has its turn
_LARGE = 256 << 10  # bytes of a body; a larger one is read in a thread
_SITEMAPS = 100  # of one host
_AHEAD = 64  # URLs taken ahead that are given back when scores change


class LiveCrawl:
    """A crawl of the web, to be iterated over once.

        async for step in LiveCrawl(job, policy, goal, store):
            print(step.page.url, step.reward)

    With a store every step is on the disk before it is given out, and a crawl
    that ended, by itself or by a kill, goes on where it was. The store is
    closed in the end. `reason` says why there was an end.
    """

    def __init__(self, job: Job, policy: Policy, goal: Goal, store: Store | None = None) -> None:
        assert job.scope is not None  # noqa: S101 - a job sees to it
        self.job = job
        self.reason: str | None = None
        self.reading = Reading(job.scope, sitemaps=job.sitemaps)
        self.progress = Progress()
        self.recall = Recall()
        self.hosts = Hosts(pace=job.pace)
        self.rules = Rules(job.manners.name, store)
        self._away = 0.0  # seconds that do not count
        seeds = [self.reading.number(seed) for seed in job.seeds]
        self.crawl = Crawl(policy, goal, job.budget, np.array(seeds, np.int32), clock=self._seconds)
        self.memory = Memory(
            self.crawl,
            self.recall,
            self.reading,
            self.hosts,
            self.progress,
            store,
            refresh=job.refresh,
        )
        self._errands = Errands(self.hosts, self.rules, obey=job.robots, learned=self._learned)
        self._chains: dict[int, list[str]] = {}  # by what was asked for, where redirects led
        self._answers: deque[tuple[Item, str, Fetched, str | None] | BaseException] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._event = asyncio.Event()
        self._stop: str | None = None
        self._began = time.monotonic()
        self._used = False
        self._accept = _accept(job)

    def __aiter__(self) -> AsyncIterator[Step]:
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
            under_way=len(self._tasks) + self.memory.pending,
            estimate=self.recall.estimate(),
            hosts=len(self.hosts),
            waits=tuple(waits[:10]),
            curve=progress.curve.points,
            reason=self.reason,
        )

    async def _run(self) -> AsyncGenerator[Step, None]:
        job = self.job
        fetcher = Fetcher(
            job.manners,
            job.limits,
            job.reach,
            per_host=job.pace.per_host,
            at_once=job.at_once,
        )
        try:
            async with fetcher:
                began = time.monotonic()
                for _ in self.memory.replay():
                    await asyncio.sleep(0)
                self._away += time.monotonic() - began
                self._describe()
                async for step in self._steps(fetcher):
                    yield step
        finally:
            await self._end()

    async def _steps(self, fetcher: Fetcher) -> AsyncGenerator[Step, None]:
        while True:
            self._event.clear()
            await self._take_in(fetcher)
            self.memory.commit_if_due(self._event.set)
            for step in self.memory.committed():
                yield step
            reason = self._reason()
            if reason is not None and not self._tasks and not self._answers:
                break
            await self._pause()
        self.reason = reason
        self._describe()
        await self.memory.commit()
        for step in self.memory.committed():
            yield step

    def _describe(self) -> None:
        self.memory.describe(
            reason=self.reason,
            seconds=time.monotonic() - self._began,
            seeds=list(self.job.seeds),
            goal=self.crawl.goal.name,
            spider=self.crawl.policy.name,
            ended=None if self.reason is None else datetime.now(UTC).isoformat(),
        )

    def _reason(self) -> str | None:
        return self._stop or self.crawl.reason

    async def _pause(self) -> None:
        """Wait until something came back, or may go."""
        if self._answers:
            return
        wait = _PAUSE if self._reason() else self.hosts.wake()
        wait = _PAUSE if wait is None or len(self._tasks) >= self.job.at_once else wait
        wait = min(wait, self.memory.due, _PAUSE)
        timer = asyncio.get_running_loop().call_later(max(wait, 0.0), self._event.set)
        await self._event.wait()
        timer.cancel()

    def _start(self, fetcher: Fetcher) -> None:
        """Let as many requests go as may go."""
        crawl, hosts, urls = self.crawl, self.hosts, self.reading.urls
        while self._reason() is None and self.memory.has_room:
            # What came back and was not taken in yet still has its place at its host.
            if len(self._tasks) + len(self._answers) >= self.job.at_once:
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
            self._begin(item, fetcher)

    def _begin(self, item: Item, fetcher: Fetcher) -> None:
        """Send one request on its way, if it is to be made at all."""
        if item.errand:
            url = self._errands.url(item)
            if url is None:
                return
        else:
            url = self._url_of(item.number)
            if not self.rules.allows(url):
                refused = Fetched(url, datetime.now(UTC), fault=Fault.ROBOTS)
                if item.number in self._chains:
                    self._answers.append((item, url, refused, None))
                    self._event.set()
                    return
                self.hosts.ended(item, refused)
                reached = self.rules.reached(url)
                self._skip(item.number, "robots" if reached else "robots-unreachable")
                return
        task = asyncio.create_task(self._ask(item, url, fetcher))
        self._tasks.add(task)
        task.add_done_callback(self._asked)

    async def _ask(self, item: Item, url: str, fetcher: Fetcher) -> None:
        try:
            address = await self._address(url, fetcher)
            if not self.hosts.began(item, address):
                return
            etag, modified = self.memory.validators.get(item.number, (None, None))
            if item.errand:
                fetched = await fetcher.fetch(url)
            else:
                fetched = await fetcher.fetch(
                    url, accept=self._accept, etag=etag, modified=modified
                )
            text = None
            if self.reading.reads_documents and is_document(fetched.type, url) and fetched.body:
                text = await asyncio.to_thread(self.reading.convert, fetched.body, fetched.type)
            self._answers.append((item, url, fetched, text))
        except Exception as error:
            self._answers.append(error)

    def _asked(self, task: asyncio.Task[None]) -> None:
        """There is room for another request, which is why this is not said any earlier."""
        self._tasks.discard(task)
        self._event.set()

    async def _address(self, url: str, fetcher: Fetcher) -> str:
        """Where a request will go, as far as can be told."""
        if self.job.manners.proxy:
            return ""
        host = authority(url)
        name = host if host.startswith("[") else host.partition(":")[0]
        if name[-1:].isdigit() or name.startswith("["):
            return name.strip("[]")
        try:
            return (await fetcher.names.addresses(name))[0]
        except OSError:
            return ""  # the request will say what is wrong

    async def _take_in(self, fetcher: Fetcher) -> None:
        """Make steps of what came back, and let new requests go in between."""
        began = time.perf_counter()
        while self._answers:
            answer = self._answers.popleft()
            if isinstance(answer, BaseException):
                raise answer
            await self._handle(*answer)
            if time.perf_counter() - began > _BREATH:
                self._start(fetcher)
                await asyncio.sleep(0)
                began = time.perf_counter()
        self._start(fetcher)

    async def _handle(self, item: Item, url: str, fetched: Fetched, text: str | None) -> None:
        self.progress.asked(fetched.transferred)
        again = self.hosts.ended(item, fetched)
        self._count_out()
        if again:
            return
        if item.errand:
            self.memory.keep(fetched)
            self._errands.answered(item, fetched)
            self._count_out()
            return
        fault = self._followed(item.number, fetched)
        if fault == "":
            return
        if fault is not None:
            self.memory.keep(fetched)
            fetched = replace(fetched, fault=fault, status=0, body=b"")
        self._chains.pop(item.number, None)
        if fetched.fault is not None:
            page = self.reading.failed(item.number, fetched.fault)
        elif fetched.status == 304:
            page = self.reading.unchanged(item.number)
        elif text is not None:
            page = self.reading.document(url, fetched.status, fetched.type, text)
        elif len(fetched.body) > _LARGE:
            # The network goes on meanwhile; nothing else reads, because we wait for it here.
            page = await asyncio.to_thread(
                self.reading.page, url, fetched.status, fetched.type, fetched.body
            )
        else:
            page = self.reading.page(url, fetched.status, fetched.type, fetched.body)
        self._give_back()
        self.memory.add(page, item.number, fetched)
        recall = self.job.recall
        if recall is not None and self.crawl.pages % 10 == 0:
            estimate = self.recall.estimate()
            if estimate.found and estimate.share >= recall:
                self.stop("recall reached")

    def _followed(self, number: int, fetched: Fetched) -> str | None:
        """Follow a redirect: "" if that is under way, the fault why not, None if there is none."""
        place = fetched.location
        if place is None or fetched.fault is not None:
            return None
        chain = self._chains.setdefault(number, [self.reading.urls[number]])
        if place in chain:
            return Fault.REDIRECT_LOOP
        if len(chain) > self.job.redirects:
            return Fault.TOO_MANY_REDIRECTS
        if not self.reading.allows(place):
            return Fault.OUT_OF_SCOPE
        if not self.crawl.claim(self.reading.number(place)):
            return Fault.KNOWN_PAGE
        chain.append(place)
        self.memory.keep(fetched)
        self.hosts.offer(number, self._errands.host(place), inf)
        self._count_out()
        return ""

    def _learned(self, host: str, robots: Robots) -> None:
        """What a robots.txt names are more seeds, if that is wanted."""
        if not self.job.sitemaps:
            return
        base = f"{self.job.seeds[0].partition(':')[0]}://{host}/"
        places = [canonical(place, base) for place in robots.sitemaps[:_SITEMAPS]]
        numbers = [self.reading.number(place) for place in places if place]
        if numbers:
            self.crawl.add(np.array(numbers, np.int32))

    def _url_of(self, number: int) -> str:
        chain = self._chains.get(number)
        return chain[-1] if chain else self.reading.urls[number]

    def _count_out(self) -> None:
        """See to what the hosts have dropped, and say how much they hold."""
        for number, _, reason in self.hosts.dropped():
            if number < 0:
                self._errands.dropped(number)
            else:
                self._skip(number, reason)
        self.crawl.held = self.hosts.waiting

    def _skip(self, number: int, reason: str) -> None:
        self._chains.pop(number, None)
        self.progress.skipped[reason] += 1
        self.crawl.skip(number)

    def _give_back(self) -> None:
        """Before scores change, let the crawl have what was taken ahead, if it is not much."""
        hosts = self.hosts
        if self.crawl.rescores and hosts.waiting <= _AHEAD and len(hosts) <= _AHEAD:
            for number in hosts.take_back():
                if number in self._chains:
                    hosts.offer(number, authority(self._url_of(number)), inf)
                else:
                    self.crawl.put_back(number)
            self.crawl.held = hosts.waiting

    def _seconds(self) -> float:
        return time.monotonic() - self._away

    async def _end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.reading.documents.close()
        await self.memory.close()


def _accept(job: Job) -> Accept | None:
    types = job.types
    if types and job.sitemaps:
        types += ("application/xml", "text/xml", "application/gzip", "application/x-gzip")
    return only(*types) if types else None
