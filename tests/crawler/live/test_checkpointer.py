"""Checkpoints of a live crawl, served from a dictionary: when they are used, and when not."""

import asyncio
import logging
import threading
import time
from datetime import UTC, datetime

import pytest

from crawler.live.small import Says
from lycosa import Budget, Scope, Setup, spider
from lycosa.crawler.http.dict_fetcher import DictFetcher
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.http.response import Response
from lycosa.crawler.live import checkpointer as module
from lycosa.crawler.live import engine, recorder
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.goals.position import Depth

SITE = "http://a.example"
PAGES = 40
NOW = datetime.now(UTC)


def web(robots=""):
    """Return pages in a tree of twos; one in five is a target, one in seven has moved."""
    found = {f"{SITE}/robots.txt": robots}
    for n in range(1, 200):
        links = "".join(f"<a href=/p{k}>report {k}</a>" for k in (2 * n, 2 * n + 1, n % 13 + 1))
        text = f"<title>page {n}</title>{'paper' if n % 5 == 0 else 'other'} {n * 'x '}{links}"
        found[f"{SITE}/p{n}"] = text
        if n % 7 == 0:
            moved = ((b"Location", f"/moved{n}".encode()),)
            found[f"{SITE}/p{n}"] = Response(f"{SITE}/p{n}", NOW, 302, "HTTP/1.1 302 x", moved)
            found[f"{SITE}/moved{n}"] = text
    return found


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(module, "MIN_STEPS", 1)
    monkeypatch.setattr(module, "MIN_INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(module, "COST_FACTOR", 0.0)


@pytest.fixture
def restored(caplog):
    """Return the number of the step whose checkpoint was restored last; 0 if none was."""
    caplog.set_level(logging.INFO, "lycosa.crawler")

    def last():
        found = [r for r in caplog.records if r.message.startswith("Restored the checkpoint")]
        steps = found[-1].args[0] if found else 0
        caplog.clear()
        return steps

    return last


def crawl(folder, pages, name="wary(house)", goal=None, served=None, policy=None, **options):
    """Crawl up to so many pages; return the steps of this run and the crawl."""
    given = {
        "seeds": (f"{SITE}/p1",),
        "scope": Scope(domains=("a.example",)),
        "max_in_flight": 1,
        **options,
    }
    job = Job(
        client=ClientConfig("test@example.org"),
        budget=Budget(pages=pages),
        pace=Pace(delay=0.0, slowness=0.0),
        **(given | options),
    )
    policy = policy or spider(name)(Setup(None, "papers"))
    fetcher = DictFetcher(web() if served is None else served)
    live = LiveCrawl(job, policy, goal or Says(), SqliteStore.open(folder), fetcher)

    async def run():
        return [(s.n, s.page.url, s.page.error, s.reward, s.score, s.source) async for s in live]

    return asyncio.run(run()), live


def test_a_crawl_goes_on_from_its_checkpoint_as_if_it_had_not_stopped(tmp_path, restored):
    whole, complete = crawl(tmp_path / "whole", 3 * PAGES)
    parts = []
    for k in (1, 2, 3):
        steps, live = crawl(tmp_path / "parts", k * PAGES)
        assert restored() == (k - 1) * PAGES
        parts += steps
    assert parts == whole
    assert sum(step[3] > 0 for step in whole) > 10
    assert live.status().targets == complete.status().targets
    assert live.status().curve == complete.status().curve
    assert str(live.status().estimate) == str(complete.status().estimate)


def test_a_shaken_crawl_goes_on_as_if_it_had_not_stopped(tmp_path, restored, monkeypatch):
    """From a checkpoint, and where there is none by a replay of its pages."""
    still, _ = crawl(tmp_path / "still", 2 * PAGES, "breadth-first")
    options = {"name": "breadth-first", "random_seed": 3}
    whole, _ = crawl(tmp_path / "whole", 2 * PAGES, **options)
    assert [step[1] for step in whole] != [step[1] for step in still]
    first, _ = crawl(tmp_path / "parts", PAGES, **options)
    rest, _ = crawl(tmp_path / "parts", 2 * PAGES, **options)
    assert restored() == PAGES
    assert first + rest == whole
    monkeypatch.setattr(module, "MIN_STEPS", 10**9)
    first, _ = crawl(tmp_path / "replayed", PAGES, **options)
    rest, _ = crawl(tmp_path / "replayed", 2 * PAGES, **options)
    assert restored() == 0
    assert first + rest == whole


def test_only_the_steps_after_the_checkpoint_are_replayed(tmp_path, restored, monkeypatch):
    crawl(tmp_path, PAGES)
    monkeypatch.setattr(module, "MIN_STEPS", 10**9)
    crawl(tmp_path, PAGES + 5)
    assert restored() == PAGES
    steps, live = crawl(tmp_path, PAGES + 6)
    assert restored() == PAGES
    assert [step[0] for step in steps] == [PAGES + 6]
    assert live.status().pages == PAGES + 6


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"goal": Says("other")}, "goal"),
        ({"name": "wary(breadth-first)"}, "spider"),
        ({"random_seed": 1}, "scope or setting"),
        ({"scope": Scope(domains=("a.example",), exclude=("p1.$",))}, "scope or setting"),
    ],
)
def test_a_checkpoint_of_another_crawl_is_not_used(tmp_path, restored, caplog, options, why):
    crawl(tmp_path / "a", PAGES)
    restored()
    steps, live = crawl(tmp_path / "a", PAGES + 10, **options)
    assert f"has another {why}" in caplog.text
    assert restored() == 0
    assert live.status().pages == PAGES + 10
    assert len(steps) == 10


