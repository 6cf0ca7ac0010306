"""Serving a portal of 200,000 works to 50 clients while a build commits.

The server is `lycosa serve` in its own process, the clients are another, and a
third one replaces works in the index without a pause. Readers look at a page
for a while before they ask for the next; the other clients ask at once.

`python -m bench.portal_http` builds a portal, serves it, and writes what both
took to docs/benchmarks.md. `python -m bench.portal_http DIR` serves the portal
in DIR instead, which is made there if there is none. In processes of their own
it runs itself as `load` and `commit`.
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
from lycosa.portal.priority import giving_way
from lycosa.portal.records import Work
from lycosa.portal.search import Index, IndexEntry
from lycosa.portal.search.vocabulary import Vocabulary

WORKS = 200_000
CLIENTS = 50
PAUSE = 1.0
"""Seconds that a reader looks at a page, on average; exponentially distributed."""
SECONDS = 30.0
WARM = 3.0
"""Seconds before that, which do not count."""
REPEATED = 2_000
"""Addresses where they are asked for again and again, by Zipf's law."""
CHANGED = 500
"""Works of a commit."""
SEED = 5
SERVE = (str(Path(sys.executable).parent / "lycosa"), "serve", "--port", "0", "--rate", "0")
"""Without `--rate 0` fifty clients of one address would be told to wait."""


