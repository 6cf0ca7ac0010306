"""Load test: a portal of 200,000 works, 50 clients, and a concurrent build.

The server is `lycosa serve` in one process, the clients run in another, and a
third one replaces works in the index without a pause. Clients of the kind
"readers" pause before the next request; the others do not.

`python -m bench.portal_http` builds a portal, serves it, and writes both
measurements to docs/benchmarks.md. `python -m bench.portal_http DIR` serves the
portal in DIR instead, and builds it first if there is none. The parts `load`
and `commit` run in separate processes.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import aiohttp
import numpy as np
import psutil

from bench import measure, page, portal_build
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.priority import lower_priority
from lycosa.portal.records import Work
from lycosa.portal.search import Index, IndexEntry
from lycosa.portal.search.vocabulary import Vocabulary

WORKS = 200_000
CLIENTS = 50
PAUSE_SECONDS = 1.0
"""Mean pause of a reader between requests; exponentially distributed."""
MEASURED_SECONDS = 30.0
WARM_UP_SECONDS = 3.0
"""Time before the measurement."""
REPEATED_URLS = 2_000
"""Distinct URLs of repeated requests, drawn by Zipf's law."""
COMMIT_SIZE = 500
"""Works in a commit."""
SEED = 5
SERVE = (str(Path(sys.executable).parent / "lycosa"), "serve", "--port", "0", "--rate", "0")
"""`--rate 0`, since the fifty clients share one address and would exceed the limit."""


class Requests:
    """URLs of a portal that readers request, all distinct."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._chance = Random(seed)
        words = Vocabulary.load(folder / "index")
        self._words = words.words[np.argsort(-words.counts, kind="stable")].tolist()
        catalogue = Catalogue.open(folder)
        self._works = catalogue.work_ids(10**9)
        some = catalogue.works(self._chance.sample(self._works, min(2000, len(self._works))))
        self._names = sorted({author.name for work in some for author in work.authors})
        self._topics = [topic.id for topic in catalogue.topics() if topic.works][:10]
        self._kinds: Sequence[Callable[[], str]] = (
            lambda: _search(self._word()),
            lambda: _search(f"{self._word()} {self._word()}"),
            lambda: _search(" ".join(self._word(30, 1000) for _ in range(4))),
            lambda: _search(f'"{self._word(30, 300)} {self._word(30, 300)}"'),
            lambda: _search(f"({self._word()} OR {self._word()}) NOT {self._word()}"),
            lambda: _search(f"title:{self._word(30, 2000)} {self._word()}"),
            lambda: _search(f'author:"{self._chance.choice(self._names)}" OR {self._word(2000)}'),
            lambda: _search(f"{self._word()} year:{1980 + int(40 * self._chance.random())}.."),
            lambda: _search(f"{self._word()[: self._chance.randint(3, 5)]}* {self._word()}"),
            lambda: _search(f"{self._word(300)[1:]}x {self._word()}"),
            lambda: _search(self._word(), type="pdf", topic=self._chance.choice(self._topics)),
            *(lambda: f"/work/{self._chance.choice(self._works)}" for _ in range(4)),
        )

    def __iter__(self) -> Iterator[str]:
        while True:
            yield self._chance.choice(self._kinds)()

    def _word(self, common: int = 30, rare: int = 20_000) -> str:
        """Return a word drawn by frequency, without the most frequent."""
        rare = min(rare, len(self._words) - 1)
        return str(self._words[int(common * (rare / common) ** self._chance.random())])


def _search(query: str, **filters: str) -> str:
    return f"/search?{urlencode({'q': query, **filters})}"


def repeated(requests: Requests, seed: int) -> Iterator[str]:
    """Yield URLs from a fixed set, drawn by Zipf's law (1949)."""
    urls = [url for url, _ in zip(requests, range(REPEATED_URLS), strict=False)]
    chance = np.random.default_rng(seed)
    weights = 1 / np.arange(1, REPEATED_URLS + 1)
    while True:
        for rank in chance.choice(REPEATED_URLS, 10_000, p=weights / weights.sum()):
            yield urls[rank]


async def load(folder: Path, address: str, kind: str, seed: int) -> dict[str, Any]:
    """Send requests from all clients; return milliseconds and statuses of the responses."""
    pausing, repeating = "people" in kind, "again" in kind
    requests = Requests(folder, seed)
    paths = repeated(requests, seed) if repeating else iter(requests)
    pauses = Random(seed)
    times: list[float] = []
    statuses: dict[int, int] = {}
    start = time.perf_counter() + WARM_UP_SECONDS
    end = start + MEASURED_SECONDS

    async def client(session: aiohttp.ClientSession) -> None:
        while time.perf_counter() < end:
            if pausing:
                await asyncio.sleep(pauses.expovariate(1 / PAUSE_SECONDS))
            path = next(paths)
            began = time.perf_counter()
            async with session.get(address + path) as response:
                await response.read()
            if began >= start:
                times.append(1000 * (time.perf_counter() - began))
                statuses[response.status] = statuses.get(response.status, 0) + 1

    connector = aiohttp.TCPConnector(limit=CLIENTS)
    headers = {"Accept-Encoding": "gzip"}
    async with aiohttp.ClientSession(
        connector=connector, headers=headers, auto_decompress=False
    ) as session:
        await asyncio.gather(*(client(session) for _ in range(CLIENTS)))
    return {"times": times, "statuses": statuses}