def test_a_checkpoint_of_another_version_is_not_used(tmp_path, restored, caplog, monkeypatch):
    monkeypatch.setattr(module, "version", lambda name: "0.0.1")
    crawl(tmp_path, PAGES)
    monkeypatch.undo()
    restored()
    crawl(tmp_path, PAGES + 1)
    assert "has another version of Lycosa" in caplog.text
    assert restored() == 0


def test_damaged_checkpoints_are_not_used_and_nothing_is_lost(tmp_path, restored):
    whole, _ = crawl(tmp_path / "whole", 2 * PAGES)
    first, _ = crawl(tmp_path / "a", PAGES - 10)
    second, _ = crawl(tmp_path / "a", PAGES)
    older, newer = sorted((tmp_path / "a" / "checkpoints").glob("*.state"))
    newer.write_bytes(newer.read_bytes()[:-1] + b"x")
    restored()
    third, _ = crawl(tmp_path / "a", PAGES + 10)
    assert restored() == int(older.stem)
    for path in (tmp_path / "a" / "checkpoints").iterdir():
        path.write_bytes(b"")
    fourth, _ = crawl(tmp_path / "a", 2 * PAGES)
    assert restored() == 0
    assert first + second + third + fourth == whole


def test_a_policy_that_refuses_the_state_is_replayed(tmp_path, restored, caplog):
    crawl(tmp_path / "a", PAGES)
    restored()
    policy = spider("wary(house)")(Setup(None, "faculty"))
    steps, live = crawl(tmp_path / "a", PAGES + 10, policy=policy)
    assert "is not used: it was saved with another model" in caplog.text
    assert (restored(), live.status().pages, len(steps)) == (0, PAGES + 10, 10)


@pytest.mark.parametrize("options", [{"name": "yield(partial)"}, {"goal": Depth(most=3)}])
def test_a_state_that_cannot_be_saved_is_replayed(tmp_path, restored, options):
    whole, _ = crawl(tmp_path / "whole", PAGES + 10, **options)
    steps, _ = crawl(tmp_path / "a", PAGES, **options)
    assert not (tmp_path / "a" / "checkpoints").exists()
    more, _ = crawl(tmp_path / "a", PAGES + 10, **options)
    assert steps + more == whole
    assert restored() == 0


def test_with_refresh_the_crawl_is_replayed_and_its_next_run_restored(tmp_path, restored):
    crawl(tmp_path, PAGES)
    again, live = crawl(tmp_path, PAGES, refresh=True)
    assert restored() == 0
    assert len(again) > PAGES // 2
    pages = live.status().pages
    more, live = crawl(tmp_path, PAGES + 10)
    assert restored() == pages
    assert len(more) == 10
    assert not {step[1] for step in more} & {step[1] for step in again}


