"""What a crawl remembers, told page by page: no network, no clock but the real one."""

import asyncio
import math
import time
from datetime import UTC, datetime

import numpy as np
import pytest

from crawler.live.small import Says
from lycosa import Budget, Scope
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.http.response import Response
from lycosa.crawler.live import recorder as module
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.live.progress import Progress
from lycosa.crawler.live.recorder import StepRecorder
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.politeness.scheduler import Scheduler
from lycosa.crawler.recall import Recall
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.spiders import BreadthFirst

SEED = "http://a.example/"
HOME = b"<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>"


class Life:
    """One run of a crawl without a network."""

    def __init__(self, store, *, refresh=False, goal=None, pace=None):
        self.store = store
        self.reading = PageReader(Scope(domains=("a.example",)))
        seeds = np.array([self.reading.number(SEED)], np.int32)
        self.crawl = Crawl(BreadthFirst(), goal or Says(), Budget(), seeds)
        self.hosts = Scheduler(pace=pace or Pace())
        self.progress = Progress()
        self.memory = StepRecorder(
            self.crawl,
            Recall(),
            self.reading,
            self.hosts,
            self.progress,
            store,
            refresh=refresh,
            about=lambda: {"goal": self.crawl.goal.name},
        )
        self.pauses = sum(1 for _ in self.memory.replay())

    def step(self, body=b"", *, url=None, status=200, fault=None, between=(), **headers):
        """The next page comes back, from another URL if there was a redirect."""
        asked = self.crawl.next()
        place = url or self.reading.urls[asked]
        if url:
            self.crawl.claim(self.reading.number(url))
        raw = [(b"Content-Type", b"text/html")]
        raw += [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
        when = datetime.now(UTC)
        status = 0 if fault else status
        fetched = Response(place, when, status, f"HTTP/1.1 {status} x", tuple(raw), body, fault)
        return self.memory.add(self.reading.answer(asked, fetched), asked, fetched, between)

    def urls(self):
        """What would be asked for next, in order."""
        found = []
        while (number := self.crawl.next()) is not None:
            found.append(self.reading.urls[number].removeprefix(SEED))
        return found


def committed(life):
    asyncio.run(life.memory.commit())
    return [step.n for step in life.memory.committed()]


def closed(life):
    asyncio.run(life.memory.close())


def test_without_a_store_a_step_is_committed_at_once():
    life = Life(None)
    life.step(HOME)
    assert [step.n for step in life.memory.committed()] == [1]
    assert (list(life.memory.committed()), life.memory.pending) == ([], 0)
    assert life.memory.due == math.inf


def test_with_a_store_a_step_is_committed_when_the_disk_has_it(tmp_path):
    life = Life(SqliteStore.open(tmp_path))
    life.step(HOME)
    life.step(b"paper")
    assert (list(life.memory.committed()), life.memory.pending) == ([], 2)
    assert 0 <= life.memory.due <= 0.25
    assert committed(life) == [1, 2]
    assert life.memory.pending == 0
    closed(life)
    with SqliteStore.open(tmp_path) as store:
        assert [(row.n, row.reward, row.source) for row, _ in store.replay()] == [
            (1, 0.0, 0),
            (2, 1.0, 1),
        ]


def test_the_next_run_knows_what_this_one_did(tmp_path):
    life = Life(SqliteStore.open(tmp_path))
    life.step(HOME)
    life.step(b"paper", url=SEED + "there", between=[SEED + "on-the-way"])
    life.step(fault="dns")
    closed(life)
    life = Life(SqliteStore.open(tmp_path))
    assert (life.crawl.pages, life.crawl.found, life.crawl.requested) == (3, 1, 3)
    assert (life.progress.faults, life.progress.curve.points[-1]) == (1, (3, 1))
    life.crawl.add(np.array([life.reading.number(SEED + p) for p in ("there", "on-the-way", "x")]))
    assert life.urls() == ["x", "3"]
    closed(life)


def test_a_run_that_failed_to_go_on_says_nothing_in_its_name(tmp_path):
    life = Life(SqliteStore.open(tmp_path))
    life.step(HOME)
    life.hosts.offer(1, "a.example")
    closed(life)

    class Odd(Says):
        def __call__(self, page):
            return math.nan

    store = SqliteStore.open(tmp_path)
    with pytest.raises(Exception, match="a reward is a finite number"):
        Life(store, goal=Odd("odd"))
    store.close()
    with SqliteStore.open(tmp_path) as store:
        assert store.get("run")["goal"] == "says paper"
        assert list(store.get("hosts")) == ["a.example"]


@pytest.mark.parametrize("killed", [True, False])
def test_a_host_is_left_alone_after_a_kill_as_if_it_had_just_been_asked(tmp_path, killed):
    life = Life(SqliteStore.open(tmp_path), pace=Pace(delay=5.0, pages=10))
    life.step(HOME)
    life.hosts.offer(1, "b.example")
    robots = life.hosts.ready()
    life.hosts.began(robots)
    life.hosts.ended(robots, Response("http://b.example/robots.txt", datetime.now(UTC), 404))
    life.memory._note(life.store, exact=not killed)
    life.store.put("hosts-saved", {"at": time.time() - 100, "exact": not killed})
    life.store.close()
    life = Life(SqliteStore.open(tmp_path), pace=Pace(delay=5.0, pages=10))
    assert life.memory.was_killed == killed
    for host in ("a.example", "b.example"):
        life.hosts.offer(9, host)
    ready = {life.hosts.ready().host for _ in range(2)} if not killed else set()
    assert ready == (set() if killed else {"a.example", "b.example"})
    if killed:
        assert life.hosts.ready() is None
        assert 4 < life.hosts.wake() <= 5
        pages = {name: host["pages"] for name, host in life.hosts.state().items()}
        assert pages == {"a.example": 1, "b.example": 0}, "as the journal has it"
    closed(life)


def test_a_target_counts_once_however_often_it_is_asked_for(tmp_path):
    life = Life(SqliteStore.open(tmp_path))
    life.step(HOME, ETag="1")
    life.step(b"paper", ETag="2")
    life.step(b"nothing", ETag="3")
    life.step(fault="dns")
    closed(life)
    for turn in range(3):
        life = Life(SqliteStore.open(tmp_path), refresh=True)
        assert (life.crawl.requested, life.crawl.found) == (4 - 3, 1 if turn == 0 else 2)
        assert [life.memory.validators[n][0] for n in sorted(life.memory.validators)] == [*"123"]
        steps = [life.step(HOME), life.step(b"paper still"), life.step(b"paper now")]
        assert [step.reward for step in steps] == [0.0, 0.0, 1.0 if turn == 0 else 0.0]
        assert (life.crawl.found, life.urls()) == (2, [])
        for number in life.memory.validators:
            life.memory.validators[number] = ("x", "")
        closed(life)
        # Those that answered last had no tag: they are asked for all the same.
        life = Life(SqliteStore.open(tmp_path), refresh=True)
        assert set(life.memory.validators.values()) == {("", "")}
        steps = [life.step(body, ETag=tag) for body, tag in ((HOME, "1"), (b"paper", "2"))]
        life.step(b"paper", ETag="3")
        closed(life)
    with SqliteStore.open(tmp_path) as store:
        assert store.counts().targets == 2


def test_what_moved_is_asked_for_where_it_is(tmp_path):
    life = Life(SqliteStore.open(tmp_path))
    life.step(b"paper")
    closed(life)
    life = Life(SqliteStore.open(tmp_path), refresh=True)
    step = life.step(b"paper", url=SEED + "new")
    assert (step.reward, life.crawl.found) == (1.0, 2), "another page, so another target"
    closed(life)
    life = Life(SqliteStore.open(tmp_path), refresh=True)
    assert life.urls() == ["new"]
    closed(life)


def test_a_replay_pauses(tmp_path, monkeypatch):
    life = Life(SqliteStore.open(tmp_path))
    life.step(HOME)
    life.step(b"x")
    closed(life)
    monkeypatch.setattr(module, "_SLICE", 0.0)
    with SqliteStore.open(tmp_path) as store:
        assert (life.pauses, Life(store).pauses) == (0, 2)


def test_commits_are_made_when_due_and_not_before(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_MANY", 2)

    async def scenario():
        life = Life(SqliteStore.open(tmp_path))
        called = []
        life.memory.commit_if_due(lambda: called.append(1))
        assert life.memory.due == math.inf, "there is nothing to commit"
        life.step(HOME)
        await asyncio.sleep(0.3)
        life.memory.commit_if_due(lambda: called.append(2))
        await asyncio.sleep(0)  # it has begun
        life.step(b"x")
        while not called:
            await asyncio.sleep(0.001)
        assert [step.n for step in life.memory.committed()] == [1]
        life.memory.commit_if_due(lambda: called.append(3))
        assert life.memory.due > 0.1
        life.step(b"y")  # two are many
        life.memory.commit_if_due(lambda: called.append(4))
        assert life.memory.has_room
        while len(called) < 2:
            await asyncio.sleep(0.001)
        assert called == [2, 4]
        assert [step.n for step in life.memory.committed()] == [2, 3]
        await life.memory.close()

    asyncio.run(scenario())
