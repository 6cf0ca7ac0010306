"""Attacks on a served portal: what other readers notice of a client with expensive requests.

The server is `lycosa serve` with its defaults. Readers request pages with a
pause between them, each from an address of its own, first alone and then while
one more address sends expensive requests, 19 a second: just within the rate
limit. Both are measured on the same server, one after the other, so that the
ratio depends little on what else the machine does. Readers and attacker run in
separate processes.

`python -m bench.portal_attack` builds a portal of 200,000 works and writes its
part of docs/benchmarks.md; `python -m bench.portal_attack DIR` uses the portal
in DIR, and builds it first if there is none. The parts `read` and `attack` run
in separate processes.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import aiohttp
import numpy as np

from bench import page, portal_cost, portal_http
from bench.portal_cost import Queries, frequent_words
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.fields import FACETS, SORTS
from lycosa.portal.web.search_request import MAX_PAGES

WORKS = 200_000
READERS = 3
PAUSE_SECONDS = 0.2
"""Mean pause of a reader between requests; exponentially distributed."""
MEASURED_SECONDS = 30.0
WARM_UP_SECONDS = 5.0
"""Time before the measurement, in which the attacker spends what its bucket holds."""
ATTACK_RATE = 19
"""Requests of the attacker per second."""
TIMEOUT_SECONDS = 30.0
"""After which a client gives up."""
MAX_RATIO = 3.0
"""Of the median under attack to the quiet median."""
SEED = 7
SERVE = (portal_http.SERVE[0], "serve", "--port", "0")
ATTACKER = "127.0.0.2"
NOTICES = ("most frequent", "would take too long", "took too long")
"""Parts of the notices about a query that was narrowed."""


class Attack:
    """Expensive requests, all distinct, so that no page is cached.

    `words` are the words of the portal, the most frequent first.
    """

    def __init__(self, words: Sequence[str], seed: int = SEED) -> None:
        self._words = words
        self._chance = Random(seed)
        queries = self._queries = Queries(words, seed)
        self.kinds: Mapping[str, Callable[[], str]] = {
            "26 words with a star": lambda: _search(queries.stars(26)),
            "60 frequent words with OR": lambda: _search(queries.alternatives(60)),
            "20 phrases of frequent words": lambda: _search(queries.phrases(20)),
            "10 phrases with a star": lambda: _search(queries.starred_phrases(10)),
            "9 names and citations with a star": lambda: _search(queries.fields(9)),
            "last pages of frequent words": self._last_page,
            "20 values of every filter": self._filters,
            "26 words with a star, disconnecting": lambda: _search(queries.stars(26)),
        }

    def _last_page(self) -> str:
        sort = self._chance.choice(list(SORTS))
        number = str(self._chance.randint(MAX_PAGES - 10, MAX_PAGES))
        return _search(self._queries.alternatives(3), page=number, sort=sort)

    def _filters(self) -> str:
        values = {name: self._chance.choices(self._words, k=20) for name in FACETS}
        return _search(self._queries.stars(1), **values)


def _search(query: str, **parameters: str | Sequence[str]) -> str:
    return f"/search?{urlencode({'q': query, **parameters}, doseq=True)}"


async def read(folder: Path, address: str, seed: int) -> dict[str, Any]:
    """Send the requests of readers; return milliseconds and statuses of the responses."""
    requests = iter(portal_http.Requests(folder, seed))
    pauses = Random(seed)
    times: list[float] = []
    statuses: Counter[str] = Counter()
    start = time.perf_counter() + WARM_UP_SECONDS
    end = start + MEASURED_SECONDS

    async def reader(number: int) -> None:
        async with _session(f"127.0.1.{number + 1}") as session:
            while time.perf_counter() < end:
                await asyncio.sleep(pauses.expovariate(1 / PAUSE_SECONDS))
                began = time.perf_counter()
                status, _ = await _get(session, address + next(requests))
                if began >= start:
                    times.append(1000 * (time.perf_counter() - began))
                    statuses[status] += 1

    await asyncio.gather(*(reader(number) for number in range(READERS)))
    return {"times": times, "statuses": statuses}


async def attack(folder: Path, address: str, kind: str) -> dict[str, int]:
    """Send expensive requests until the readers have finished; return what came back."""
    found: Counter[str] = Counter()
    make = Attack(frequent_words(folder / "index")).kinds[kind]
    leaving = "disconnecting" in kind
    began = time.perf_counter()
    waiting: set[asyncio.Task[None]] = set()

    async def one(session: aiohttp.ClientSession, url: str) -> None:
        if leaving:
            try:
                async with asyncio.timeout(0.05):
                    status, _ = await _get(session, url)
                    found[status] += 1
            except TimeoutError:
                found["gave up"] += 1
            return
        status, text = await _get(session, url)
        narrowed = any(notice in text for notice in NOTICES)
        found["200 with a notice" if status == "200" and narrowed else status] += 1

    async with _session(ATTACKER) as session:
        for number in range(int(ATTACK_RATE * (WARM_UP_SECONDS + MEASURED_SECONDS))):
            await asyncio.sleep(max(began + number / ATTACK_RATE - time.perf_counter(), 0.0))
            task = asyncio.create_task(one(session, address + make()))
            waiting.add(task)
            task.add_done_callback(waiting.discard)
        await asyncio.gather(*waiting)
    return found


def _session(address: str) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(limit=0, local_addr=(address, 0))
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    return aiohttp.ClientSession(connector=connector, timeout=timeout)


async def _get(session: aiohttp.ClientSession, url: str) -> tuple[str, str]:
    """Return the status and the text of a response; a failure has a name instead of a status."""
    try:
        async with session.get(url) as response:
            return str(response.status), await response.text()
    except asyncio.CancelledError:
        raise
    except TimeoutError:
        return "time-out", ""
    except aiohttp.ClientError as error:
        return type(error).__name__, ""


def measure(
    folder: Path, kind: str, seed: int
) -> tuple[dict[str, Any], dict[str, Any], dict[str, int]]:
    """Return what readers got from a new server, alone and under attack, and what the attacker."""
    module = (sys.executable, "-m", "bench.portal_attack")
    with portal_http.process(*SERVE, str(folder)) as server:
        assert server.stdout is not None  # noqa: S101 - it is a pipe
        address = server.stdout.readline().strip().rstrip("/")
        reading, attacking = (*module, "read", str(folder), address), (*module, "attack")
        (quiet,) = run_commands([*reading, f"{seed}"])
        # Other requests than before, of which none is cached.
        attacked = run_commands(
            [*reading, f"{seed + 1_000}"], [*attacking, str(folder), address, kind]
        )
    return quiet, attacked[0], attacked[1]


def run_commands(*commands: Sequence[str]) -> list[dict[str, Any]]:
    """Run commands at the same time; return what each printed, as JSON."""
    running = [subprocess.Popen(each, stdout=subprocess.PIPE, text=True) for each in commands]
    return [json.loads(each.communicate()[0]) for each in running]


HEAD = ("one address sends", "readers alone p50 ms", "p99 ms", "under attack p50 ms", "p99 ms",
        "ratio of p50", "readers without an answer", "the attacker got")  # fmt: skip


def rows(folder: Path, kinds: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table."""
    for seed, kind in enumerate(kinds, SEED):
        quiet, readers, attacker = measure(folder, kind, seed)
        times = [*np.percentile(quiet["times"], [50, 99])]
        times += [*np.percentile(readers["times"], [50, 99])]
        failed = sum(count for status, count in readers["statuses"].items() if status != "200")
        got = ", ".join(f"{count:,} of {status}" for status, count in sorted(attacker.items()))
        ratio = f"{times[2] / times[0]:.1f}"
        yield kind, *(f"{each:.0f}" for each in times), ratio, f"{failed}", got


