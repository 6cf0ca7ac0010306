"""A generated web of several hosts behind a proxy on loopback, and workers that crawl it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from aiohttp import web

from lycosa import Budget, Scope, World
from lycosa.cluster.budget import set_budget
from lycosa.cluster.database import Database
from lycosa.cluster.hosts import add_seeds, decide_hosts, find_groups
from lycosa.cluster.schema import create_tables
from lycosa.cluster.worker import CrawlPlan, Worker
from lycosa.core import Step
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.http.http_fetcher import HttpFetcher
from lycosa.crawler.http.response import Response
from lycosa.crawler.live import checkpointer
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.politeness.robots_cache import authority
from lycosa.crawler.storage.memory import MemoryStore
from lycosa.goals import Listed
from lycosa.sites.generated.server import application, bind
from lycosa.spiders import Setup, spider

BEAT_SECONDS = 0.01


class EarlyRequest(NamedTuple):
    """A request that came before the delay after the one before it was over."""

    host: str
    first: str
    """The path of the request before it."""
    second: str
    logged: float
    """The seconds between the two by the log."""
    longest: float
    """The seconds that may have been between them: the server may log a request late."""


@dataclass
class Log:
    """The requests that the web got: times by the monotonic clock, hosts and paths."""

    lines: list[tuple[float, str, str]] = field(default_factory=list)
    beats: list[float] = field(default_factory=list)
    """Times at which the loop of the server ran: on a busy machine they are far apart."""

    def early(self, delay: float) -> list[EarlyRequest]:
        """Return the requests that came too early by the log, the delay given."""
        times: dict[str, list[tuple[float, str]]] = {}
        for moment, host, path in self.lines:
            times.setdefault(host, []).append((moment, path))
        return [
            EarlyRequest(host, first, second, b - a, b - self._earliest(a))
            for host, found in times.items()
            for (a, first), (b, second) in pairwise(found)
            if b - a < delay
        ]

    def _earliest(self, moment: float) -> float:
        """Return the earliest time at which a request can have come that was logged then.

        A turn of the loop reads it and the next one logs it, so it came after the turn before.
        """
        return self.beats[max(bisect_left(self.beats, moment) - 3, 0)]

    def intervals(self) -> dict[str, list[float]]:
        """Return the seconds between the starts of the requests to each host."""
        times: dict[str, list[float]] = {}
        for moment, host, _ in self.lines:
            times.setdefault(host, []).append(moment)
        return {host: [b - a for a, b in pairwise(found)] for host, found in times.items()}


@dataclass
class ServedWorld:
    """A generated web, the proxy that serves it, and the log of requests."""

    world: World
    proxy: str
    log: Log

    @property
    def targets(self) -> list[str]:
        """The URLs of all papers."""
        found = []
        for site in self.world.sites:
            found += [site.tables.urls[n] for n in site.wanted("papers").tolist()]
        return found

    def orders(self, **options: object) -> dict[str, object]:
        """Return what a worker process needs to know."""
        seeds = [site.base + "/" for site in self.world.sites]
        return {"proxy": self.proxy, "seeds": seeds, "targets": self.targets, **options}


@contextmanager
def serve(app: web.Application, seconds: float = 0.0) -> Iterator[tuple[str, Log]]:
    """Serve an application from a thread; each response takes some seconds.

    Yields the URL of the server, which is a proxy, and the log.
    """
    listener: socket.socket = bind()
    log, ready, loop = Log(), threading.Event(), asyncio.new_event_loop()

    async def beat() -> None:
        while True:
            log.beats.append(time.monotonic())
            await asyncio.sleep(BEAT_SECONDS)

    @web.middleware
    async def note(request: web.Request, handler: Any) -> Any:
        log.lines.append((time.monotonic(), request.url.host or "", request.path_qs))
        await asyncio.sleep(seconds)
        return await handler(request)

    async def run_server() -> None:
        app.middlewares.append(note)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.SockSite(runner, listener).start()
        ready.set()
        try:
            await beat()
        finally:
            await runner.cleanup()

    def run() -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(loop.create_task(run_server()))
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait(120)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", log
    finally:
        loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])
        thread.join()
        listener.close()


@contextmanager
def served_world(hosts: int, pages: int, seconds: float = 0.0) -> Iterator[ServedWorld]:
    """Serve a generated web of so many hosts; each response takes some seconds."""
    world = World(seed=5, departments=hosts, pages=pages)
    with serve(application(world), seconds) as (proxy, log):
        yield ServedWorld(world, proxy, log)


def make_plan(orders: Mapping[str, Any]) -> CrawlPlan:
    """Return the plan of a crawl of a served world."""
    delay = orders.get("delay", 0.0)
    job = Job(
        tuple(orders["seeds"]),
        ClientConfig(f"worker-{os.getpid()}@example.org", proxy=orders["proxy"]),
        Scope(domains=("example",), exclude=("calendar", "/events/", "/private/")),
        Budget(orders.get("pages"), orders.get("wanted")),
        pace=Pace(delay=delay, slowness=0.0),
        limits=Limits(connect=60.0, read=60.0, total=120.0),
        addresses=AddressPolicy(allow_loopback=True),
        max_in_flight=orders.get("at_once", 64),
    )
    name = orders.get("spider", "breadth-first")
    return CrawlPlan(
        job,
        lambda: spider(name)(Setup(None, "papers")),
        Listed("papers", orders["targets"]),
        orders.get("archive", ""),
        volume_bytes=orders.get("volume_bytes", 1 << 20),
    )


def crawl_alone(orders: Mapping[str, Any]) -> list[Step]:
    """Return the steps of the same crawl on one machine."""
    plan = make_plan(orders)

    async def steps() -> list[Step]:
        live = LiveCrawl(plan.job, plan.make_policy(), plan.goal, MemoryStore())
        return [step async for step in live]

    return asyncio.run(steps())


def create(url: str, orders: Mapping[str, Any], shards: int) -> None:
    """Create a cluster crawl in a database."""
    plan = make_plan(orders)
    with Database(url) as database:
        database.run(lambda c: create_tables(c, shards=shards, project="test"))
        hosts = asyncio.run(find_groups({authority(seed) for seed in plan.job.seeds}, None))
        homes = database.run(lambda c: decide_hosts(c, hosts, shards))
        database.run(lambda c: add_seeds(c, plan.job.seeds, homes))
        database.run(lambda c: set_budget(c, plan.job.budget))


def work(url: str, orders: Mapping[str, Any]) -> str:
    """Run a worker in this process until the crawl has ended."""
    with Database(url) as database:

        async def run() -> str:
            lease = orders.get("lease", 2.0)
            return await Worker(database, make_plan(orders), lease_seconds=lease).run()

        return asyncio.run(run())


class WorkerProcesses:
    """Forks workers from a process without threads that has loaded all modules.

    `start` returns a process id; `wait` the exit code of a process, negative if a signal
    killed it. `prefix` is the command that starts that process, if it is not to run as this
    one does.
    """

    def __init__(self, *prefix: str) -> None:
        self._prefix = prefix

    def __enter__(self) -> WorkerProcesses:
        command = [*self._prefix, sys.executable, "-m", "bench.cluster_world"]
        folder = Path(__file__).parents[1]
        pipe = subprocess.PIPE
        self._forker = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=folder)
        self._running: set[int] = set()
        return self

    def __exit__(self, *exc: object) -> None:
        self.kill(list(self._running))
        self._forker.communicate()

    def kill(self, processes: Sequence[int]) -> None:
        """Kill workers, those that are suspended, too."""
        for process in processes:
            os.kill(process, signal.SIGCONT)
            os.kill(process, signal.SIGKILL)
            self.wait(process)

    def start(self, url: str, orders: Mapping[str, object], hour_off: float = 0.0) -> int:
        """Start a worker; its wall clock is off by so many hours."""
        process = self._ask([url, dict(orders), hour_off])
        self._running.add(process)
        return process

    def wait_until_suspended(self, process: int) -> bool:
        """Wait until a worker has been suspended by a signal; return False if it has ended."""
        while (state := Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]) != "T":
            if state == "Z":
                return False
            time.sleep(0.02)
        return True

    def wait(self, process: int) -> int:
        """Wait until a worker has ended."""
        code = self._ask(process)
        self._running.discard(process)
        return code

    def _ask(self, request: object) -> int:
        to_forker, from_forker = self._forker.stdin, self._forker.stdout
        if to_forker is None or from_forker is None:
            raise RuntimeError("The process that forks workers has no pipes.")
        to_forker.write(json.dumps(request) + "\n")
        to_forker.flush()
        return int(from_forker.readline())


def _follow_orders(orders: Mapping[str, Any]) -> None:
    """Set what a worker has no options for: its folder of temporary files, more checkpoints."""
    tempfile.tempdir = orders.get("temp")
    if steps := orders.get("checkpoint_steps"):
        checkpointer.MIN_STEPS, checkpointer.MIN_INTERVAL_SECONDS = steps, 0.2


def _suspend_on_signal() -> None:
    """Let SIGRTMIN suspend this process when it is about to send the next request.

    The lease has been checked then, and the engine has let the request go.
    """
    fetch, asked = HttpFetcher.fetch, []
    signal.signal(signal.SIGRTMIN, lambda *_: asked.append(True))

    async def fetch_or_suspend(*args: Any, **options: Any) -> Response:
        if asked:
            asked.clear()
            os.kill(os.getpid(), signal.SIGSTOP)
        return await fetch(*args, **options)

    HttpFetcher.fetch = fetch_or_suspend  # type: ignore[method-assign]


def _set_clock_off(hours: float) -> None:
    """Set the wall clock off; SIGUSR1 sets it an hour ahead later, SIGUSR2 an hour back."""
    clock, seconds = time.time, [3600.0 * hours]
    time.time = lambda: clock() + sum(seconds)
    signal.signal(signal.SIGUSR1, lambda *_: seconds.append(3600.0))
    signal.signal(signal.SIGUSR2, lambda *_: seconds.append(-3600.0))


def fork_workers() -> None:
    """Fork a worker for each line of orders, wait for one for each process id."""
    for line in sys.stdin:
        request = json.loads(line)
        if isinstance(request, int):
            print(os.waitstatus_to_exitcode(os.waitpid(request, 0)[1]), flush=True)
            continue
        url, orders, hour_off = request
        child = os.fork()
        if not child:
            status = 1
            try:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                _set_clock_off(hour_off)
                _suspend_on_signal()
                _follow_orders(orders)
                work(url, orders)
                status = 0
            except BaseException:
                traceback.print_exc()
            os._exit(status)
        print(child, flush=True)


def read(url: str, query: str, *values: object) -> list[tuple[Any, ...]]:
    """Return rows of the database of a crawl."""
    with Database(url) as database:
        return [tuple(row) for row in database.run(lambda c: c.fetch(query, *values))]


if __name__ == "__main__":
    fork_workers()
