"""Workers that stop for longer than a lease: suspended by a signal, and cut off from PostgreSQL."""

import os
import signal
import time
from urllib.parse import urlsplit

import pytest
from bench.cluster_network import Relay, network_namespace
from bench.cluster_world import WorkerProcesses, create, read, served_world

pytest.importorskip("asyncpg", reason="asyncpg is not installed: pip install lycosa[cluster]")
pytest.importorskip("fsspec", reason="fsspec is not installed: pip install lycosa[cluster]")

LEASE_SECONDS, DELAY_SECONDS = 2.0, 0.3
STEPS = "SELECT shard, n, url FROM steps"
OWNERS = "SELECT count(DISTINCT owner) FROM leases"
OWNED = "SELECT 1 FROM leases WHERE owner LIKE $1"


@pytest.fixture
def served():
    with served_world(hosts=4, pages=100) as found:
        yield found


@pytest.fixture(scope="module")
def processes():
    with WorkerProcesses() as found:
        yield found


@pytest.fixture(scope="module")
def namespace():
    try:
        with network_namespace() as found:
            yield found
    except OSError as error:
        pytest.skip(f"network namespaces cannot be made here: {error}")


def make_orders(served, tmp_path, **options):
    return served.orders(
        archive=str(tmp_path / "archive"), lease=LEASE_SECONDS, delay=DELAY_SECONDS, **options
    )


def wait_for(condition):
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def check_crawl(url, served, counted, pages):
    """No step is lost or there twice, and the server saw no request too early."""
    steps = set(read(url, STEPS))
    assert counted <= steps
    assert len(steps) == len({step[2] for step in steps}) == pages
    gaps = [gap for found in served.log.intervals().values() for gap in found]
    assert min(gaps) > DELAY_SECONDS - 0.02


def test_a_suspended_worker_sends_nothing_when_it_wakes(served, database, processes, tmp_path):
    """It is suspended when the engine has let a request go that is not written yet."""
    orders = make_orders(served, tmp_path, pages=50)
    create(database, orders, shards=1)
    first = processes.start(database, orders)
    wait_for(lambda: len(read(database, STEPS)) >= 4)
    os.kill(first, signal.SIGRTMIN)
    processes.wait_until_suspended(first)
    counted = set(read(database, STEPS))
    second = processes.start(database, orders)
    wait_for(lambda: len(read(database, STEPS)) >= len(counted) + 8)
    os.kill(first, signal.SIGCONT)
    assert [processes.wait(worker) for worker in (first, second)] == [0, 0]
    check_crawl(database, served, counted, 50)


def test_a_worker_without_a_link_to_postgresql_loses_its_shards(
    served, database, processes, namespace, tmp_path
):
    orders = make_orders(served, tmp_path, pages=90)
    create(database, orders, shards=4)
    parts, proxy = urlsplit(database), urlsplit(served.proxy)
    to_database = Relay("127.0.0.1", parts.port, namespace.database_host)
    to_web = Relay("127.0.0.1", proxy.port, namespace.web_host)
    user = parts.netloc.rpartition("@")[0]
    there = f"{user}@{namespace.database_host}:{to_database.port}"
    apart = {**orders, "proxy": f"http://{namespace.web_host}:{to_web.port}"}
    with WorkerProcesses(*namespace.prefix) as inside:
        first = inside.start(parts._replace(netloc=there).geturl(), apart)
        second = processes.start(database, orders)
        wait_for(lambda: read(database, OWNERS) == [(2,)] and len(read(database, STEPS)) >= 6)
        counted = set(read(database, STEPS))
        namespace.cut()
        wait_for(lambda: not read(database, OWNED, f"%-{first}-%"))
        namespace.join()
        assert inside.wait(first) == processes.wait(second) == 0
    check_crawl(database, served, counted, 90)
    to_database.close()
    to_web.close()
