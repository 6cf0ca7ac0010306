"""The step recorder, driven page by page without a network."""

import asyncio
import math
import threading
import time
from datetime import UTC, datetime

import numpy as np
import pytest

from crawler.live.small import Says
from lycosa import Budget, Scope
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.http.response import Response
from lycosa.crawler.live import recorder as module
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.live.progress import Progress
from lycosa.crawler.live.recorder import StepRecorder
from lycosa.crawler.live.seed_outcomes import SeedOutcomes
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.politeness.robots_cache import RobotsCache
from lycosa.crawler.politeness.scheduler import Scheduler
from lycosa.crawler.recall import Recall
from lycosa.crawler.storage.memory import MemoryStore
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.errors import StoreError
from lycosa.spiders import BreadthFirst

SEED = "http://a.example/"
HOME = b"<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>"


class Run:
    """One run of a crawl without a network."""

    def __init__(self, store, *, refresh=False, goal=None, pace=None):
        self.store = store
        self.page_reader = PageReader(Scope(domains=("a.example",)))
        seeds = np.array([self.page_reader.number(SEED)], np.int32)
        self.crawl = Crawl(BreadthFirst(), goal or Says(), Budget(), seeds)
        self.scheduler = Scheduler(pace=pace or Pace())
        self.progress = Progress()
        job = Job((SEED,), ClientConfig("test@example.org"), refresh=refresh)
        seed_outcomes = SeedOutcomes(
            job, self.page_reader, RobotsCache("lycosa", store), self.progress, store
        )
        self.recorder = StepRecorder(
            self.crawl,
            Recall(),
            self.page_reader,
            self.scheduler,
            self.progress,
            store,
            job=job,
            seeds=seed_outcomes,
            run_facts=lambda: {"goal": self.crawl.goal.name},
        )
        self.pauses = sum(1 for _ in self.recorder.replay())

    def step(self, body=b"", *, url=None, status=200, fault=None, between=(), **headers):
        """Record the page of the next URL, from another URL if there was a redirect."""
        requested = self.crawl.next()
        place = url or self.page_reader.urls[requested]
        if url:
            self.crawl.claim(self.page_reader.number(url))
        raw = [(b"Content-Type", b"text/html")]
        raw += [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
        when = datetime.now(UTC)
        status = 0 if fault else status
        response = Response(place, when, status, f"HTTP/1.1 {status} x", tuple(raw), body, fault)
        page = self.page_reader.read(requested, response)
        return self.recorder.add(page, requested, response, between)

    def urls(self):
        """Return the URLs that would be requested next, in order."""
        found = []
        while (number := self.crawl.next()) is not None:
            found.append(self.page_reader.urls[number].removeprefix(SEED))
        return found


def commit(run):
    asyncio.run(run.recorder.commit())
    return [step.n for step in run.recorder.take_committed()]


def close(run):
    asyncio.run(run.recorder.close())


def test_a_step_without_a_store_is_committed_at_once():
    run = Run(None)
    run.step(HOME)
    assert [step.n for step in run.recorder.take_committed()] == [1]
    assert (list(run.recorder.take_committed()), run.recorder.pending) == ([], 0)
    assert run.recorder.seconds_until_due == math.inf


def test_a_step_with_a_store_is_committed_by_a_commit(tmp_path):
    run = Run(SqliteStore.open(tmp_path))
    run.step(HOME)
    run.step(b"paper")
    assert (list(run.recorder.take_committed()), run.recorder.pending) == ([], 2)
    assert 0 <= run.recorder.seconds_until_due <= 0.25
    assert commit(run) == [1, 2]
    assert run.recorder.pending == 0
    close(run)
    with SqliteStore.open(tmp_path) as store:
        assert [(row.n, row.reward, row.source) for row, _ in store.replay()] == [
            (1, 0.0, 0),
            (2, 1.0, 1),
        ]


def test_replay_restores_the_crawl(tmp_path):
    run = Run(SqliteStore.open(tmp_path))
    run.step(HOME)
    run.step(b"paper", url=SEED + "there", between=[SEED + "on-the-way"])
    run.step(fault="dns")
    close(run)
    run = Run(SqliteStore.open(tmp_path))
    assert (run.crawl.pages, run.crawl.found, run.crawl.requested) == (3, 1, 3)
    assert (run.progress.faults, run.progress.curve.points[-1]) == (1, (3, 1))
    run.crawl.add(
        np.array([run.page_reader.number(SEED + p) for p in ("there", "on-the-way", "x")])
    )
    assert run.urls() == ["x", "3"]
    close(run)


def test_a_run_whose_replay_fails_leaves_the_notes_unchanged(tmp_path):
    run = Run(SqliteStore.open(tmp_path))
    run.step(HOME)
    run.scheduler.offer(1, "a.example")
    close(run)

    class Odd(Says):
        def __call__(self, page):
            return math.nan

    store = SqliteStore.open(tmp_path)
    with pytest.raises(Exception, match="return a finite number"):
        Run(store, goal=Odd("odd"))
    store.close()
    with SqliteStore.open(tmp_path) as store:
        assert store.get("run")["goal"] == "says paper"
        assert list(store.get("hosts")) == ["a.example"]


@pytest.mark.parametrize("killed", [True, False])
def test_every_host_waits_for_its_delay_after_a_kill(tmp_path, killed):
    run = Run(SqliteStore.open(tmp_path), pace=Pace(delay=5.0, pages=10))
    run.step(HOME)
    run.scheduler.offer(1, "b.example")
    robots = run.scheduler.ready()
    run.scheduler.start(robots)
    run.scheduler.finish(robots, Response("http://b.example/robots.txt", datetime.now(UTC), 404))
    run.recorder._note(run.store, exact=not killed)
    run.store.put("hosts-saved", {"at": time.time() - 100, "exact": not killed})
    run.store.close()
    run = Run(SqliteStore.open(tmp_path), pace=Pace(delay=5.0, pages=10))
    assert run.recorder.was_killed == killed
    for host in ("a.example", "b.example"):
        run.scheduler.offer(9, host)
    ready = {run.scheduler.ready().host for _ in range(2)} if not killed else set()
    assert ready == (set() if killed else {"a.example", "b.example"})
    if killed:
        assert run.scheduler.ready() is None
        assert 4 < run.scheduler.seconds_until_ready() <= 5
        pages = {name: host["pages"] for name, host in run.scheduler.snapshot().items()}
        assert pages == {"a.example": 1, "b.example": 0}, "as in the step log"
    close(run)


def test_a_target_counts_once_however_often_it_is_requested(tmp_path):
    run = Run(SqliteStore.open(tmp_path))
    run.step(HOME, ETag="1")
    run.step(b"paper", ETag="2")
    run.step(b"nothing", ETag="3")
    run.step(fault="dns")
    close(run)
    for turn in range(3):
        run = Run(SqliteStore.open(tmp_path), refresh=True)
        assert (run.crawl.requested, run.crawl.found) == (4 - 3, 1 if turn == 0 else 2)
        assert [run.recorder.validators[n][0] for n in sorted(run.recorder.validators)] == [*"123"]
        steps = [run.step(HOME), run.step(b"paper still"), run.step(b"paper now")]
        assert [step.reward for step in steps] == [0.0, 0.0, 1.0 if turn == 0 else 0.0]
        assert (run.crawl.found, run.urls()) == (2, [])
        for number in run.recorder.validators:
            run.recorder.validators[number] = ("x", "")
        close(run)
        # The last responses had no ETag: the pages are requested all the same.
        run = Run(SqliteStore.open(tmp_path), refresh=True)
        assert set(run.recorder.validators.values()) == {("", "")}
        steps = [run.step(body, ETag=tag) for body, tag in ((HOME, "1"), (b"paper", "2"))]
        run.step(b"paper", ETag="3")
        close(run)
    with SqliteStore.open(tmp_path) as store:
        assert store.counts().targets == 2


def test_refresh_requests_a_moved_page_at_its_new_url(tmp_path):
    run = Run(SqliteStore.open(tmp_path))
    run.step(b"paper")
    close(run)
    run = Run(SqliteStore.open(tmp_path), refresh=True)
    step = run.step(b"paper", url=SEED + "new")
    assert (step.reward, run.crawl.found) == (1.0, 2), "another page, so another target"
    close(run)
    run = Run(SqliteStore.open(tmp_path), refresh=True)
    assert run.urls() == ["new"]
    close(run)


def test_replay_yields_to_other_tasks(tmp_path, monkeypatch):
    run = Run(SqliteStore.open(tmp_path))
    run.step(HOME)
    run.step(b"x")
    close(run)
    monkeypatch.setattr(module, "MAX_REPLAY_BLOCKING_SECONDS", 0.0)
    with SqliteStore.open(tmp_path) as store:
        assert (run.pauses, Run(store).pauses) == (0, 2)


class GatedStore(MemoryStore):
    """A store whose commits wait for `gate`, and fail as often as `failures` says."""

    def __init__(self):
        super().__init__()
        self.entered, self.gate = threading.Event(), threading.Event()
        self.failures = 0

    def commit(self):
        self.entered.set()
        assert self.gate.wait(120)
        if self.failures:
            self.failures -= 1
            raise StoreError("The disk is full.")
        super().commit()


async def reached(event):
    """Wait until another thread has set an event."""
    assert await asyncio.to_thread(event.wait, 10)


def test_commits_start_when_they_are_due(monkeypatch):
    now = 100.0
    monkeypatch.setattr(module.time, "monotonic", lambda: now)

    async def scenario():
        nonlocal now
        run = Run(MemoryStore())
        done = asyncio.Event()
        run.recorder.commit_if_due(done.set)
        assert run.recorder.seconds_until_due == math.inf, "there is nothing to commit"
        run.step(HOME)
        run.recorder.commit_if_due(done.set)
        assert (run.recorder.seconds_until_due, run.recorder.pending) == (0.25, 1)
        now += 0.25
        assert run.recorder.seconds_until_due == 0
        run.recorder.commit_if_due(done.set)
        assert run.recorder.seconds_until_due == math.inf, "a commit is running"
        await done.wait()
        assert [step.n for step in run.recorder.take_committed()] == [1]
        run.step(b"x")
        run.recorder.commit_if_due(done.set)
        assert run.recorder.seconds_until_due == 0.25
        monkeypatch.setattr(module, "COMMIT_STEPS", 2)
        run.step(b"y")
        done.clear()
        run.recorder.commit_if_due(done.set)
        await done.wait()
        assert [step.n for step in run.recorder.take_committed()] == [2, 3]
        await run.recorder.close()

    asyncio.run(scenario())


def test_a_step_that_joins_a_running_commit_is_given_out_if_the_next_one_fails(monkeypatch):
    monkeypatch.setattr(module, "COMMIT_INTERVAL_SECONDS", 0.0)

    async def scenario():
        store = GatedStore()
        run = Run(store)
        run.step(HOME)
        done = asyncio.Event()
        run.recorder.commit_if_due(done.set)
        await reached(store.entered)
        run.step(b"x")  # the commit was started before, and takes the step with it
        store.gate.set()
        await done.wait()
        store.failures = 2
        run.step(b"y")
        done.clear()
        run.recorder.commit_if_due(done.set)
        await done.wait()
        with pytest.raises(StoreError, match="full"):
            run.recorder.commit_if_due(done.set)
        await run.recorder.rescue()
        assert [step.n for step in run.recorder.take_committed()] == [1, 2]
        await run.recorder.close()
        assert [step.n for step, _ in store.replay()] == [1, 2]

    asyncio.run(scenario())


def test_rescue_commits_what_a_failed_commit_left():
    async def scenario():
        store = GatedStore()
        store.gate.set()
        store.failures = 1
        run = Run(store)
        run.step(HOME)
        with pytest.raises(StoreError, match="full"):
            await run.recorder.commit()
        assert list(run.recorder.take_committed()) == []
        await run.recorder.rescue()
        assert [step.n for step in run.recorder.take_committed()] == [1]
        await run.recorder.close()
        assert store.get("hosts-saved")["exact"] is True

    asyncio.run(scenario())
