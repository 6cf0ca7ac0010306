"""Search while `lycosa keep` crawls and builds on the same machine: what readers notice.

`lycosa keep` runs one cycle after the other on sites that change (`bench.changing_sites`),
and 50 readers, each from an address of its own, search with a pause between requests. In
turns of some seconds the crawl or build of the keeper is stopped (SIGSTOP), so that the
portal is alone, and goes on. Both are measured on the same server, in turns, so that the
ratio depends little on what else the machine does.

`python -m bench.keep_latency` writes its part of docs/benchmarks.md.
"""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import aiohttp
import numpy as np
import psutil

from bench import page
from bench.changing_sites import WORDS
from bench.kept_project import project, sites

READERS = 50
PAUSE_SECONDS = 1.0
"""Mean pause of a reader between two requests; exponentially distributed."""
TURN_SECONDS = 15.0
TURNS = 8
"""Of each kind."""
SETTLING_SECONDS = 2.0
"""At the beginning of a turn, which are not measured."""
DAY_SECONDS = 20.0
MAX_RATIO = 2.0
KINDS = ("alone", "crawling and building")


class Load:
    """The readers, and what they have measured in each kind of turn."""

    def __init__(self, address: str) -> None:
        self.times: dict[str, list[float]] = {kind: [] for kind in KINDS}
        self.failed = 0
        self.kind = ""
        self._address = address

    async def read(self, number: int) -> None:
        """Be one reader."""
        chance = Random(number)
        connector = aiohttp.TCPConnector(local_addr=(f"127.1.0.{number + 1}", 0))
        async with aiohttp.ClientSession(self._address, connector=connector) as session:
            while True:
                await asyncio.sleep(chance.expovariate(1 / PAUSE_SECONDS))
                words = "+".join(chance.choices(WORDS, k=chance.randint(1, 3)))
                kind, began = self.kind, time.perf_counter()
                try:
                    async with session.get(f"/search?q={words}+{chance.random()}") as response:
                        await response.read()
                        self.failed += response.status != 200
                except (aiohttp.ClientError, TimeoutError):
                    self.failed += 1
                if kind and kind == self.kind:
                    self.times[kind].append(1000 * (time.perf_counter() - began))


def workers(keeper: int) -> list[psutil.Process]:
    """Return the crawl and the build of a keeper, with their children."""
    found = []
    with suppress(psutil.Error):
        for child in psutil.Process(keeper).children():
            if "serve" not in child.cmdline():
                found += [child, *child.children(recursive=True)]
    return found


async def take_turns(load: Load, keeper: int) -> float:
    """Stop and continue the work of the keeper in turns; return its CPU seconds in a turn."""
    used = 0.0
    for turn in range(2 * TURNS):
        kind = KINDS[turn % 2]
        begun = _cpu(keeper)
        end = time.monotonic() + SETTLING_SECONDS + TURN_SECONDS
        settled = time.monotonic() + SETTLING_SECONDS
        while time.monotonic() < end:
            number = signal.SIGSTOP if kind == KINDS[0] else signal.SIGCONT
            for process in workers(keeper):  # also those that the keeper starts meanwhile
                with suppress(psutil.Error):
                    process.send_signal(number)
            load.kind = kind if time.monotonic() > settled else ""
            await asyncio.sleep(0.1)
        load.kind = ""
        if kind == KINDS[1]:
            used += max(_cpu(keeper) - begun, 0.0)
    return used / TURNS


def _cpu(keeper: int) -> float:
    """Return the CPU seconds of the keeper's crawls and builds so far, those that ended too."""
    with suppress(psutil.Error):
        times = psutil.Process(keeper).cpu_times()
        live = sum(sum(each.cpu_times()[:2]) for each in workers(keeper))
        return float(times.children_user + times.children_system + live)
    return 0.0


async def measure(keeper: subprocess.Popen[str]) -> tuple[Load, float]:
    """Run the readers on a keeper that has begun to serve."""
    assert keeper.stdout is not None  # noqa: S101 - it is a pipe
    address = (await asyncio.to_thread(keeper.stdout.readline)).strip().rstrip("/")
    load = Load(address)
    readers = [asyncio.create_task(load.read(number)) for number in range(READERS)]
    try:
        return load, await take_turns(load, keeper.pid)
    finally:
        for process in workers(keeper.pid):
            with suppress(psutil.Error):
                process.send_signal(signal.SIGCONT)
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)


def main() -> None:
    """Measure and write the page."""
    with tempfile.TemporaryDirectory() as name, sites(DAY_SECONDS, Path(name) / "log") as served:
        folder = Path(name) / "kept"
        project(folder, served[0])
        command = [sys.executable, "-m", "lycosa.cli", "keep", str(folder), "--port", "0"]
        command += ["--every", "1s", "--requests", "200"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as keeper:
            try:
                load, used = asyncio.run(measure(keeper))
            finally:
                keeper.terminate()
    quantiles = {kind: np.percentile(load.times[kind], (50, 99)) for kind in KINDS}
    rows = [
        (kind, len(load.times[kind]), *(f"{value:.0f}" for value in quantiles[kind]))
        for kind in KINDS
    ]
    ratio = quantiles[KINDS[1]][1] / quantiles[KINDS[0]][1]
    text = (
        f"{READERS} readers, {TURNS} turns of {TURN_SECONDS:g} s of each kind; in a turn the crawl "
        f"and the build use {used:.1f} s of CPU. {load.failed} requests failed. p99 is "
        f"{ratio:.2f} times that of the portal alone (at most {MAX_RATIO:g} wanted)."
    )
    table = page.table(("lycosa keep", "requests", "median (ms)", "p99 (ms)"), rows)
    page.write("keep-latency", "Search while a portal is kept", f"{text}\n\n{table}", "bench-keep")


if __name__ == "__main__":
    main()