def commit(folder: Path) -> None:
    """Replace works in the index forever, as a build does with changed works."""
    catalogue = Catalogue.open(folder)
    names = catalogue.work_ids(10**9)
    index = Index.open(folder / "index")
    database = sqlite3.connect(folder / "portal.db", isolation_level=None)
    chance = Random(SEED)
    for number in range(10**9):
        works = catalogue.works(chance.sample(names, min(COMMIT_SIZE, len(names))))
        index.update(entry(catalogue, work) for work in works)
        index.commit()
        database.execute("REPLACE INTO meta VALUES ('generation', ?)", (f"bench {number}",))


def entry(catalogue: Catalogue, work: Work) -> IndexEntry:
    """Return the index entry of a work."""
    document = catalogue.document(work.document)
    topics = [placed.topic for placed in work.topics]
    return IndexEntry(
        work.id,
        work.kind,
        work.title,
        tuple(author.name for author in work.authors),
        tuple(author.id for author in work.authors),
        work.year,
        work.date,
        work.venue,
        work.abstract,
        document.text if document else "",
        work.site,
        "pdf",
        work.language,
        tuple(dict.fromkeys([path for t in topics for path in (t.partition("/")[0], t)])),
        tuple(catalogue.references([work.id])[work.id]),
        work.cited_by,
    )


@contextmanager
def process(*command: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command during the block."""
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield running
    finally:
        running.terminate()
        running.wait()


def family(pid: int) -> list[psutil.Process]:
    """Return a process and its descendants."""
    root = psutil.Process(pid)
    return [root, *root.children(recursive=True)]


def cpu_seconds(processes: Sequence[psutil.Process]) -> float:
    """Return the CPU seconds of processes so far."""
    return sum(sum(each.cpu_times()[:2]) for each in processes)


def measure_serving(folder: Path, kind: str, seed: int) -> dict[str, Any]:
    """Return what clients of a kind measured, and the CPU and memory of the server."""
    module = (sys.executable, "-m", "bench.portal_http")
    with process(*SERVE, str(folder)) as server:
        assert server.stdout is not None  # noqa: S101 - it is a pipe
        address = server.stdout.readline().strip().rstrip("/")
        before = cpu_seconds(family(server.pid))
        with process(*module, "commit", str(folder)):
            found = measure.run(
                "bench.portal_http", "load", str(folder), address, kind, str(seed)
            ).result
        processes = family(server.pid)
        memory = [each.memory_info() for each in processes]
        requests = len(found["times"]) * (1 + WARM_UP_SECONDS / MEASURED_SECONDS)
        return found | {
            "cpu": 1000 * (cpu_seconds(processes) - before) / requests,
            "own": sum(each.rss - each.shared for each in memory) / 2**20,
            "resident": max(each.rss for each in memory) / 2**20,
        }


HEAD = ("clients", "queries", "a second", "p50 ms", "p99 ms", "maximum ms", "CPU ms each",
        "own MB", "with mapped MB")  # fmt: skip
KINDS: Mapping[str, tuple[str, str]] = {
    "people": (f"{CLIENTS} readers", "all distinct"),
    "clients": (f"{CLIENTS} without a pause", "all distinct"),
    "people again": (f"{CLIENTS} readers", "repeated"),
    "clients again": (f"{CLIENTS} without a pause", "repeated"),
}


def body(folder: Path) -> Iterator[str]:
    """Yield the parts of the page."""
    rows = []
    failed = 0
    for seed, (kind, labels) in enumerate(KINDS.items(), SEED):
        found = measure_serving(folder, kind, seed)
        times = found["times"]
        p50, p99 = np.percentile(times, [50, 99])
        failed += sum(count for status, count in found["statuses"].items() if status != "200")
        figures = (len(times) / MEASURED_SECONDS, p50, p99, max(times), found["cpu"])
        memory = (f"{found['own']:.0f}", f"{found['resident']:.0f}")
        rows.append((*labels, *(f"{each:.1f}" for each in figures), *memory))
    total = sum(Catalogue.open(folder).counts().values())
    yield (
        f"A portal of {total:,} works, served by `{' '.join(['lycosa', *SERVE[1:]])}`, while "
        f"another process commits {COMMIT_SIZE} works at a time without a pause, at the lower "
        f"priority of `lycosa build`. {CLIENTS} clients in a third process request pages of "
        f"results of all kinds and, in a quarter of their requests, the page of a work. Readers "
        f"pause for {PAUSE_SECONDS:.0f} s on average before the next request; the others do not. "
        f"Repeated queries are drawn from {REPEATED_URLS:,} URLs by Zipf's law. "
        '"Own" memory is that of all processes, "with mapped" that of the largest including '
        f"memory-mapped files. {MEASURED_SECONDS:.0f} s each; {failed} responses had another "
        f"status than 200."
    )
    yield page.table(HEAD, rows)


def prepare(folder: Path, works: int) -> None:
    """Build the portal in a folder, if there is none."""
    if not (folder / "index" / "meta.json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        portal_build.fill(folder, works)
        measure.run("bench.portal_build", "build", str(folder))


def write(folder: Path) -> None:
    """Measure and write the page."""
    page.write("portal-http", "Serving a portal", "\n\n".join(body(folder)), "bench-portal")


def main(arguments: list[str]) -> None:
    """Measure and write the page, or run one part."""
    match arguments:
        case ["load", folder, address, kind, seed]:
            print(json.dumps(asyncio.run(load(Path(folder), address, kind, int(seed)))))
        case ["commit", folder]:
            with lower_priority(Path(folder)):
                commit(Path(folder))
        case [folder, *works]:
            prepare(Path(folder), int(works[0]) if works else WORKS)
            write(Path(folder))
        case _:
            with tempfile.TemporaryDirectory(prefix="lycosa-bench-") as name:
                portal_build.write(Path(name))
                write(Path(name))


if __name__ == "__main__":
    main(sys.argv[1:])
