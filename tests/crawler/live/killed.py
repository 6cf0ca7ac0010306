"""A crawler in a process of its own, to be killed, and a server that logs its requests."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from zlib import crc32

from aiohttp import web
from warcio.archiveiterator import ArchiveIterator

from lycosa import Budget, Scope, World
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.live import checkpointer, recorder
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.goals import Listed
from lycosa.sites.generated.server import application, bind
from lycosa.spiders import Setup, spider

LIMIT = 30_000
SENTINEL = "/sentinel"


class Log:
    """The requests that a server got: times by the monotonic clock of the machine, and paths."""

    def __init__(self) -> None:
        self.lines: list[tuple[float, str]] = []

    def settle(self, port: int) -> None:
        """Wait until the server has read all that a process sent before it died.

        What was sent precedes a request that is made now; that on a connection not
        accepted yet precedes a second one.
        """
        for _ in range(2):
            connection = HTTPConnection("127.0.0.1", port, timeout=300)
            connection.request("GET", SENTINEL)
            connection.getresponse().read()
            connection.close()

    @property
    def pages(self) -> list[str]:
        return [path for _, path in self.lines if path != "/robots.txt"]

    @property
    def robots(self) -> int:
        return len(self.lines) - len(self.pages)


@contextmanager
def logged(pages: int, seconds: float) -> Iterator[tuple[World, Log]]:
    """Serve a generated department from a thread; yield its world and the log of requests.

    Some of its pages redirect.
    """
    listener: socket.socket = bind()
    world = World(
        base=f"http://127.0.0.1:{listener.getsockname()[1]}", seed=3, departments=1, pages=pages
    )
    log, ready, loop = Log(), threading.Event(), asyncio.new_event_loop()

    @web.middleware
    async def note(request: web.Request, handler) -> web.StreamResponse:
        if request.path == SENTINEL:
            return web.Response()
        log.lines.append((time.monotonic(), request.path_qs))
        await asyncio.sleep(seconds)
        url = request.rel_url
        if "moved" in url.query:
            return await handler(request.clone(rel_url=url.without_query_params("moved")))
        if url.path != "/robots.txt" and crc32(request.path_qs.encode()) % 8 == 0:
            raise web.HTTPFound(url.update_query(moved="1"))
        return await handler(request)

    async def serve() -> None:
        app = application(world)
        app.middlewares.append(note)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.SockSite(runner, listener).start()
        ready.set()
        try:
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()

    def run() -> None:
        task = loop.create_task(serve())
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(task)
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait(120)
    try:
        yield world, log
    finally:
        loop.call_soon_threadsafe(lambda: [t.cancel() for t in asyncio.all_tasks(loop)])
        thread.join()
        listener.close()


@dataclass
class Orders:
    """The settings of a crawler, and when it dies: at the nth time of a stage of a commit."""

    folder: str
    base: str
    targets: list[str]
    stage: str = ""
    nth: int = 1
    delay: float = 0.0
    per_host: int = 1
    most: int | None = None
    exclude: tuple[str, ...] = ()
    spider: str = ""
    """The spider; breadth-first by default. With one, every commit begins a checkpoint."""


def crawl(orders: Orders) -> None:
    """Crawl to the end, with many commits; write the number of each step beside the folder."""
    recorder.COMMIT_INTERVAL_SECONDS = 0.02
    if orders.spider:
        checkpointer.MIN_STEPS, checkpointer.MIN_INTERVAL_SECONDS = 1, 0.0
        checkpointer.COST_FACTOR = 0.0
    reached = 0

    def watch(name: str) -> None:
        nonlocal reached
        reached += name == orders.stage
        if reached == orders.nth:
            os.kill(os.getpid(), signal.SIGKILL)

    folder, base, most = Path(orders.folder), orders.base, orders.per_host
    told = os.open(folder.with_name("told"), os.O_WRONLY | os.O_CREAT)
    live = LiveCrawl(
        Job(
            (base + "/",),
            ClientConfig("test@example.org"),
            Scope(prefixes=(base + "/",), exclude=("/private/", *orders.exclude)),
            Budget(pages=orders.most),
            pace=Pace(orders.delay, slowness=0.0, per_host=most, per_address=most),
            limits=Limits(connect=60.0, read=60.0, total=120.0),
            addresses=AddressPolicy(allow_loopback=True),
            # A spider that learns would else have prefetched URLs that a kill returns.
            max_in_flight=1 if orders.spider else 64,
        ),
        spider(orders.spider or "breadth-first")(Setup(None, "papers")),
        Listed("papers", orders.targets),
        SqliteStore.open(folder, limit=LIMIT, on_stage=watch),
    )

    async def steps() -> None:
        async for step in live:
            os.pwrite(told, b"%010d" % step.n, 0)

    asyncio.run(steps())


class Crawlers:
    """Forks crawlers from a process without threads that has loaded all modules.

    One at a time: `start` returns its process id, `wait` its exit code, negative if
    a signal killed it.
    """

    def __enter__(self) -> Crawlers:
        pipe = subprocess.PIPE
        command = [sys.executable, __file__]
        self._forker = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        return self

    def __exit__(self, *exc: object) -> None:
        self._forker.communicate()

    def start(self, orders: Orders) -> int:
        return self._say(vars(orders))

    def wait(self) -> int:
        return self._say(None)

    def _say(self, orders: dict[str, object] | None) -> int:
        assert self._forker.stdin is not None
        assert self._forker.stdout is not None
        self._forker.stdin.write(json.dumps(orders) + "\n")
        return int(self._forker.stdout.readline())


def fork_crawlers() -> None:
    """Fork a crawler for each line of orders and print its id; print its exit code for `null`."""
    child = 0
    for line in sys.stdin:
        orders = json.loads(line)
        if orders is None:
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
            continue
        child = os.fork()
        if not child:
            status = 1
            try:
                crawl(Orders(**orders))
                status = 0
            except BaseException:
                traceback.print_exc()
            os._exit(status)
        print(child, flush=True)


def archived(folder: Path) -> list[tuple[int, int]]:
    """Return file and offset of every response in the archive, as another program reads it."""
    found = []
    for path in sorted((folder / "archive").glob("*.warc.gz")):
        with path.open("rb") as file:
            records = ArchiveIterator(file, check_digests="raise")
            for record in records:
                record.content_stream().read()
                if record.rec_type == "response":
                    found.append((int(path.name[:5]), records.get_record_offset()))
    return found


if __name__ == "__main__":
    fork_crawlers()
