"""Resuming a crawl from checkpoints: its time and memory, and what the checkpoints cost.

A generated site is served from memory to a live crawl with the default spider and a
store on disk. After `pages` pages the folder is copied, as a kill would leave it,
and the crawl goes on for 2,000 requests more, then stops. Both folders are resumed
in processes of their own: the first must make the same 1,000 requests as the crawl that
went on.

`python -m bench.crawl_resume 20000` tries it with fewer pages and writes nothing.
"""

from __future__ import annotations

import asyncio
import gc
import json
import shutil
import sys
import tempfile
import time
from datetime import UTC, datetime
from typing import Any

import psutil

from bench.measure import run
from bench.page import table, write
from lycosa.core import Budget, Page
from lycosa.crawler.http.fetcher import Accept, ClientConfig, Fetcher
from lycosa.crawler.http.response import Response
from lycosa.crawler.live import checkpointer
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.goals import Function
from lycosa.project.sections import DEFAULT_SPIDER
from lycosa.spiders import Setup, spider
from lycosa.web.urls import Scope

PAGES = 1_000_000
COMPARED = 1_000
"""Requests after the copy that both crawls must make alike."""
COST_PAGES = 60_000
"""Pages of the two crawls, with and without checkpoints, whose CPU time is compared."""
BASE = "http://a.example"
_HTML = ((b"Content-Type", b"text/html; charset=utf-8"),)
_TOPICS = "robots vision language networks theory graphics systems learning".split()