def test_revisits_of_some_pages_need_no_replay(tmp_path, restored):
    crawl(tmp_path, 20)
    urls = frozenset({f"{SITE}/p2", f"{SITE}/p3", f"{SITE}/never-seen"})
    restored()
    steps, _ = crawl(tmp_path, 20, refresh=True, revisits=urls)
    assert restored() == 20
    assert {url for _, url, *_ in steps} == {f"{SITE}/p2", f"{SITE}/p3"}
    assert {reward for _, _, _, reward, *_ in steps} == {0.0}
    crawl(tmp_path, 25)
    assert restored() == 22, "the checkpoint has the revisits, too"


def test_what_robots_txt_refused_is_requested_when_it_allows_it(tmp_path, restored):
    refusing = web("User-agent: *\nDisallow: /p3\n")
    steps, _ = crawl(tmp_path, None, served=refusing, name="breadth-first", robots=True)
    assert not any("/p3" in step[1] for step in steps)
    more, _ = crawl(tmp_path, None, name="breadth-first", robots=False)
    assert any(step[1] == f"{SITE}/p3" for step in more)


def test_new_seeds_are_requested_after_a_checkpoint(tmp_path, restored):
    served = web() | {f"{SITE}/new": "<a href=/newer>x</a>"}
    crawl(tmp_path, PAGES, served=served)
    seeds = (f"{SITE}/new", f"{SITE}/p1")
    steps, _ = crawl(tmp_path, PAGES + 3, served=served, seeds=seeds)
    assert restored() == PAGES
    assert steps[0][1] == f"{SITE}/new"


def test_the_crawl_goes_on_if_a_checkpoint_cannot_be_written(tmp_path, caplog):
    tmp_path.joinpath("checkpoints").write_text("not a folder")
    steps, _ = crawl(tmp_path, PAGES)
    assert len(steps) == PAGES
    assert "A checkpoint cannot be written" in caplog.text


def test_checkpoints_wait_for_steps_and_time_and_cost(tmp_path, monkeypatch):
    clock = {"wall": 0.0, "cpu": 0.0}
    monkeypatch.setattr(module.time, "monotonic", lambda: clock["wall"])
    monkeypatch.setattr(module.time, "process_time", lambda: clock["cpu"])
    _, live = crawl(tmp_path, 10)
    made = live.recorder._checkpointer
    monkeypatch.setattr(module, "MIN_INTERVAL_SECONDS", 10.0)
    monkeypatch.setattr(module, "COST_FACTOR", 50.0)
    made._steps, made._cost = 5, 0.1
    assert made.take_if_due() is None
    clock["wall"] = 11.0
    assert made.take_if_due() is None, "too little was crawled for what the last one cost"
    clock["cpu"] = 5.1
    assert made.take_if_due().steps == 10
    monkeypatch.setattr(module, "MIN_STEPS", 6)
    assert made.take_if_due() is None
    assert made.take_if_due(final=True) is None


def test_no_snapshot_is_taken_while_a_step_is_added_in_a_thread(tmp_path, monkeypatch):
    """A page of many links is added in a thread, and the loop goes on meanwhile."""
    monkeypatch.setattr(recorder, "COMMIT_INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(engine, "MAX_INLINE_LINKS", 0)
    inside, taken = threading.Event(), []
    take = module.Checkpointer.take_if_due

    class Slow(Says):
        def __call__(self, page):
            inside.set()
            time.sleep(0.01)  # the loop gets its turn
            inside.clear()
            return super().__call__(page)

    def watched(self, **options):
        taken.append(inside.is_set())
        return take(self, **options)

    monkeypatch.setattr(module.Checkpointer, "take_if_due", watched)
    steps, _ = crawl(tmp_path, PAGES, goal=Slow(), max_in_flight=8)
    assert len(steps) == PAGES
    assert len(taken) > 5
    assert not any(taken)