class Questions:
    """Addresses that readers of a portal ask for; each is another one."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._chance = Random(seed)
        words = Vocabulary.load(folder / "index")
        self._words = words.words[np.argsort(-words.counts, kind="stable")].tolist()
        catalogue = Catalogue.open(folder)
        self._works = catalogue.names(10**9)
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
        """A word, drawn as texts use them, the commonest left out."""
        rare = min(rare, len(self._words) - 1)
        return str(self._words[int(common * (rare / common) ** self._chance.random())])


def _search(query: str, **filters: str) -> str:
    return f"/search?{urlencode({'q': query, **filters})}"


def repeated(questions: Questions, seed: int) -> Iterator[str]:
    """Some addresses, the first far more often than the last (Zipf 1949)."""
    every = [address for address, _ in zip(questions, range(REPEATED), strict=False)]
    chance = np.random.default_rng(seed)
    weights = 1 / np.arange(1, REPEATED + 1)
    while True:
        for rank in chance.choice(REPEATED, 10_000, p=weights / weights.sum()):
            yield every[rank]


async def load(folder: Path, address: str, kind: str, seed: int) -> dict[str, Any]:
    """Milliseconds that answers took."""
    people, again = "people" in kind, "again" in kind
    questions = Questions(folder, seed)
    asked = repeated(questions, seed) if again else iter(questions)
    pauses = Random(seed)
    times: list[float] = []
    statuses: dict[int, int] = {}
    start = time.perf_counter() + WARM
    end = start + SECONDS

    async def client(session: aiohttp.ClientSession) -> None:
        while time.perf_counter() < end:
            if people:
                await asyncio.sleep(pauses.expovariate(1 / PAUSE))
            path = next(asked)
            began = time.perf_counter()
            async with session.get(address + path) as answer:
                await answer.read()
            if began >= start:
                times.append(1000 * (time.perf_counter() - began))
                statuses[answer.status] = statuses.get(answer.status, 0) + 1

    connector = aiohttp.TCPConnector(limit=CLIENTS)
    headers = {"Accept-Encoding": "gzip"}
    async with aiohttp.ClientSession(
        connector=connector, headers=headers, auto_decompress=False
    ) as session:
        await asyncio.gather(*(client(session) for _ in range(CLIENTS)))
    return {"times": times, "statuses": statuses}


def commit(folder: Path) -> None:
    """Replace works in the index without end, as a build does that finds them changed."""
    catalogue = Catalogue.open(folder)
    names = catalogue.names(10**9)
    index = Index.open(folder / "index")
    database = sqlite3.connect(folder / "portal.db", isolation_level=None)
    chance = Random(SEED)
    for number in range(10**9):
        works = catalogue.works(chance.sample(names, min(CHANGED, len(names))))
        index.update(entry(catalogue, work) for work in works)
        index.commit()
        database.execute("REPLACE INTO meta VALUES ('generation', ?)", (f"bench {number}",))


def entry(catalogue: Catalogue, work: Work) -> IndexEntry:
    """A work as it is indexed."""
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
    """Something that runs meanwhile."""
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield running
    finally:
        running.terminate()
        running.wait()


def family(pid: int) -> list[psutil.Process]:
    """A process and those below it."""
    root = psutil.Process(pid)
    return [root, *root.children(recursive=True)]


def spent(processes: Sequence[psutil.Process]) -> float:
    """Seconds of CPU that processes took so far."""
    return sum(sum(each.cpu_times()[:2]) for each in processes)


def served(folder: Path, kind: str, seed: int) -> dict[str, Any]:
    """What clients of a kind measured, and what that took."""
    module = (sys.executable, "-m", "bench.portal_http")
    with process(*SERVE, str(folder)) as server:
        assert server.stdout is not None  # noqa: S101 - it was asked for
        address = server.stdout.readline().strip().rstrip("/")
        before = spent(family(server.pid))
        with process(*module, "commit", str(folder)):
            found = measure.run(
                "bench.portal_http", "load", str(folder), address, kind, str(seed)
            ).result
        family_ = family(server.pid)
        memory = [each.memory_info() for each in family_]
        requests = len(found["times"]) * (1 + WARM / SECONDS)
        return found | {
            "cpu": 1000 * (spent(family_) - before) / requests,
            "own": sum(each.rss - each.shared for each in memory) / 2**20,
            "resident": max(each.rss for each in memory) / 2**20,
        }


HEAD = ("clients", "queries", "a second", "p50 ms", "p99 ms", "longest ms", "CPU ms each",
        "own MB", "with mapped MB")  # fmt: skip
KINDS: Mapping[str, tuple[str, str]] = {
    "people": (f"{CLIENTS} readers", "all distinct"),
    "clients": (f"{CLIENTS} without a pause", "all distinct"),
    "people again": (f"{CLIENTS} readers", "repeated"),
    "clients again": (f"{CLIENTS} without a pause", "repeated"),
}


def body(folder: Path) -> Iterator[str]:
    """The parts of the page."""
    rows = []
    wrong = 0
    for seed, (kind, names) in enumerate(KINDS.items(), SEED):
        found = served(folder, kind, seed)
        times = found["times"]
        p50, p99 = np.percentile(times, [50, 99])
        wrong += sum(count for status, count in found["statuses"].items() if status != "200")
        figures = (len(times) / SECONDS, p50, p99, max(times), found["cpu"])
        memory = (f"{found['own']:.0f}", f"{found['resident']:.0f}")
        rows.append((*names, *(f"{each:.1f}" for each in figures), *memory))
    total = sum(Catalogue.open(folder).counts().values())
    yield (
        f"A portal of {total:,} works, served by `{' '.join(['lycosa', *SERVE[1:]])}`, while "
        f"another process commits {CHANGED} works at a time without a pause, giving way as "
        f"`lycosa build` does. {CLIENTS} clients "
        f"in a third process ask for pages of results of all kinds and, once in four times, for "
        f"the page of a work. Readers look at a page for {PAUSE:.0f} s on average before they go "
        f"on; the others never wait. Where queries are repeated, {REPEATED:,} addresses are asked "
        f"for by Zipf's law. Memory is that of all processes, with what is mapped that of the "
        f"largest. {SECONDS:.0f} s each; {wrong} answers were not what was asked for."
    )
    yield page.table(HEAD, rows)


def prepare(folder: Path, works: int) -> None:
    """Make the portal of a folder, if there is none."""
    if not (folder / "index" / "meta.json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        portal_build.fill(folder, works)
        measure.run("bench.portal_build", "build", str(folder))


def write(folder: Path) -> None:
    """Measure and write."""
    page.write("portal-http", "Serving a portal", "\n\n".join(body(folder)), "bench-portal")


def main(arguments: list[str]) -> None:
    """Measure and write, or do one part."""
    match arguments:
        case ["load", folder, address, kind, seed]:
            print(json.dumps(asyncio.run(load(Path(folder), address, kind, int(seed)))))
        case ["commit", folder]:
            with giving_way(Path(folder)):
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