def body(folder: Path, kinds: Sequence[str]) -> Iterator[str]:
    """Yield the parts of the page."""
    total = sum(Catalogue.open(folder).counts().values())
    yield (
        f"A portal of {total:,} works, served by `lycosa serve` with its defaults. {READERS} "
        f"readers, each with its own address, request pages of results of all kinds and, in a "
        f"quarter of their requests, the page of a work; they pause for {PAUSE_SECONDS:g} s on "
        f"average before the next. One more address sends {ATTACK_RATE} distinct requests a "
        f"second, which the rate limit allows. {MEASURED_SECONDS:.0f} s each, after "
        f"{WARM_UP_SECONDS:.0f} s. Wanted: a median of at most {MAX_RATIO:g} times the quiet one, "
        "and an answer to every reader. A notice says what was left out of a query."
    )
    yield page.table(HEAD, list(rows(folder, kinds)))
    yield from portal_cost.body(folder / "index")


def main(arguments: list[str]) -> None:
    """Measure and write the page, or run one part."""
    match arguments:
        case ["read", folder, address, seed]:
            print(json.dumps(asyncio.run(read(Path(folder), address, int(seed)))))
        case ["attack", folder, address, kind]:
            print(json.dumps(asyncio.run(attack(Path(folder), address, kind))))
        case ["try", folder, *kinds]:
            for row in rows(Path(folder), kinds):
                print(*row, sep=" | ", flush=True)
        case [folder, *works]:
            portal_http.prepare(Path(folder), int(works[0]) if works else WORKS)
            write(Path(folder))
        case _:
            with tempfile.TemporaryDirectory(prefix="lycosa-bench-") as name:
                portal_http.prepare(Path(name), WORKS)
                write(Path(name))


def write(folder: Path) -> None:
    """Measure and write the page."""
    kinds = list(Attack(["word"]).kinds)
    text = "\n\n".join(body(folder, kinds))
    page.write("portal-attack", "Attacks on a portal", text, "bench-portal")


if __name__ == "__main__":
    main(sys.argv[1:])
