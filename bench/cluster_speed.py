"""CPU time of a page: one worker with PostgreSQL beside the engine of one machine.

Both crawl the same generated department on loopback, with everything on: the default spider,
the archive, the step log. Each run is a process of its own, and runs alternate.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
from pathlib import Path

from bench.cluster_costs import ServerClock
from bench.cluster_faults import server
from bench.loopback import serving
from bench.page import table, write
from lycosa import Budget, Scope
from lycosa.cluster.cluster_crawl import prepare
from lycosa.cluster.database import Database
from lycosa.cluster.worker import CrawlPlan, Worker
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.goals import Query
from lycosa.spiders import Setup, spider

SPIDER = "wary(house)"
PAGES = 1500
RUNS = 5
MAX_RATIO = 1.25


def make_plan(seed: str, archive: Path) -> CrawlPlan:
    """Return the plan of a crawl from a start page."""
    job = Job(
        (seed,),
        ClientConfig("bench@example.org"),
        Scope.around((seed,)),
        Budget(pages=PAGES),
        pace=Pace(delay=0.0, slowness=0.0, per_host=16, per_address=16),
        addresses=AddressPolicy(allow_loopback=True),
    )
    goal = Query("url:paper* OR url:pdf")
    return CrawlPlan(job, lambda: spider(SPIDER)(Setup(None, "papers")), goal, str(archive))


def crawl_alone(plan: CrawlPlan, folder: Path) -> None:
    """Crawl on one machine."""

    async def run() -> None:
        store = SqliteStore.open(folder)
        async for _ in LiveCrawl(plan.job, plan.make_policy(), plan.goal, store):
            pass

    asyncio.run(run())


def crawl_as_worker(plan: CrawlPlan, url: str) -> None:
    """Crawl as the only worker of a cluster."""

    async def run(database: Database) -> None:
        await Worker(database, plan).run()

    with Database(url) as database:
        prepare(database, plan)
        asyncio.run(run(database))


def measure(seed: str, folder: Path, url: str | None) -> dict[str, float]:
    """Return the CPU seconds of a crawl in a process of its own, and its pages."""
    command = [sys.executable, "-m", "bench.cluster_speed", seed, str(folder), url or ""]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def run_one(seed: str, folder: str, url: str) -> None:
    """Crawl, and print the CPU seconds that it took without the start."""
    place = Path(folder)
    plan = make_plan(seed, place / "archive")
    plan.make_policy()  # loads what is loaded once
    before = _cpu()
    if url:
        crawl_as_worker(plan, url)
    else:
        crawl_alone(plan, place)
    print(json.dumps({"cpu": _cpu() - before}))


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure and write the part."""
    alone, worker, shares = [], [], []
    with server() as (postgres, folder), serving("department", 2 * PAGES) as served:
        clock = ServerClock(postgres)
        for number in range(RUNS):
            place = folder / f"alone-{number}"
            place.mkdir()
            alone.append(measure(served.seeds[0], place, None)["cpu"])
            url = postgres.create_database(f"speed_{number}")
            other = folder / f"worker-{number}"
            other.mkdir()
            before = clock.read()
            worker.append(measure(served.seeds[0], other, url)["cpu"])
            shares.append(clock.read() - before)
            print(alone[-1], worker[-1], shares[-1], flush=True)
    one, two, share = min(alone), min(worker), min(shares)
    rows = [
        ["engine of one machine", f"{1e3 * one / PAGES:.2f} ms", "1.00"],
        ["one worker", f"{1e3 * two / PAGES:.2f} ms", f"{two / one:.2f}"],
        ["PostgreSQL, beside it", f"{1e3 * share / PAGES:.2f} ms", f"{share / one:.2f}"],
    ]
    verdict = "" if two / one <= MAX_RATIO else f" The wanted ratio is {MAX_RATIO}."
    write(
        "cluster-speed",
        "A cluster crawl: CPU time of a page",
        f"A generated department on loopback, {PAGES:,} pages, `{SPIDER}`, {RUNS} runs by turns; "
        f"the least of each.{verdict}\n\n" + table(["", "CPU a page", "ratio"], rows),
        "bench-cluster",
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_one(*sys.argv[1:])
    else:
        main()
