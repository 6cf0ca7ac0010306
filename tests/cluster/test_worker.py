"""Workers on a generated web: the same pages as one machine finds, also when workers are killed."""

import os
import random
import signal
import time

import pytest
from bench.cluster_world import WorkerProcesses, crawl_alone, create, read, served_world, work

pytest.importorskip("asyncpg", reason="asyncpg is not installed: pip install lycosa[cluster]")
pytest.importorskip("fsspec", reason="fsspec is not installed: pip install lycosa[cluster]")

STEPS = "SELECT shard, n, url, final, reward, fault FROM steps ORDER BY shard, n"


@pytest.fixture(scope="module")
def served():
    with served_world(hosts=4, pages=100) as found:
        yield found


@pytest.fixture(scope="module")
def alone(served):
    """The pages and the targets that one machine finds."""
    steps = crawl_alone(served.orders())
    found = {step.page.url for step in steps if step.page.error != "known-page"}
    return found, {step.page.url for step in steps if step.reward > 0}


def found_by_cluster(url):
    rows = read(url, STEPS)
    pages = {final for *_, final, _, fault in rows if fault != "known-page"}
    return pages, {final for *_, final, reward, _ in rows if reward > 0}


def check_steps(url):
    """No step is there twice or missing, and no URL was requested by two steps."""
    rows = read(url, STEPS)
    numbers = {}
    for shard, n, *_ in rows:
        numbers.setdefault(shard, []).append(n)
    for found in numbers.values():
        assert found == list(range(1, len(found) + 1))
    urls = [requested for _, _, requested, *_ in rows]
    assert len(urls) == len(set(urls))


@pytest.fixture(scope="module")
def processes():
    with WorkerProcesses() as found:
        yield found


def test_workers_find_what_one_machine_finds(served, alone, database, processes, tmp_path):
    orders = served.orders(archive=str(tmp_path / "archive"), lease=10.0, spider="wary(house)")
    create(database, orders, shards=4)
    other = processes.start(database, orders)
    assert work(database, orders) == "frontier empty"
    assert processes.wait(other) == 0
    assert found_by_cluster(database) == alone
    check_steps(database)
    # On the way the shards have learned from each other.
    ((sent,),) = read(database, "SELECT count(*) FROM examples")
    ((described,),) = read(database, "SELECT count(*) FROM links WHERE length(features) > 20")
    assert min(sent, described) > 0


def crawl_with_kills(served, database, processes, orders, kills, seconds):
    """Kill workers at random moments, and let another one finish the crawl."""
    chance = random.Random(7)
    create(database, orders, shards=4)
    for _ in range(kills):
        seen, counted = len(served.log.lines), read(database, STEPS)
        process = processes.start(database, orders)
        while len(served.log.lines) == seen:
            time.sleep(0.01)
        time.sleep(chance.random() * seconds)
        os.kill(process, signal.SIGKILL)
        processes.wait(process)
        assert set(counted) <= set(read(database, STEPS))
    reason = work(database, orders)
    check_steps(database)
    return reason


def test_killed_workers_lose_nothing_that_was_counted(served, alone, database, processes, tmp_path):
    orders = served.orders(archive=str(tmp_path / "archive"), lease=2.0)
    orders["volume_bytes"] = 100_000
    assert crawl_with_kills(served, database, processes, orders, 1, 1.0) == "frontier empty"
    assert found_by_cluster(database) == alone


def test_delays_hold_when_workers_are_killed(served, database, processes, tmp_path):
    orders = served.orders(archive=str(tmp_path / "archive"), lease=1.0, delay=0.3, pages=12)
    served.log.lines.clear()
    assert crawl_with_kills(served, database, processes, orders, 2, 0.5) == "budget: pages"
    assert len(read(database, STEPS)) == 12
    assert min(gap for gaps in served.log.intervals().values() for gap in gaps) > 0.28


def test_a_new_owner_replays_what_its_shards_have_learned(served, database, processes, tmp_path):
    archive = str(tmp_path / "archive")
    orders = served.orders(archive=archive, lease=1.0, delay=0.1, pages=200, spider="wary(house)")
    create(database, orders, shards=4)
    process = processes.start(database, orders)
    while not read(database, "SELECT 1 FROM events WHERE kind = 'examples'"):
        time.sleep(0.05)
    os.kill(process, signal.SIGKILL)
    processes.wait(process)
    assert work(database, orders) == "budget: pages"
    check_steps(database)
