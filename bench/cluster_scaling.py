"""A web of many hosts crawled by one, two and four workers: the same pages, and how much faster.

The web is computed: the pages of a host are a tree, and each page links to pages of other hosts,
too. First all of a web of 200 hosts is crawled by the engine of one machine and by workers, and
what they find is compared. Then 1,000 hosts, each asked once a second at most, are crawled for
some time by workers that are limited by their requests in flight, not by the processor:
`python -m bench.cluster_scaling [equal|speed]`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from aiohttp import web

from bench.cluster_faults import server
from bench.cluster_world import Log, WorkerProcesses, crawl_alone, create, read, serve
from bench.page import table, write

WORKERS = (1, 2, 4)
HOSTS, PAGES = 200, 20
"""Of the web that is crawled whole."""
MANY_HOSTS, MANY_PAGES = 1000, 40
"""Of the web that is crawled for some time."""
SHARDS = 8
DELAY_SECONDS = 1.0
RESPONSE_SECONDS = 2.0
AT_ONCE = 16
"""Requests in flight of a worker: with the time of a response, its capacity."""
RAMP_SECONDS, WINDOW_SECONDS = 6.0, 25.0
TURNS = 3
LEASE_SECONDS = 6.0
ELSEWHERE = 3
"""Links of a page to other hosts."""
WANTED = {2: 1.9, 4: 3.6}
_FOUND = "SELECT final, reward FROM steps WHERE fault IS DISTINCT FROM 'known-page'"


class HostWeb:
    """A web of so many hosts with so many pages each; every tenth page is a target."""

    def __init__(self, hosts: int, pages: int) -> None:
        self.hosts, self.pages = hosts, pages

    def url(self, host: int, page: int) -> str:
        """Return the URL of a page."""
        return f"http://h{host}.example/{page}" if page else f"http://h{host}.example/"

    @property
    def targets(self) -> list[str]:
        """The URLs of all targets."""
        return [self.url(h, n) for h in range(self.hosts) for n in range(9, self.pages, 10)]

    def body(self, host: int, page: int) -> str:
        """Return a page: links to its two children in the tree, and to other hosts."""
        chance = Random(host * self.pages + page)
        links = [(host, n) for n in (2 * page + 1, 2 * page + 2) if n < self.pages]
        links += [
            (chance.randrange(self.hosts), chance.randrange(self.pages)) for _ in range(ELSEWHERE)
        ]
        shown = (f'<li><a href="{self.url(*link)}">Page {link[1]}</a>' for link in links)
        return f"<title>Page {page} of host {host}</title><ul>{''.join(shown)}</ul>"

    @contextmanager
    def serve(self, seconds: float = 0.0) -> Iterator[tuple[str, Log]]:
        """Serve the web by a proxy; yield its URL and the log."""

        async def respond(request: web.Request) -> web.Response:
            host, path = (request.url.host or "").removesuffix(".example"), request.path[1:] or "0"
            if not path.isdigit():
                return web.Response(status=404)
            return web.Response(text=self.body(int(host[1:]), int(path)), content_type="text/html")

        app = web.Application()
        app.router.add_get("/{path:.*}", respond)
        with serve(app, seconds) as served:
            yield served

    def orders(self, proxy: str, seeds: int, **options: object) -> dict[str, Any]:
        """Return what a worker needs to know; the crawl begins at so many hosts."""
        starts = [self.url(host, 0) for host in range(seeds)]
        return {"proxy": proxy, "seeds": starts, "targets": self.targets, **options}


def find_alone(orders: dict[str, Any]) -> tuple[set[str], set[str]]:
    """Return the pages and the targets that the engine of one machine finds."""
    steps = crawl_alone(orders)
    pages = {step.page.url for step in steps if step.page.error != "known-page"}
    return pages, {step.page.url for step in steps if step.reward > 0}


def find_by_workers(
    orders: dict[str, Any], url: str, processes: WorkerProcesses, workers: int, shards: int
) -> tuple[set[str], set[str]]:
    """Return the pages and the targets that so many workers find."""
    create(url, orders, shards=shards)
    for process in [processes.start(url, orders) for _ in range(workers)]:
        if processes.wait(process):
            raise RuntimeError("A worker has failed.")
    rows = read(url, _FOUND)
    return {final for final, _ in rows}, {final for final, reward in rows if reward > 0}


def compare(folder: Path, make_database: Any, processes: WorkerProcesses) -> str:
    """Crawl the smaller web by one machine and by workers; return the text."""
    it = HostWeb(HOSTS, PAGES)
    rows = []
    with it.serve() as (proxy, _):
        orders = it.orders(proxy, 5, archive=str(folder / "archive"), lease=LEASE_SECONDS)
        pages, targets = find_alone(orders)
        rows.append(["engine of one machine", f"{len(pages):,}", f"{len(targets):,}", ""])
        for workers in WORKERS:
            url = make_database(f"equal_{workers}")
            found = find_by_workers(orders, url, processes, workers, SHARDS)
            same = "yes" if found == (pages, targets) else "NO"
            name = "1 worker" if workers == 1 else f"{workers} workers"
            rows.append([name, f"{len(found[0]):,}", f"{len(found[1]):,}", same])
            print(*rows[-1], flush=True)
    return (
        f"A computed web of {HOSTS} hosts with {PAGES} pages each, from 5 start pages, "
        f"{SHARDS} shards, breadth-first, to the end of the frontier.\n\n"
        + table(["crawl by", "pages", "targets", "the same URLs and targets"], rows)
    )


def measure_rate(
    it: HostWeb, proxy: str, folder: Path, url: str, processes: WorkerProcesses, workers: int
) -> float:
    """Return the pages a second that so many workers commit."""
    orders = it.orders(
        proxy, it.hosts, archive=str(folder / "archive"), lease=LEASE_SECONDS,
        delay=DELAY_SECONDS, at_once=AT_ONCE,
    )  # fmt: skip
    create(url, orders, shards=SHARDS)
    running = [processes.start(url, orders) for _ in range(workers)]
    wait = "SELECT count(DISTINCT owner), (SELECT sum(steps) FROM shards) FROM leases"
    while (state := read(url, wait)[0])[0] < workers or state[1] < 20 * workers:
        time.sleep(0.2)
    time.sleep(RAMP_SECONDS)
    steps = "SELECT sum(steps)::float8, extract(epoch FROM clock_timestamp())::float8 FROM shards"
    ((first, began),) = read(url, steps)
    time.sleep(WINDOW_SECONDS)
    ((last, ended),) = read(url, steps)
    processes.kill(running)
    return float((last - first) / (ended - began))


def measure(folder: Path, make_database: Any, processes: WorkerProcesses) -> str:
    """Measure the rates of workers, several times by turns; return the text."""
    it = HostWeb(MANY_HOSTS, MANY_PAGES)
    rates: dict[int, list[float]] = {workers: [] for workers in WORKERS}
    with it.serve(RESPONSE_SECONDS) as (proxy, log):
        for turn in range(TURNS):
            for workers in WORKERS:
                log.lines.clear()
                url = make_database(f"speed_{turn}_{workers}")
                rate = measure_rate(it, proxy, folder, url, processes, workers)
                rates[workers].append(rate)
                early = sum(
                    gap < DELAY_SECONDS - 0.05 for gaps in log.intervals().values() for gap in gaps
                )
                print(f"{workers} workers: {rate:.1f} pages/s, {early} early", flush=True)
    rows = []
    for workers, found in rates.items():
        shares = [rate / one for rate, one in zip(found, rates[1], strict=True)]
        listed = ", ".join(f"{share:.2f}" for share in sorted(shares))
        rows.append(
            [workers, f"{median(found):.1f}", f"{median(shares):.2f}", listed,
             WANTED.get(workers, "")]
        )  # fmt: skip
    return (
        f"{MANY_HOSTS:,} hosts, a delay of {DELAY_SECONDS} s, responses that take "
        f"{RESPONSE_SECONDS} s, {AT_ONCE} requests in flight a worker, which is its capacity: "
        "workers wait for the web, and for the processor only if others keep it busy. "
        f"Windows of {WINDOW_SECONDS:.0f} s, {TURNS} times by turns, medians; "
        f"{os.getloadavg()[1]:.0f} processes of this machine were ready to run on average.\n\n"
        + table(["workers", "pages/s", "of one worker", "each time", "wanted"], rows)
    )


def main(part: str = "") -> None:
    """Compare and measure, and write the parts."""
    with server() as (postgres, folder), WorkerProcesses() as processes:
        if part != "speed":
            text = compare(folder, postgres.create_database, processes)
            title = "A cluster crawl: the same pages as on one machine"
            write("cluster-equal", title, text, "bench-cluster")
        if part != "equal":
            text = measure(folder, postgres.create_database, processes)
            title = "A cluster crawl: more workers"
            write("cluster-scaling", title, text, "bench-cluster")


if __name__ == "__main__":
    main(*sys.argv[1:])
