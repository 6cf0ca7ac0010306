"""The step recorder: takes in every step of a live crawl and stores it.

A step is `committed` when the store has it; without a store that is at once. A
crawl that is resumed restores its last checkpoint and replays the steps after it:
it shows policy and goal the same pages in the same order.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from math import inf
from typing import Any

from lycosa.core import Page, Step
from lycosa.crawler.crawl import Crawl, UrlState
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.live.checkpointer import Checkpointer, CrawlParts
from lycosa.crawler.live.host_notes import HostNotes
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.live.page_rules import RuleHistory
from lycosa.crawler.live.progress import Progress, RunTotals
from lycosa.crawler.live.replay import replay_request
from lycosa.crawler.live.seed_outcomes import SeedOutcomes
from lycosa.crawler.live.shard import ShardLink, WholeCrawl
from lycosa.crawler.live.step_index import StepIndex
from lycosa.crawler.live.validators import Validators
from lycosa.crawler.politeness.scheduler import Scheduler
from lycosa.crawler.recall import Recall
from lycosa.crawler.storage.store import (
    LOST,
    MOVED,
    PAGE_RULES,
    UNKNOWN_URL,
    CheckpointStore,
    RevisitStore,
    Store,
    StoredResponse,
    StoredStep,
)
from lycosa.goals.combined import warning_goals

_log = logging.getLogger("lycosa.crawler")

COMMIT_INTERVAL_SECONDS = 0.25
COMMIT_STEPS = 128  # so many steps are committed before the interval is over
MAX_PENDING_STEPS = 512  # with more uncommitted steps no request is dispatched
STEP_POLL_SECONDS = 0.005  # between two looks whether a step of another thread was added
WARNING_INTERVAL_PAGES = 10  # between two questions whether the goal is doubtful
MAX_REPLAY_BLOCKING_SECONDS = 0.05  # of a replay before other tasks get their turn


class StepRecorder:
    """Records the steps of a crawl, and replays those of earlier runs.

    `crawl`, `recall`, `page_reader`, `scheduler` and `progress` are the parts
    of a live crawl that a replay restores. `store` keeps the steps; None keeps
    nothing. `job` has the settings: with its `refresh`, pages of earlier runs are
    requested again. `seeds` records the outcomes of the start pages, of which those
    that failed are requested again in any case. `run_facts` returns what to note of
    this run at each commit. `shard` is the crawl's place in a cluster, if it has one.
    """

    def __init__(
        self,
        crawl: Crawl,
        recall: Recall,
        page_reader: PageReader,
        scheduler: Scheduler,
        progress: Progress,
        store: Store | None,
        *,
        job: Job,
        seeds: SeedOutcomes,
        run_facts: Callable[[], Mapping[str, Any]],
        shard: ShardLink | None = None,
    ) -> None:
        self.validators = Validators(job, page_reader)
        self.was_killed = False
        """Whether the last run was killed, so that its last requests are unknown."""
        self._crawl = crawl
        self._recall = recall
        self._page_reader = page_reader
        self._scheduler = scheduler
        self._progress = progress
        self._store = store
        self._seeds = seeds
        self._warning_goals = warning_goals(crawl.goal)
        self._job = job
        self._run_facts = run_facts
        self._shard = WholeCrawl() if shard is None else shard
        self._index = StepIndex()
        parts = CrawlParts(crawl, recall, page_reader, progress, self._index, self._shard)
        self._checkpointer = Checkpointer(parts, job, store)
        self._adding = threading.Lock()  # held while a step changes the crawl
        self._lost: set[int] = set()  # pages that are damaged in the archive
        self._damaged = 0  # records that the replay could not read
        self._replayed = False
        self._pending: deque[Step] = deque()  # not committed yet
        self._committed: deque[Step] = deque()  # and not given out yet
        self._task: asyncio.Task[None] | None = None
        self._last_commit = time.monotonic()
        self._hosts = HostNotes(scheduler, self._shard.clock)
        self._failed = False

    @property
    def pending(self) -> int:
        """The number of steps that are not committed."""
        return len(self._pending)

    @property
    def has_room(self) -> bool:
        """Whether more steps may be added: the store keeps up."""
        return self.pending < MAX_PENDING_STEPS

    @property
    def seconds_until_due(self) -> float:
        """Seconds until a commit is due; infinite if there is nothing to commit."""
        if self._task is not None or not (self._pending or self._shard.is_dirty):
            return inf
        return max(self._last_commit + COMMIT_INTERVAL_SECONDS - time.monotonic(), 0.0)

    def take_committed(self) -> Iterator[Step]:
        """Yield the committed steps, each once."""
        while self._committed:
            yield self._committed.popleft()

    def keep(self, response: Response) -> None:
        """Archive a response that is not a step."""
        if self._store is not None:
            self._store.keep(response)

    def add(
        self,
        page: Page,
        requested: int,
        response: Response,
        between: Sequence[str] = (),
        moved: bool = False,
    ) -> Step:
        """Show a page to the crawl and record the step; may be called in another thread.

        `requested` is the number of the URL, redirects went through `between`, for good if `moved`.
        """
        with self._adding:
            return self._add(page, requested, response, between, moved)

    def _add(
        self, page: Page, requested: int, response: Response, between: Sequence[str], moved: bool
    ) -> Step:
        known = self._index.step(requested)
        step = self._tell(page, requested)
        self._seeds.answered(requested, page, step.reward, response, (*between, response.url))
        for resource in response.resources:
            self.keep(resource)
        source = self._index.step(step.source)
        _log.debug("Step %d: %s %s", step.n, page.error or page.status, response.url)
        if self._store is None:
            self._committed.append(step)
        else:
            url = self._page_reader.urls[requested]
            self._index.count(url, response.url, response.fault, response.when)
            self._store.add(
                step.n, url, response, reward=step.reward, source=source, score=step.score
            )
            if between:
                self._store.put(f"between:{step.n}", between)
            if moved and known:
                self._store.put(f"{MOVED}:{step.n}", True)
            self._pending.append(step)
        return step

    def _tell(self, page: Page, requested: int, reward: float | None = None) -> Step:
        crawl, index = self._crawl, self._index
        if index.step(page.number):
            # A target counts once, however often it is requested.
            if page.status == 304 or index.is_target(page.number):
                reward = 0.0
            step = crawl.tell_again(page, requested, reward)
            crawl.found += step.reward > 0
        else:
            step = crawl.tell(page, requested, reward)
            index.add(requested, step.n)
            index.add(page.number, step.n)
            self._recall.observe(step, crawl.waiting + crawl.in_flight)
        if step.reward > 0:
            index.add_target(page.number)
        self._seeds.followed(step.source)
        if page.error is not None and page.error != Fault.KNOWN_PAGE:
            self._progress.fault_names[page.error] += 1
        self._progress.curve.add(crawl.pages, crawl.found)
        if crawl.pages % WARNING_INTERVAL_PAGES == 1:
            for warning in (each for goal in self._warning_goals for each in goal.warnings()):
                self._progress.notify(*warning)
        return step

    def replay(self) -> Iterator[None]:
        """Replay the steps of earlier runs; yield now and then so that other tasks can run."""
        store = self._store
        if store is None:
            return
        last_run = store.get("run") or {}
        same_goal = last_run.get("goal") == self._crawl.goal.name
        self._progress.earlier = RunTotals.of_note(last_run)
        self._progress.stored = store.steps
        yield from self._checkpointer.restore()
        self._progress.replayed = self._checkpointer.steps
        self._seeds.renumber()
        rules = self._page_reader.rules
        history = RuleHistory(store.get(PAGE_RULES), rules)
        started = time.perf_counter()
        for step, response in self._steps_to_replay(store):
            self._shard.replay_events(step.n)
            self._page_reader.rules = history.at(step.n)
            self._replay_step(store, step, response, same_goal)
            self._progress.replayed += 1
            self._index.count(step.url, step.final, step.fault, step.when)
            if time.perf_counter() - started > MAX_REPLAY_BLOCKING_SECONDS:
                yield
                started = time.perf_counter()
        self._shard.replay_events(store.steps + 1)
        self._shard.replayed()
        self._page_reader.rules = rules
        if isinstance(store, RevisitStore):
            self.validators.find(store, self._index)
        if (noted := history.extended(store.steps, rules)) is not None:
            store.put(PAGE_RULES, noted)
        for number in dict.fromkeys((*self.validators, *sorted(self._lost))):
            if not self._page_reader.is_blocked(self._page_reader.urls[number]):
                self._crawl.request_again(number)
        self._notify_damage()
        failed: set[str] = set()
        for number, hosts in self._seeds.request_again():
            failed.update(hosts)
            blocked = self._page_reader.is_blocked(self._page_reader.urls[number])
            if self._crawl.state(number) is UrlState.DONE and not blocked:
                self._crawl.request_again(number)
        self.was_killed = self._hosts.restore(store, self._index.requests, failed)
        self._replayed = True
        if self._crawl.pages:
            _log.info("Resumed after %d steps", self._crawl.pages)

    def _steps_to_replay(self, store: Store) -> Iterator[tuple[StoredStep, StoredResponse | None]]:
        """Return the steps that are not in the checkpoint that was restored."""
        if isinstance(store, CheckpointStore):
            return store.replay(after=self._checkpointer.steps)
        return store.replay()

    def _replay_step(
        self, store: Store, stored: StoredStep, response: StoredResponse | None, same_goal: bool
    ) -> None:
        redirected = stored.final != stored.url
        between = store.get(f"between:{stored.n}", ()) if redirected else ()
        requested, page = replay_request(
            self._crawl,
            self._page_reader,
            stored,
            response,
            between=between,
            again=bool(self._index.step(self._page_reader.number(stored.url))),
        )
        self._note_lost(stored, page)
        if response is not None and page.status != 304:
            self.validators.note(page, requested, response)
        # Converting documents is slow: for the same goal their reward is taken from the
        # store. So is that of a page whose record is damaged.
        known = same_goal and not len(page.targets) and page.error in (None, LOST)
        step = self._tell(page, requested, stored.reward if known else None)
        if step.reward != stored.reward:
            store.amend(stored.n, step.reward)
        if requested in self._seeds or page.number in self._seeds:
            content = stored.type, b"" if response is None else response.body
            self._seeds.replayed(requested, page, step.reward, content, (*between, stored.final))

    def _note_lost(self, stored: StoredStep, page: Page) -> None:
        """Keep the pages that are damaged in the archive, unless a later step has them."""
        if page.error != LOST:
            self._lost.discard(page.number)
        elif not stored.url.startswith(UNKNOWN_URL):
            self._lost.add(self._page_reader.number(stored.final))
        self._damaged += page.error == LOST and stored.fault is None

    def _notify_damage(self) -> None:
        if self._damaged:
            count = "1 page is" if self._damaged == 1 else f"{self._damaged:,} pages are"
            words = f"{count} damaged in the archive: run lycosa repair on the folder of the crawl."
            self._progress.notify("damage", words)

    def commit_if_due(self, done: Callable[[], object]) -> None:
        """Start a commit if one is due; `done` is called when it has ended.

        Raises the error of the last commit, if it failed.
        """
        if self._task is not None:
            if not self._task.done():
                return
            self._task.result()
            self._task = None
        if self.seconds_until_due <= 0 or len(self._pending) >= COMMIT_STEPS:
            self._task = asyncio.create_task(self._write())
            self._task.add_done_callback(lambda _: done())

    async def commit(self) -> None:
        """Commit everything and wait for it."""
        if self._task is not None:
            await self._task
            self._task = None
        await self._write()

    async def rescue(self) -> None:
        """After an error, try once more to commit; if that fails, the rest is discarded."""
        _log.debug("The crawl ends with an error", exc_info=True)
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        try:
            await self._write()
        except Exception:
            _log.warning("%d steps cannot be stored and are discarded", self.pending, exc_info=True)
            self._failed = True

    async def _write(self) -> None:
        store = self._store
        if store is None:
            return
        async with self._between_steps():
            self._note(store)
            self._shard.publish()
            snapshot = self._checkpointer.take_if_due()
        try:
            await asyncio.to_thread(store.commit)
            if snapshot is not None:
                self._checkpointer.start_writing(snapshot)
        finally:
            # The store decides what is committed: steps that were added after the commit
            # was started may be part of it, and a commit that failed may have stored some.
            while self._pending and self._pending[0].n <= store.steps:
                self._committed.append(self._pending.popleft())
            self._last_commit = time.monotonic()

    @asynccontextmanager
    async def _between_steps(self) -> AsyncIterator[None]:
        """Wait until no step is being added, and let none begin in the block."""
        while not self._adding.acquire(blocking=False):
            await asyncio.sleep(STEP_POLL_SECONDS)
        try:
            yield
        finally:
            self._adding.release()

    def _note(self, store: Store, *, exact: bool = False) -> None:
        """Put the notes of this run; `exact` if no more requests will be made."""
        estimate = self._recall.estimate()
        facts = {
            "seeds": list(self._job.seeds),
            "goal": self._crawl.goal.name,
            "spider": self._crawl.policy.name,
            **self._run_facts(),
        }
        facts["ended"] = None if facts.get("reason") is None else datetime.now(UTC).isoformat()
        store.put(
            "run",
            {
                **facts,
                "requests": self._progress.requests,
                "totals": self._progress.totals(facts.get("seconds", 0.0))._asdict(),
                "estimate": [estimate.found, estimate.total, estimate.low, estimate.high],
                "known": len(self._page_reader.urls),
                "waiting": self._crawl.waiting + self._scheduler.waiting,
                "skipped": dict(self._progress.skipped),
                "notices": [notice._asdict() for notice in self._progress.notices.values()],
            },
        )
        self._hosts.put(store, exact=exact)

    async def close(self) -> None:
        """Commit what can be committed, and close the store."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        if self._store is not None:
            complete = self._replayed and not self._failed  # else the store knows more
            try:
                if complete:
                    async with self._between_steps():
                        self._note(self._store, exact=True)
                        self._shard.publish()
                    await asyncio.to_thread(self._store.commit)
            finally:
                final = complete and self._store.steps == self._crawl.pages
                async with self._between_steps():
                    await self._checkpointer.finish(final=final)
                await asyncio.to_thread(self._store.close, commit=not self._failed)
