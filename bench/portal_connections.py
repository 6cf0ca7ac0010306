"""Connections that do not read or write, and a killed server process: what readers notice.

The server is `lycosa serve` with its defaults. Readers (`bench.portal_attack.read`)
request pages first alone, then while one address holds hundreds of connections open.
At last one server process is killed, the other is stopped, and the time until a new
one answers is taken.

`python -m bench.portal_connections` builds a portal and writes its part of
docs/benchmarks.md; `python -m bench.portal_connections DIR` uses the portal in DIR. The
part `hold` runs in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np
import psutil

from bench import page, portal_attack, portal_http
from bench.portal_attack import ATTACKER, MEASURED_SECONDS, WARM_UP_SECONDS, run_commands
from lycosa.portal.catalogue import Catalogue

WORKS = 20_000
CONNECTIONS = 850
MAX_RATIO = 3.0
"""Of the p99 under attack to the quiet p99."""
KILLS = 5
SEED = 11
HELD = {
    "850 connections without a request": (b"", b""),
    "850 requests, a byte every second": (b"GET / HTTP/1.1\r\nX-Long: ", b"a"),
    "850 readers of all works that do not read": (
        b"GET /export/works.jsonl HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"",
    ),
}
"""What each connection sends at first, and then every second."""


async def hold(address: str, kind: str) -> dict[str, int]:
    """Hold connections until the readers have finished; open those again that are closed."""
    begin, more = HELD[kind]
    end = time.perf_counter() + WARM_UP_SECONDS + MEASURED_SECONDS
    host, port = urlsplit(address).hostname, urlsplit(address).port
    counts: Counter[str] = Counter()

    async def one() -> None:
        while time.perf_counter() < end:
            with suppress(OSError, asyncio.TimeoutError):
                async with asyncio.timeout(max(end - time.perf_counter(), 0.01)):
                    await _connection(str(host), int(port or 0), begin, more, counts)
            await asyncio.sleep(1.0)

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    return counts


async def _connection(
    host: str, port: int, begin: bytes, more: bytes, counts: Counter[str]
) -> None:
    # A small buffer, so that the server cannot get rid of a response.
    reader, writer = await asyncio.open_connection(host, port, local_addr=(ATTACKER, 0), limit=1024)
    counts["opened"] += 1
    try:
        writer.write(begin)
        while not reader.at_eof() and not writer.is_closing():
            await asyncio.sleep(1.0)
            writer.write(more)
            await writer.drain()
        counts["closed by the server"] += 1
    except ConnectionError:
        counts["closed by the server"] += 1
    finally:
        writer.close()


def measure(folder: Path, kind: str, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what readers got from a new server, alone and under attack."""
    reading = (sys.executable, "-m", "bench.portal_attack", "read", str(folder))
    holding = (sys.executable, "-m", "bench.portal_connections", "hold")
    with portal_http.process(*portal_attack.SERVE, str(folder)) as server:
        assert server.stdout is not None  # noqa: S101 - it is a pipe
        address = server.stdout.readline().strip().rstrip("/")
        (quiet,) = run_commands([*reading, address, f"{seed}"])
        attacked, _ = run_commands(
            [*reading, address, f"{seed + 1_000}"], [*holding, address, kind]
        )
    return quiet, attacked


def recovery_seconds(folder: Path) -> list[float]:
    """Return for several kills the seconds until a new server process answers."""
    seconds = []
    with portal_http.process(*portal_attack.SERVE, str(folder)) as server:
        assert server.stdout is not None  # noqa: S101 - it is a pipe
        address = server.stdout.readline().strip()
        for _ in range(KILLS):
            killed, stopped = serving_processes(server.pid)
            os.kill(stopped, signal.SIGSTOP)  # so that only the new process can answer
            began = time.perf_counter()
            os.kill(killed, signal.SIGKILL)
            httpx.get(f"{address}healthz", timeout=60).raise_for_status()
            seconds.append(time.perf_counter() - began)
            os.kill(stopped, signal.SIGCONT)
    return seconds


def serving_processes(pid: int) -> set[int]:
    """Return the descendants of a process that have a listening socket and have not ended."""
    found = set()
    for child in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # or a zombie
            if any(each.status == "LISTEN" for each in child.net_connections("tcp")):
                found.add(child.pid)
    return found


HEAD = ("one address holds", "readers alone p50 ms", "p99 ms", "under attack p50 ms", "p99 ms",
        "ratio of p99", "readers without an answer")  # fmt: skip


def body(folder: Path) -> Iterator[str]:
    """Yield the parts of the page."""
    total = sum(Catalogue.open(folder).counts().values())
    yield (
        f"A portal of {total:,} works, served by `lycosa serve` with its defaults; readers as "
        f"above. Wanted: a p99 of at most {MAX_RATIO:g} times the quiet one, and an answer to "
        "every reader. Connections that the server closes are opened again."
    )
    table = []
    for seed, kind in enumerate(HELD, SEED):
        quiet, readers = measure(folder, kind, seed)
        times = [*np.percentile(quiet["times"], [50, 99])]
        times += [*np.percentile(readers["times"], [50, 99])]
        failed = sum(count for status, count in readers["statuses"].items() if status != "200")
        ratio = f"{times[3] / times[1]:.1f}"
        table.append((kind, *(f"{each:.0f}" for each in times), ratio, f"{failed}"))
    yield page.table(HEAD, table)
    seconds = recovery_seconds(folder)
    yield (
        f"One of two server processes is killed, the other stopped: a new one answers after "
        f"{np.median(seconds):.1f} s (median of {KILLS}; longest {max(seconds):.1f} s)."
    )


def write(folder: Path) -> None:
    """Measure and write the page."""
    text = "\n\n".join(body(folder))
    page.write("portal-connections", "Connections held open", text, "bench-portal")


def main(arguments: list[str]) -> None:
    """Measure and write the page, or run one part."""
    match arguments:
        case ["hold", address, kind]:
            print(json.dumps(asyncio.run(hold(address, kind))))
        case [folder]:
            portal_http.prepare(Path(folder), WORKS)
            write(Path(folder))
        case _:
            with tempfile.TemporaryDirectory(prefix="lycosa-bench-") as name:
                portal_http.prepare(Path(name), WORKS)
                write(Path(name))


if __name__ == "__main__":
    main(sys.argv[1:])
