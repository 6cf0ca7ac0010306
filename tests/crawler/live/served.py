"""A generated world on a real socket, and the same world as a site with server responses."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from lycosa import Budget, Listed, Page, Scope, World
from lycosa.content import Tables
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.politeness.pace import Pace
from lycosa.sites.generated.server import bind, respond, serve
from lycosa.sites.generated.site import GeneratedSite
from lycosa.web.urls import canonical

RUSH = Pace(delay=0.0, slowness=0.0, per_host=4, per_address=4, back_off=0.01)


@contextmanager
def served(**options: int) -> Iterator[World]:
    """Serve the sites of a generated world at their URLs."""
    listener = bind()
    world = World(base=f"http://127.0.0.1:{listener.getsockname()[1]}", **options)
    ready = threading.Event()
    loop = asyncio.new_event_loop()

    def run() -> None:
        asyncio.set_event_loop(loop)
        task = loop.create_task(serve(world, listener, ready.set))
        loop.run_forever()
        task.cancel()
        loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait(120)
    try:
        yield world
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        listener.close()


def job(site: GeneratedSite, pages: int | None = None, **options) -> Job:
    """Return a job for a generated site, without delays."""
    given = {
        "scope": Scope(prefixes=(site.base + "/",)),
        "budget": Budget(pages=pages),
        "pace": RUSH,
        "limits": Limits(connect=60.0, read=60.0, total=120.0),
        "addresses": AddressPolicy(allow_loopback=True),
        "max_in_flight": 4,
        **options,
    }
    return Job((site.base + "/",), ClientConfig("test@example.org"), **given)


def papers(site: GeneratedSite) -> Listed:
    return Listed.of(site, "papers")


def run(live: LiveCrawl) -> list:
    """Return all steps of a crawl."""

    async def steps() -> list:
        return [step async for step in live]

    return asyncio.run(steps())


class Answering:
    """A generated site with the responses of its server; URLs are numbered as they are found.

    A redirect is followed within a request; one to a page that was requested before
    is the fault `known-page`.
    """

    name, family = "answering", "departments"

    def __init__(self, world: World, site: GeneratedSite, reading: PageReader) -> None:
        self._world = world
        self._reading = reading
        self._base = site.base + "/"
        self._asked: set[int] = set()
        self.seeds = np.array([reading.number(self._base)], np.int32)

    @property
    def tables(self) -> Tables:
        return self._reading.page(self._base, 404, "text/html", b"").tables

    def page(self, number: int) -> Page:
        url = self._reading.urls[number]
        self._asked.add(number)
        while True:
            answer = respond(self._world, url)
            if answer.status not in (301, 302):
                return self._reading.page(url, answer.status, answer.type, answer.body)
            url = canonical(dict(answer.headers)["Location"], url)
            if not self._reading.allows(url):
                return self._reading.failed_page(number, "out-of-scope")
            final = self._reading.number(url)
            if final in self._asked:
                return self._reading.failed_page(number, "known-page")
            self._asked.add(final)
