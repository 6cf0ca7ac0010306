"""Whole crawls of the fault server: they end, and each fault has its name."""

import asyncio
from contextlib import ExitStack
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from crawler.http.hostile import (
    EXPECTED,
    FakeNames,
    Hostile,
    LimitsByPath,
    closed_port,
    deaf_port,
)
from crawler.live.small import Says
from lycosa import Budget, Scope
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.spiders import BreadthFirst

HERE = AddressPolicy(allow_loopback=True)
PACE = Pace(
    delay=0.0,
    slowness=0.0,
    per_host=8,
    per_address=8,
    retries=1,
    back_off=0.01,
    max_back_off=0.05,
    max_retry_after=0.05,
    failures=10_000,
)
# Crawls without a budget need a scope that ends the endless paths.
FINITE = Scope(exclude=(r"/page/[3-9]", r"/page/\d\d", r"/calendar/2027"))
LEFT_OUT = ("/hop/0", "/hop/3", "/surplus/later")
NAMES = {"a.example": [["127.0.0.1"]], "b.example": [["127.0.0.1"]]}


def visit(folder, seeds, *, said="plain", names=NAMES, **options):
    """Crawl the fault server, with a time limit."""

    async def run():
        async with Hostile(robots=said) as server:
            places = tuple(s if "://" in s else server.url(s, "a.example") for s in seeds(server))
            given = {"scope": FINITE, "pace": PACE, "addresses": HERE, **options}
            job = Job(places, ClientConfig("test@example.org"), **given)
            store = SqliteStore.open(folder)
            silent = ("/robots.txt",) if said == "silent" else ()
            fetcher = LimitsByPath(
                job.addresses, silent, per_host=job.pace.per_host, lookup=FakeNames(names)
            )
            live = LiveCrawl(job, BreadthFirst(), Says(), store, fetcher)
            async with asyncio.timeout(150):
                steps = [step async for step in live]
        return live, steps, server

    return asyncio.run(run())


def journal(folder):
    """Return the status or fault in the step log, by path."""
    with SqliteStore.open(folder) as store:
        found = [row for row, _ in store.replay()]
    assert len(found) == len({row.url for row in found})
    return {urlsplit(row.url).path: row.fault or row.status for row in found}


def test_every_fault_is_logged_and_every_other_page_is_fetched(tmp_path):
    # Late bytes may be taken for the response to any other request: see below.
    scope = replace(FINITE, exclude=(*FINITE.exclude, "/surplus/later"))
    live, steps, _ = visit(tmp_path, lambda server: ["/page/1"], scope=scope)
    found = journal(tmp_path)
    assert live.reason == "frontier empty"
    assert len(found) == len(steps)
    expected = {
        **EXPECTED,
        "/page/2": 200,
        "/calendar/2026/12": 200,
        "/loop": "redirect-loop",
        "/away": "private-address",
    }
    # Two chains of redirects end at one page; the first gets it.
    assert (found.pop("/hop/3"), found.pop("/hop/0", 200)) in ((200, 200), ("known-page", 200))
    assert found == {path: said for path, said in expected.items() if path not in LEFT_OUT}
    errors = {urlsplit(step.page.url).path: step.page.error for step in steps}
    assert {path: said for path, said in errors.items() if said} == {
        path: said for path, said in found.items() if isinstance(said, str)
    } | ({"/hop/3": "known-page"} if errors.get("/hop/3") else {})
    assert live.status().faults == sum(said not in (None, "known-page") for said in errors.values())


def test_late_bytes_spoil_at_most_one_more_response(tmp_path):
    seeds = ["/surplus/later", *(path for path in EXPECTED if path.startswith("/good/"))]
    live, _, _ = visit(tmp_path, lambda server: seeds, pace=replace(PACE, per_host=1))
    found = journal(tmp_path)
    assert live.reason == "frontier empty"
    assert list(found) == seeds
    assert found["/surplus/later"] == 200
    assert sorted(map(str, found.values()))[:-1] == ["200"] * (len(seeds) - 1)


def test_a_failing_host_is_quarantined_and_the_other_is_crawled(tmp_path):
    bad = [path for path, said in EXPECTED.items() if said == "reset" or "time" in str(said)]
    live, steps, _ = visit(
        tmp_path,
        lambda server: [*bad, *(server.url(f"/good/{k}", "b.example") for k in ("gzip", "br"))],
        pace=replace(PACE, per_host=1, failures=4),
    )
    found = journal(tmp_path)
    assert (found["/good/gzip"], found["/good/br"]) == (200, 200)
    assert live.progress.skipped["host-quarantine"] == len(bad) - (len(steps) - 2) > 0
    assert live.reason == "frontier empty"
    assert live.status().requests == 4 + 2 + 2, "failures, good pages, and two robots.txt"


