"""The crawls that `bench.live` measures: each in a process of its own, JSON in and JSON out."""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from bench.clock import Clock
from bench.object_sizes import sizes_by_class
from bench.parts import REST, Parts, sampled
from lycosa.core import Budget, Goal, Page, Policy
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.http.response import Response
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.goals import Listed
from lycosa.processes import tuned_for_growth
from lycosa.project.crawling import make_policy
from lycosa.project.sections import DEFAULT_SPIDER
from lycosa.spiders import BreadthFirst
from lycosa.web.urls import Scope

AT_ONCE = 32
CONTACT = "bench@example.org"
NOTHING = Listed("nothing", ())
GOAL = "papers"

PARTS: Parts = {
    "politeness": ("crawler/politeness/", "web/robots"),
    "network": ("crawler/http/", "/aiohttp/", "/yarl/", "/multidict/", "/aiohappyeyeballs/"),
    "parsing": ("lycosa/web/", "live/page_", "documents/worker", "browser/script_menus"),
    "scoring": ("lycosa/spiders/", "lycosa/learn/", "lycosa/goals/", "lycosa/search/"),
    "frontier": ("crawler/frontier", "crawler/crawl.py"),
    "recall": ("crawler/recall",),
    "archive": ("lycosa/archive/", "storage/records", "storage/volumes"),
    "journal and checkpoints": ("crawler/storage/", "live/recorder", "live/checkpointer",
                                "lycosa/snapshots"),
    REST: ("lycosa/crawler/", "/bench/"),
    "event loop and threads": ("/asyncio/", "/concurrent/", "/threading.py"),
}  # fmt: skip
"""The parts of a crawl, by the files of its innermost function that has a part."""


TUNED = {
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
}
"""Settings that make Scrapy faster."""


def scrapy(seed: str, *, tuned: bool = False) -> dict[str, float]:
    """Scrapy with its own link extractor."""
    import scrapy
    from scrapy.crawler import CrawlerProcess
    from scrapy.http import HtmlResponse
    from scrapy.linkextractors import LinkExtractor

    found = 0

    class Links(scrapy.Spider):
        name = "links"
        extractor = LinkExtractor(
            allow=[f"^{seed}"],
            deny_extensions=[],
            tags=["a", "area", "frame", "iframe"],
            attrs=["href", "src"],
        )

        def parse(self, response: Response) -> Iterator[scrapy.Request]:
            nonlocal found
            if isinstance(response, HtmlResponse):
                links = self.extractor.extract_links(response)
                found += len(links)
                for link in links:
                    yield scrapy.Request(link.url)

    process = CrawlerProcess(
        {
            "LOG_LEVEL": "ERROR",
            "ROBOTSTXT_OBEY": False,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS": AT_ONCE,
            "CONCURRENT_REQUESTS_PER_DOMAIN": AT_ONCE,
            **(TUNED if tuned else {}),
        }
    )
    process.crawl(Links, start_urls=[seed])
    clock = Clock()
    process.start()
    return {**clock.read(), "links": found}


def tuned_scrapy(seed: str) -> dict[str, float]:
    """Scrapy without what can be spared, on the faster loop."""
    return scrapy(seed, tuned=True)


def links(seed: str) -> dict[str, float]:
    """Ours with nothing but links."""
    return _crawl(_job(seed, robots=False), BreadthFirst(), NOTHING)


def everything(seed: str, targets: str, spider: str = DEFAULT_SPIDER) -> dict[str, float]:
    """Ours with robots.txt, the spider that people get, a goal and a store."""
    urls = Path(targets).read_text(encoding="utf-8").split()
    policy = make_policy(spider, GOAL)
    with tempfile.TemporaryDirectory() as folder:
        return _crawl(_job(seed), policy, Listed(GOAL, urls), SqliteStore.open(folder))


