"""Any number of workers finds the pages of one machine on a web of many hosts."""

import pytest
from bench.cluster_scaling import HostWeb, find_alone, find_by_workers
from bench.cluster_world import WorkerProcesses, read

pytest.importorskip("asyncpg", reason="asyncpg is not installed: pip install lycosa[cluster]")
pytest.importorskip("fsspec", reason="fsspec is not installed: pip install lycosa[cluster]")


@pytest.fixture(scope="module")
def crawl():
    """What a worker needs to know of a crawl, and what one machine finds."""
    it = HostWeb(hosts=24, pages=10)
    with it.serve() as (proxy, _):
        orders = it.orders(proxy, 2, lease=10.0)
        yield orders, find_alone(orders)


@pytest.fixture(scope="module")
def processes():
    with WorkerProcesses() as found:
        yield found


@pytest.mark.parametrize("workers", [1, 4])
def test_workers_find_the_same_urls_and_targets(crawl, database, processes, tmp_path, workers):
    orders, alone = crawl
    orders = {**orders, "archive": str(tmp_path / "archive")}
    assert find_by_workers(orders, database, processes, workers, shards=32) == alone
    assert min(map(len, alone)) > 10
    # Shards that no host belongs to were never opened.
    opened = read(database, "SELECT commits > 0, shard IN (SELECT shard FROM hosts) FROM shards")
    assert {pair for pair in opened if pair[0] != pair[1]} <= {(False, True)}
    assert (False, False) in opened