class GeneratedFetcher(Fetcher):
    """Serves a tree of pages with links across; one page in nine is a report, the targets.

    `pages` is the number of URLs of the site.
    """

    def __init__(self, pages: int) -> None:
        self._pages = pages

    async def fetch(
        self,
        url: str,
        *,
        accept: Accept | None = None,
        etag: str | None = None,
        modified: str | None = None,
    ) -> Response:
        """Return the page of a URL."""
        await asyncio.sleep(0)
        number = 0 if url == f"{BASE}/" else int(url.rpartition("-")[2].partition(".")[0])
        body = self._body(number).encode()
        return Response(url, datetime.now(UTC), 200, "HTTP/1.1 200 OK", _HTML, body)

    def _body(self, number: int) -> str:
        children = range(4 * number + 1, 4 * number + 5)
        across = ((number * k + 7 * k) % self._pages for k in (3, 11, 23, 101))
        links = [n for n in (*children, *across, number // 4) if n < self._pages]
        items = [f"<li><a href={path(n)}>{name(n)}</a> of 20{n % 89 + 10}" for n in links]
        text = " ".join(_TOPICS[(number * k) % 8] for k in range(1, 30))
        return (
            f"<title>{name(number)}</title><h1>{text[:40]}</h1><p>{text}<ul>{''.join(items)}</ul>"
        )


def is_report(number: int) -> bool:
    """Return whether a page is a target."""
    return number % 9 == 4


def name(number: int) -> str:
    """Return the title of a page."""
    topic = _TOPICS[number % 8]
    return (
        f"Technical report {number} on {topic}" if is_report(number) else f"{topic} group {number}"
    )


def path(number: int) -> str:
    """Return the path of a page."""
    kind = "reports" if is_report(number) else "groups"
    return f"/{_TOPICS[number % 8]}/{kind}/{number // 500}/page-{number}.html"


def rewarded(page: Page) -> bool:
    """The goal: reports."""
    return "/reports/" in page.url


def live_crawl(folder: str, site: int, pages: int) -> LiveCrawl:
    """Return the crawl of the generated site in a folder."""
    job = Job(
        (f"{BASE}/",),
        ClientConfig("bench@example.org"),
        Scope(prefixes=(f"{BASE}/",)),
        Budget(pages=pages),
        pace=Pace(delay=0.0, slowness=0.0),
        robots=False,
        max_in_flight=1,
    )
    policy = spider(DEFAULT_SPIDER)(Setup(None, "reports"))
    store = SqliteStore.open(folder, level=1)
    return LiveCrawl(job, policy, Function("reports", rewarded), store, GeneratedFetcher(site))


class _Watch:
    """Notes how long each snapshot stops the loop."""

    def __init__(self) -> None:
        self.stops: list[float] = []
        self.costs: list[float] = []
        take, write_one = (
            checkpointer.Checkpointer.take_if_due,
            checkpointer.Checkpointer._write_in_thread,
        )

        def timed(this: Any, **options: Any) -> Any:
            started = time.perf_counter()
            found = take(this, **options)
            if found is not None:
                self.stops.append(time.perf_counter() - started)
            return found

        def costed(this: Any, snapshot: Any) -> float:
            cost = write_one(this, snapshot)
            self.costs.append(cost)
            return cost

        checkpointer.Checkpointer.take_if_due = timed  # type: ignore[method-assign]
        checkpointer.Checkpointer._write_in_thread = costed  # type: ignore[method-assign]


def crawl(folder: str, pages: int, image: str = "", checkpoints: bool = True) -> dict[str, Any]:
    """Crawl so many pages; with an `image`, copy the folder there and go on."""
    if not checkpoints:
        checkpointer.MIN_STEPS = sys.maxsize
    watch = _Watch()
    found: dict[str, Any] = {}

    async def steps() -> None:
        live = live_crawl(folder, pages * 5 // 4, pages + (2 * COMPARED if image else 0))
        async for step in live:
            if step.n == pages:
                found["cpu"] = time.process_time()
                if image:
                    await live.recorder.commit()
                    found["copied"] = live.crawl.pages
                    await asyncio.to_thread(shutil.copytree, folder, image)
        found.update(known=len(live.page_reader.urls), resident=_resident())

    asyncio.run(steps())
    return found | {"stops": watch.stops, "costs": watch.costs}


def resume(folder: str, site: int, pages: int) -> dict[str, Any]:
    """Resume a crawl up to so many pages; say when the first step came, and what was requested."""
    found: dict[str, Any] = {"urls": []}

    async def steps() -> None:
        started = time.perf_counter()
        live = live_crawl(folder, site, pages)
        async for step in live:
            if "seconds" not in found:
                found["seconds"] = time.perf_counter() - started
            found["urls"].append(step.page.url)
        found.setdefault("seconds", time.perf_counter() - started)
        found.update(resident=_resident(), pages=live.crawl.pages)

    asyncio.run(steps())
    return found


def logged(folder: str, first: int, last: int) -> list[str]:
    """Return the URLs of some steps in the step log."""
    with SqliteStore.open(folder) as store:
        return [step.url for step, _ in store.replay(first - 1) if step.n <= last]


def _resident() -> int:
    gc.collect()
    return int(psutil.Process().memory_info().rss)


JOBS = {job.__name__: job for job in (crawl, resume)}


def _job(job: str, **arguments: Any) -> dict[str, Any]:
    return run("bench.crawl_resume", job, json.dumps(arguments)).result


def measure(pages: int, cost_pages: int) -> str:
    """Run everything; return the text of the section."""
    with tempfile.TemporaryDirectory() as place:
        folder, image, site = f"{place}/crawl", f"{place}/image", pages * 5 // 4
        whole = _job("crawl", folder=folder, pages=pages, image=image)
        print({k: v for k, v in whole.items() if k not in ("stops", "costs")}, flush=True)
        copied, last = whole["copied"], pages + 2 * COMPARED
        end = copied + COMPARED  # the copy has the pages that were under way
        killed = _job("resume", folder=image, site=site, pages=end)
        wanted = logged(folder, copied + 1, end)
        same = sum(a == b for a, b in zip(killed["urls"], wanted, strict=False))
        stopped = _job("resume", folder=folder, site=site, pages=last + COMPARED)
        print(killed["seconds"], stopped["seconds"], flush=True)
        cpu = {True: 0.0, False: 0.0}
        for on in cpu:
            name = f"{place}/cost-{on}"
            cpu[on] = _job("crawl", folder=name, pages=cost_pages, checkpoints=on)["cpu"]
    stops, share = whole["stops"], sum(whole["costs"]) / whole["cpu"]
    memory, after = whole["resident"] / 2**20, stopped["resident"] / 2**20
    rows = [
        ("pages crawled, URLs known", f"{pages:,}, {whole['known']:,}", ""),
        ("seconds to the first new step after a stop", f"{stopped['seconds']:.1f}", "20"),
        ("seconds to the first new step after a kill", f"{killed['seconds']:.1f}", "20"),
        ("memory after, of that before", f"{after / memory:.2f} of {memory:,.0f} MB", "1.2"),
        ("requests after a kill that are the same", f"{same:,} of {len(wanted):,}", "all"),
        ("checkpoints written", f"{len(stops):,}", ""),
        ("longest stop of the loop for a snapshot, ms", f"{1000 * max(stops):.0f}", "100"),
        ("CPU time of checkpoints, % of that of the crawl", f"{100 * share:.2f}", "3"),
        (
            f"CPU time of {cost_pages:,} pages with checkpoints, % more than without",
            f"{100 * (cpu[True] / cpu[False] - 1):.1f}",
            "3",
        ),
    ]
    return table(("", "measured", "wanted at most"), rows)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print(json.dumps(JOBS[sys.argv[1]](**json.loads(sys.argv[2]))))
    elif len(sys.argv) == 2:
        print(measure(int(sys.argv[1]), max(int(sys.argv[1]) // 4, 2_000)))
    else:
        text = measure(PAGES, COST_PAGES)
        write("crawl-resume", "Resuming a crawl from checkpoints", text, "bench-crawl")