def one_core(seed: str, targets: str) -> dict[str, float]:
    """`everything` with all its threads and processes on one core."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return everything(seed, targets)


def profile(seed: str, targets: str) -> dict[str, float]:
    """Where `everything` spends its CPU time: seconds by part."""
    result, shares = sampled(lambda: everything(seed, targets), PARTS)
    return {part: share * result["cpu"] for part, share in shares.items()}


def _job(seed: str, *, robots: bool = True) -> Job:
    pace = Pace(delay=0.0, slowness=0.0, per_host=AT_ONCE, per_address=AT_ONCE)
    return Job(
        (seed,),
        ClientConfig(CONTACT),
        Scope(prefixes=(seed,)),
        pace=pace,
        addresses=AddressPolicy(allow_loopback=True),
        robots=robots,
        max_in_flight=AT_ONCE,
    )


def _crawl(
    job: Job, policy: Policy, goal: Goal, store: SqliteStore | None = None
) -> dict[str, float]:
    import uvloop

    async def run() -> dict[str, float]:
        found, targets = 0, 0
        clock = Clock()
        live = LiveCrawl(job, policy, goal, store)
        async for step in live:
            found += len(step.page.targets)
            targets += step.reward > 0
        return {**clock.read(), "links": found, "targets": targets, "steps": live.crawl.pages}

    with tuned_for_growth():  # as `lycosa crawl` does
        return uvloop.run(run())


class EveryFiftieth:
    """A goal: one page in fifty is a target."""

    name = GOAL

    def __call__(self, page: Page, /) -> float:
        """Return the reward of a page."""
        return float(page.number % 50 == 0)


def memory(urls: int, spider: str, new: int = 20) -> dict[str, Any]:
    """A live crawl that knows so many URLs: its memory beyond what it had at the beginning.

    Every page has that many `new` links.
    """
    policy: Policy = make_policy(spider, GOAL)
    before = _resident()
    live = LiveCrawl(Job(("http://a.example/",), ClientConfig(CONTACT)), policy, EveryFiftieth())
    known = live.page_reader.urls
    now = datetime.now(UTC)
    pages = synthetic(urls, new)
    with tuned_for_growth():
        while len(known) < urls and (number := live.crawl.next()) is not None:
            url, body = known[number], next(pages)
            page = live.page_reader.page(url, 200, "text/html", body)
            live.recorder.add(page, number, Response(url, now, 200))
            list(live.recorder.take_committed())
    grown = _resident() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    return {
        "urls": len(known),
        "pages": live.crawl.pages,
        "bytes": grown,
        "peak": peak,
        "parts": sizes_by_class(live),
    }


def strings(urls: int) -> dict[str, float]:
    """The memory of as many URLs in a list."""
    before = _resident()
    listed = [f"http://a.example{path(n)}" for n in range(urls)]
    return {"urls": len(listed), "bytes": _resident() - before}


def synthetic(urls: int, new: int = 20, old: int = 20) -> Iterator[bytes]:
    """Pages with links to pages that nobody knows yet, and to some that are known."""
    for first in range(0, urls, new):
        numbers = [*range(max(first - old * 7, 0), first, 7), *range(first, first + new)]
        items = [f"<li><a href={path(n)}>Report {n % 997} of group {n % 31}</a>" for n in numbers]
        yield f"<title>Index {first}</title><ul>{''.join(items)}</ul>".encode()


def path(number: int) -> str:
    """A path: about as long as at uci-ics, with a word of its own for every second URL as there."""
    half, rest = divmod(number, 2)
    return f"/department/group-{number % 31}/reports/{number // 1000}/{half}/part{rest}.html"


def _resident() -> int:
    gc.collect()
    return int(psutil.Process().memory_info().rss)


def polite(seeds: str, proxy: str, seconds: float, delay: float) -> dict[str, float]:
    """Many hosts, each with a delay, for so long."""
    import uvloop

    starts = tuple(Path(seeds).read_text(encoding="utf-8").split())
    job = Job(
        starts,
        ClientConfig(CONTACT, proxy=proxy),
        budget=Budget(seconds=seconds),
        pace=Pace(delay=delay),
        max_in_flight=len(starts),
    )

    async def run() -> dict[str, float]:
        clock = Clock()
        live = LiveCrawl(job, BreadthFirst(), NOTHING)
        async for _ in live:
            pass
        return {**clock.read(), "steps": live.crawl.pages, "faults": live.status().faults}

    return uvloop.run(run())


JOBS: dict[str, Callable[..., dict[str, Any]]] = {
    job.__name__: job
    for job in (scrapy, tuned_scrapy, links, everything, one_core, profile, memory, strings, polite)
}

if __name__ == "__main__":
    print(json.dumps(JOBS[sys.argv[1]](**json.loads(sys.argv[2]))))