@pytest.mark.parametrize(
    ("robots", "allowed"),
    [
        ("plain", True),
        ("redirect", True),
        ("loop", True),
        ("large", True),
        ("binary", True),
        ("missing", True),
        ("silent", False),
        ("error", False),
    ],
)
def test_a_crawl_ends_with_every_kind_of_robots_txt(tmp_path, robots, allowed):
    seeds = ["/good/gzip", "/private/x"]
    live, steps, server = visit(tmp_path, lambda server: seeds, said=robots)
    asked = [path for path in server.seen if path in seeds]
    assert live.reason == "frontier empty"
    if not allowed:
        assert (steps, asked) == ([], [])
        assert live.progress.skipped == {"robots-unreachable": 2}
        assert server.seen.count("/robots.txt") == 1 + PACE.retries
    elif robots in ("plain", "large"):
        assert asked == seeds[:1]
        assert live.progress.skipped == {"robots": 1}
    else:
        assert sorted(asked) == seeds
    with SqliteStore.open(tmp_path) as store:
        note = store.get(f"robots:a.example:{server.port}")
    assert note["fault"] == ("timeout-read" if robots == "silent" else None)
    assert len(note["body"]) <= 1 << 20


def test_a_budget_ends_an_endless_site(tmp_path):
    live, steps, _ = visit(
        tmp_path / "pages",
        lambda server: ["/calendar/2026/1"],
        scope=None,
        budget=Budget(pages=30),
    )
    assert (len(steps), live.reason) == (30, "budget: pages")
    live, steps, _ = visit(
        tmp_path / "host",
        lambda server: ["/calendar/2026/1"],
        scope=None,
        pace=replace(PACE, pages=15),
    )
    assert (len(steps), live.reason) == (15, "frontier empty")
    live, steps, server = visit(tmp_path / "hops", lambda server: ["/hop/99"])
    assert [step.page.error for step in steps] == ["too-many-redirects"]
    assert len(server.seen) == 1 + 11


@pytest.mark.parametrize("obey", [True, False])
def test_private_addresses_are_never_connected_to(tmp_path, obey):
    names = {
        "loopback.example": [["127.0.0.1"]],
        "private.example": [["10.1.2.3"]],
        "mapped.example": [["::ffff:127.0.0.1"]],
        "metadata.example": [["169.254.169.254"]],
    }

    def seeds(server):
        literal = [server.url("/page/1"), server.url("/page/1", "[::1]")]
        return literal + [server.url("/page/1", name) for name in names]

    live, steps, server = visit(
        tmp_path, seeds, names=names, addresses=AddressPolicy(), scope=None, robots=obey
    )
    assert server.connections == 0
    assert live.reason == "frontier empty"
    if obey:
        assert steps == []
        assert live.progress.skipped == {"robots-unreachable": 6}
        with SqliteStore.open(tmp_path) as store:
            for name in names:
                note = store.get(f"robots:{name}:{server.port}")
                assert note["fault"] == "private-address"
    else:
        assert [step.page.error for step in steps] == ["private-address"] * 6


def test_unreachable_hosts(tmp_path):
    with ExitStack() as stack:
        deaf, closed = stack.enter_context(deaf_port()), closed_port()
        seeds = (
            f"http://127.0.0.1:{deaf}/",
            f"http://127.0.0.1:{closed}/",
            "http://nowhere.example/",
        )
        limits = Limits(connect=1.0, read=20, total=30)
        job = Job(seeds, ClientConfig("t@example.org"), pace=PACE, limits=limits, addresses=HERE)
        for obey in (False, True):
            live = LiveCrawl(
                replace(job, robots=obey),
                BreadthFirst(),
                Says(),
                SqliteStore.open(tmp_path / str(obey)),
                fetcher=replace(job, robots=obey).http_fetcher(FakeNames({})),
            )

            async def run(live=live):
                async with asyncio.timeout(100):
                    return [step async for step in live]

            errors = {step.page.url: step.page.error for step in asyncio.run(run())}
            if obey:
                assert errors == {}
                assert live.progress.skipped == {"robots-unreachable": 3}
            else:
                faults = ("timeout-connect", "refused", "dns")
                assert errors == dict(zip(seeds, faults, strict=True))
