"""Shards whose hosts are in back-off: others have their slice of the budget meanwhile."""

import asyncio
from dataclasses import replace
from itertools import count

import pytest
from aiohttp import web
from bench.cluster_world import create, make_plan, read, serve

from lycosa.cluster.budget import Draw, draw, give_back, set_budget
from lycosa.cluster.database import Database
from lycosa.cluster.leases import read_leases, take_leases
from lycosa.cluster.schema import create_tables
from lycosa.cluster.worker import Worker
from lycosa.core import Budget

pytest.importorskip("asyncpg", reason="asyncpg is not installed: pip install lycosa[cluster]")
pytest.importorskip("fsspec", reason="fsspec is not installed: pip install lycosa[cluster]")

GOOD, BAD = "http://good.example/", "http://bad.example/"
PAGES = 40


def make_site(retry_after, times):
    """Return an application: all pages link to two more, and some requests to one host fail."""
    failures = count(1)

    async def answer(request):
        if request.path == "/robots.txt":
            return web.Response(status=404)
        if request.url.host == "bad.example" and next(failures) <= times:
            return web.Response(status=503, headers={"Retry-After": str(retry_after)})
        number = int(request.path.strip("/") or 0)
        links = [f"<a href='/{2 * number + k}'>{k}</a>" for k in (1, 2)] if number < 500 else []
        return web.Response(text="".join(links), content_type="text/html")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    return app


def crawl(database, proxy, archive, seeds, seconds, **options):
    """Crawl with one worker and four shards; return why it ended."""
    orders = {"seeds": seeds, "targets": [], "proxy": proxy, "archive": str(archive), **options}
    create(database, orders, shards=4)
    plan = make_plan(orders)
    pace = replace(plan.job.pace, delay=0.02, retries=9)
    plan = replace(plan, job=replace(plan.job, pace=pace))

    async def run(connections):
        worker = Worker(connections, plan, lease_seconds=4.0)
        asyncio.get_running_loop().call_later(seconds, worker.stop, "too late")
        return await worker.run()

    with Database(database) as connections:
        return asyncio.run(run(connections))


def test_others_spend_the_budget_while_a_host_is_in_back_off(database, tmp_path):
    with serve(make_site(retry_after=600, times=1000)) as (proxy, _):
        seeds = [BAD, *(f"{BAD}{n}" for n in range(600, 620)), GOOD]
        reason = crawl(database, proxy, tmp_path, seeds, 30.0, pages=PAGES)
    assert reason == "budget: pages"
    assert read(database, "SELECT count(*) FROM steps WHERE url LIKE $1", f"{GOOD}%") == [(PAGES,)]


def test_a_shard_draws_again_when_its_back_off_is_over(database, tmp_path):
    """Its only URL waits for a retry, so its frontier is empty."""
    with serve(make_site(retry_after=4, times=1)) as (proxy, log):
        seeds = [f"{BAD}600", f"{GOOD}600"]
        reason = crawl(database, proxy, tmp_path, seeds, 60.0, pages=PAGES)
        asked = [
            moment for moment, host, path in log.lines if (host, path) == ("bad.example", "/600")
        ]
    assert reason == "frontier empty"
    assert sorted(read(database, "SELECT url, status FROM steps")) == [
        (f"{BAD}600", 200),
        (f"{GOOD}600", 200),
    ]
    assert 4.0 < asked[1] - asked[0] < 10.0


def test_a_shard_that_returned_its_slice_holds_nobody_up(database):
    async def begin(connection):
        await create_tables(connection, shards=2, project="p")
        await set_budget(connection, Budget(pages=100))
        await take_leases(connection, "a", await read_leases(connection))
        await connection.execute("UPDATE shards SET waiting = 10, idle = false")

    with Database(database) as connections:
        connections.run(begin)
        assert connections.run(lambda c: draw(c, [Draw(0, 1, 0.9)])) == {0: 12}
        assert connections.run(lambda c: draw(c, [Draw(1, 1, 0.1)])) == {1: 0}
        for _ in range(2):  # as when the first answer was lost
            assert connections.run(lambda c: give_back(c, 0, 1, requested=3)) == 3
        assert connections.run(lambda c: draw(c, [Draw(1, 1, 0.1)])) == {1: 12}
        assert connections.run(lambda c: c.fetchval("SELECT granted FROM crawl")) == 15
