"""Rendering: a generated department whose menus, and all other links, are written by script.

    python -m bench.crawl_render [PAGES]

Three crawls of the same department: with plain links, with links that a script of the site
writes, and these rendered. Requests are counted by the server.
"""

from __future__ import annotations

import asyncio
import re
import resource
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from bench import page
from lycosa import BreadthFirst, Budget, Listed, Scope, World
from lycosa.crawler.browser.config import RenderConfig
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.crawler.storage.store import Store
from lycosa.sites.generated.server import bind, respond
from lycosa.sites.generated.site import GeneratedSite
from lycosa.web.urls import canonical

PAGES = 400
GOAL = "papers"
SCRIPT = b"""
addEventListener('DOMContentLoaded', () => {
    for (const place of document.querySelectorAll('span[data-href]')) {
        const link = document.createElement('a');
        link.setAttribute('href', place.dataset.href);
        link.append(...place.childNodes);
        place.replaceWith(link);
    }
});
"""
_LINK = re.compile(rb"<a\b([^>]*?)\bhref=", re.IGNORECASE)
_ENDLESS = r"/calendar\.cgi"
_OTHERS = re.compile(rb"<(?:area|i?frame|link|meta http-equiv)[^>]*>", re.IGNORECASE)


def hide_links(html: bytes) -> bytes:
    """Return a page whose links the script of the site writes.

    >>> hide_links(b"<a href='b'>B</a>")
    b"<script src=/menus.js></script><span data-href='b'>B</span>"
    """
    html = _OTHERS.sub(b"", _LINK.sub(rb"<span\1data-href=", html))
    return b"<script src=/menus.js></script>" + re.sub(rb"</a>", b"</span>", html, flags=re.I)


@dataclass(frozen=True)
class ServedSite:
    """A department that is served, and the requests it got, by path."""

    site: GeneratedSite
    asked: Counter[str]

    @property
    def requests(self) -> int:
        """All requests so far."""
        return self.asked.total()


@contextmanager
def serving(pages: int, *, scripted: bool) -> Iterator[ServedSite]:
    """Serve a department on loopback; `scripted` if its links are written by script."""
    listener = bind()
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    world = World(seed=3, departments=1, pages=pages, base=base)
    asked: Counter[str] = Counter()

    async def handle(request: web.Request) -> web.Response:
        asked[request.raw_path] += 1
        if request.raw_path == "/menus.js":
            return web.Response(body=SCRIPT, content_type="text/javascript")
        response = respond(world, canonical(base + request.raw_path) or base)
        headers, body = dict(response.headers), response.body
        if scripted and headers.get("Content-Type", "").startswith("text/html"):
            body = hide_links(body)
        return web.Response(status=response.status, headers=headers, body=body)

    app = web.Application()
    app.router.add_get("/{path:.*}", handle)
    loop, ready = asyncio.new_event_loop(), threading.Event()
    runner = web.AppRunner(app, access_log=None)

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(runner.setup())
        loop.run_until_complete(web.SockSite(runner, listener).start())
        ready.set()
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait(60)
    try:
        yield ServedSite(world.department(0), asked)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def crawl_of(served: ServedSite, mode: str, store: Store | None = None) -> LiveCrawl:
    """Return a crawl of all pages of a site, without delays."""
    site = served.site
    job = Job(
        (site.base + "/",),
        ClientConfig("bench@example.org"),
        Scope(prefixes=(site.base + "/",), exclude=(_ENDLESS,)),
        Budget(),
        pace=Pace(delay=0.0, slowness=0.0, per_host=2, per_address=2, back_off=0.05),
        limits=Limits(connect=60.0, read=60.0, total=120.0),
        addresses=AddressPolicy(allow_loopback=True),
        rendering=RenderConfig(mode, seconds=60.0, total=300.0),
    )
    return LiveCrawl(job, BreadthFirst(), Listed.of(site, GOAL), store)


async def run_to_end(live: LiveCrawl) -> int:
    """Run a crawl to its end; return the targets it found."""
    async for _ in live:
        pass
    return live.crawl.found


@dataclass(frozen=True)
class Outcome:
    """What a crawl has found, and what it has cost."""

    found: int
    targets: int
    pages: int
    requests: int
    seconds: float
    cpu: float

    @property
    def share(self) -> float:
        """The share of the targets that was found."""
        return self.found / self.targets


def measure(pages: int, *, scripted: bool, mode: str, folder: Path | None = None) -> Outcome:
    """Crawl a department; with a folder, the crawl is stored there."""
    with serving(pages, scripted=scripted) as served:
        store = None if folder is None else SqliteStore.open(folder)
        live = crawl_of(served, mode, store)
        started, cpu = time.monotonic(), _children_cpu()
        found = asyncio.run(run_to_end(live))
        seconds = time.monotonic() - started
        targets = len(served.site.wanted(GOAL))
        cost = _children_cpu() - cpu
        return Outcome(found, targets, live.crawl.pages, served.requests, seconds, cost)


def _children_cpu() -> float:
    """Return the CPU seconds of ended child processes, the browser's among them."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure, and write the part of the page."""
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    plain = measure(pages, scripted=False, mode="never")
    rows = []
    outcomes = {
        "plain links": plain,
        "links by script, `--render never`": measure(pages, scripted=True, mode="never"),
        "links by script, `--render auto`": measure(pages, scripted=True, mode="auto"),
        "plain links, `--render auto`": measure(pages, scripted=False, mode="auto"),
    }
    for name, one in outcomes.items():
        rows.append(
            (
                name,
                f"{100 * one.share:.1f} %",
                f"{one.pages:,}",
                f"{one.requests:,}",
                f"{one.requests / plain.requests:.2f}",
                f"{one.seconds:.1f}",
                f"{one.cpu:.1f}",
            )
        )
    head = (
        "site",
        "targets",
        "pages",
        "requests",
        "of plain",
        "seconds",
        "CPU s of child processes",
    )
    words = (
        f"A generated department of {pages:,} pages on loopback, crawled breadth-first without "
        "delays. In the second and third row a script of the site writes every link; requests are "
        "those that the server got, robots.txt and scripts included.\n\n"
    )
    page.write("crawl-render", "Rendering", words + page.table(head, rows), "bench-crawl")


if __name__ == "__main__":
    main()
