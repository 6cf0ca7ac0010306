"""Hostile pages: the time to parse a megabyte of each construct, and the pauses of a crawl.

`python -m bench.crawl_hostile small` tries everything on little and writes nothing.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Mapping
from itertools import pairwise

from aiohttp import web

from bench.hostile_pages import constructs
from bench.page import table, write
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.goals.query import Query
from lycosa.project.crawling import make_policy
from lycosa.web.reader import Reader
from lycosa.web.urls import Scope

SIZES = (250_000, 1_000_000)
SMALL_SIZES = (4_000, 16_000)
SHOWN = 10
COMPARED = 200
"""The slowest constructs that are parsed both ways."""
HOSTS = 8
GOAL = "text:robot"
URL = "http://a.example/"


def main(sizes: tuple[int, int], *, keep: bool) -> None:
    """Measure everything and write the page."""
    body = f"{_parsing(sizes)}\n\n{asyncio.run(_pauses(sizes[1]))}"
    if keep:
        write("crawl-hostile", "Hostile pages", body, "bench-crawl")
    else:
        print(body)


def _whole(html: str) -> float:
    """Return the CPU time of parsing a page with all its words."""
    started = time.process_time()
    Reader().page(URL, html.encode())
    return time.process_time() - started


def _lazy(html: str) -> float:
    """Return the CPU time of looking for the links only."""
    started = time.process_time()
    Reader().lazy_page(URL, html.encode(), on_content=int)
    return time.process_time() - started


def _parsing(sizes: tuple[int, int]) -> str:
    made = constructs()
    small, large = sizes
    times = {name: _whole(make(large)) for name, make in made.items()}
    by_time = sorted(made, key=lambda name: times[name], reverse=True)
    # The other way to parse, and how the time grows, matter where it is long.
    times |= {name: max(times[name], _lazy(made[name](large))) for name in by_time[:COMPARED]}
    slowest = sorted(by_time[:COMPARED], key=lambda name: times[name], reverse=True)[:SHOWN]
    rows = [
        (f"`{name}`", f"{_whole(made[name](small)):.2f}", f"{times[name]:.2f}") for name in slowest
    ]
    return (
        f"CPU seconds to parse a page that is one construct, the slowest {SHOWN} of "
        f"{len(made):,}:\n\n"
        + table(("construct", f"{small:,} characters", f"{large:,} characters"), rows)
    )


def _pages(size: int) -> dict[str, str]:
    """Return the pages of the hostile host: the constructs that are slowest to handle."""
    every = constructs()
    names = (
        "distinct links",
        "<a> repeated",
        "<td><p> repeated",
        "distinct words",
        "distinct attributes",
        "a refresh with blanks",
        "parts of no ruby, repeated",
        "<link> in a script",
    )
    return {f"/{n}": every[name](size) for n, name in enumerate(names)}


async def _pauses(size: int) -> str:
    """Crawl friendly hosts and a hostile one; return the longest pauses, as a table."""
    hostile = _pages(size)
    seen: list[tuple[float, str]] = []

    async def answer(request: web.Request) -> web.Response:
        seen.append((time.monotonic(), request.host))
        host = request.host.partition(":")[0]
        if request.path == "/robots.txt":
            return web.Response(status=404)
        if host == "hostile.example":
            links = "".join(f"<a href={path}>page</a>" for path in hostile)
            text = links if request.path == "/" else hostile.get(request.path, "")
        else:
            n = int(request.path.strip("/") or 0)
            text = f"<p>Page {n}. <a href=/{n + 1}>next</a>"
        return web.Response(text=text, content_type="text/html")

    server = web.Server(answer)
    runner = web.ServerRunner(server)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    hosts = ["hostile.example", *(f"h{n}.example" for n in range(HOSTS))]
    job = Job(
        tuple(f"http://{host}:{port}/" for host in hosts),
        ClientConfig("bench@example.org"),
        Scope(domains=("example",)),
        pace=Pace(delay=0.05, slowness=0.0, per_address=100),
        addresses=AddressPolicy(allow_loopback=True),
    )

    async def lookup(_: str) -> list[str]:
        return ["127.0.0.1"]

    live = LiveCrawl(job, make_policy("house", GOAL), Query(GOAL), fetcher=job.http_fetcher(lookup))
    turns: list[float] = []
    beat = asyncio.create_task(_beat(turns))
    faults: Mapping[str, int] = {}
    left = {f"http://hostile.example:{port}{path}" for path in hostile}
    async for step in live:
        left.discard(step.page.url)
        faults = live.status().fault_names
        if not left:
            live.stop()
    beat.cancel()
    await runner.cleanup()
    friendly = [when for when, host in seen if not host.startswith("hostile")]
    rows = [
        ("turns of the loop", f"{_longest(turns):.2f}"),
        (f"requests at the {HOSTS} other hosts", f"{_longest(friendly):.2f}"),
    ]
    return (
        f"A crawl with the default spider of {HOSTS} hosts, and one whose {len(hostile)} pages "
        f"are such constructs of {size:,} characters; {len(friendly):,} requests at the others, "
        f"{sum(faults.values())} faults. Longest seconds between two\n\n"
        + table(("of", "seconds"), rows)
    )


async def _beat(turns: list[float]) -> None:
    while True:
        turns.append(time.monotonic())
        await asyncio.sleep(0.005)


def _longest(times: list[float]) -> float:
    return max((later - earlier for earlier, later in pairwise(times)), default=0.0)


if __name__ == "__main__":
    small = "small" in sys.argv[1:]
    main(SMALL_SIZES if small else SIZES, keep=not small)
