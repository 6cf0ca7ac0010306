"""A host with pages that are slow to parse does not stop the crawl of other hosts."""

import asyncio
import time
from dataclasses import replace
from functools import partial

from crawler.http.hostile import answer
from crawler.live.small import RUSH, crawl, links, outcomes, paths, rows, walk, within
from lycosa.crawler.live import engine
from lycosa.crawler.live.page_parser import PageParser
from lycosa.crawler.storage.sqlite import SqliteStore

FRIENDS = 3
PAGES = 15
SLOW = b"".join(b"<a href=http://else.test/x%d>y</a>" % n for n in range(60_000))
"""Takes the worker about a second, and longer to start."""
MANY = replace(RUSH, per_address=100)  # all hosts have the address of this machine
SLOW_PLACES = ("bad.example/", "bad.example/2", "bad.example/3")


def friendly() -> dict[str, object]:
    """Return hosts whose pages lead from one to the next."""
    return {
        f"f{host}.example/{n or ''}": links(f"/{n + 1}") if n < PAGES else "<p>paper</p>"
        for host in range(FRIENDS)
        for n in range(PAGES + 1)
    }


def hostile() -> dict[str, object]:
    first, *others = SLOW_PLACES
    onward = links(*(place.removeprefix("bad.example") for place in others)).encode()
    return {first: answer(body=onward + SLOW)} | {place: answer(body=SLOW) for place in others}


def test_other_hosts_are_crawled_while_a_slow_page_is_parsed(tmp_path):
    async def scenario(web):
        seeds = [f"f{host}.example/" for host in range(FRIENDS)]
        live = crawl(web, "bad.example/", *seeds, folder=tmp_path, pace=MANY)
        task = asyncio.create_task(walk(live))
        longest = 0.0
        while not task.done():
            before = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - before)
        return longest, paths(web, task.result()), outcomes(web, task.result())

    longest, places, found = within(240, {**friendly(), **hostile()}, scenario)
    assert longest < 5  # expected is 0.1 on a quiet machine
    assert set(found.values()) == {200}
    assert len(found) == len(SLOW_PLACES) + FRIENDS * (PAGES + 1)
    # The slow page was requested first.
    assert places.index("bad.example/") > FRIENDS * 5
    assert [_place(row.url) for row in rows(tmp_path)] == places


def _place(url: str) -> str:
    host, _, path = url.removeprefix("http://").partition("/")
    return f"{host.partition(':')[0]}/{path}"


def test_a_page_that_takes_too_long_has_a_fault_and_is_not_parsed_again(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "PageParser", partial(PageParser, seconds=0.05))

    async def scenario(web):
        found = outcomes(web, await walk(crawl(web, "f0.example/", folder=tmp_path)))
        web.seen.clear()
        again = crawl(web, "f0.example/", folder=tmp_path)
        return found, await walk(again), again, web.places

    # Not a seed, because a seed that failed is requested again.
    start = {"f0.example/": links("/1", "http://bad.example:PORT/")}
    answers = {**friendly(), **hostile(), **start}
    found, steps, again, requested = within(240, answers, scenario)
    assert found.pop("bad.example/") == "parse-timeout"
    assert set(found.values()) == {200}
    assert (steps, requested) == ([], [])
    assert dict(again.status().fault_names) == {"parse-timeout": 1}
    assert again.crawl.pages == len(found) + 1
    assert again._parser._worker.pid is None, "it was not parsed"
    with SqliteStore.open(tmp_path) as store:
        [row] = [row for row, _ in store.replay() if row.fault is not None]
        assert row.fault == "parse-timeout"
