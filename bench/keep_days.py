"""Thirty days of `lycosa keep` in minutes: kills, a full disk and a failing site in between.

`lycosa keep` crawls, builds and serves sites that change (`bench.changing_sites`), on which
a day lasts some seconds. A supervisor starts it again when it was killed, and holds its
socket, as systemd does. Every process is killed in turn (the keeper, the crawl, the build,
the server, one of its processes, a worker of the crawl or build), the disk of the project, a
small one in memory, is full for a while, and one site fails for days. Readers request pages
of the portal throughout.

Counted are: works that the portal had and has no longer though their pages are there, or
that it should have and has not; requests to a host that came earlier than its delay after
the answer before, by the log of the sites; requests of readers that failed; and on each day
the size of the project and the memory of all processes.

`python -m bench.keep_days` writes its part of docs/benchmarks.md; `--days` and
`--day-seconds` make it shorter. The disk is full only where it may be mounted (as root).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import psutil

from bench import page
from bench.changing_sites import CRAWL_DELAY, WORDS, living
from lycosa.errors import LycosaError
from lycosa.keep.status import KeepStatus
from lycosa.project import Project

HOSTS = 10
DELAY = 0.5
"""Seconds between two requests to a host."""
DISK_BYTES = 400 << 20
READERS = 4
PAUSE_SECONDS = 0.6
"""Mean pause of a reader between two requests; exponentially distributed."""
TIMEOUT_SECONDS = 60.0
"""After which a reader gives up; browsers wait for longer."""
SETTLING_SECONDS = 240.0
"""After the last day, for a cycle in which nothing is killed."""
SETTLED_DAYS = 6.0
"""A paper that is there for so long, and was served to the crawl before that, must be found."""
VICTIMS = ("crawl", "build", "server process", "server", "keeper", "worker")
FULL_DAYS = (18.0, 20.0)
RESTART_SECONDS = 0.5
"""Before the supervisor starts the keeper again."""


@dataclass
class Figures:
    """What a run has shown."""

    kills: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    curve: list[tuple[int, float, float, int]] = field(default_factory=list)
    """Day, MB on the disk, MB of memory, works."""
    ever: set[str] = field(default_factory=set)
    """URLs that the portal has had."""
    full: bool = False
    """Whether the disk was full for a while."""
    failures: list[str] = field(default_factory=list)

    @property
    def failed(self) -> int:
        """Requests of readers that failed."""
        return sum(n for status, n in self.statuses.items() if not status.startswith("2"))


class Run:
    """One run: the supervisor, the readers and the one who kills."""

    def __init__(self, folder: Path, disk: Path | None, days: float, day_seconds: float) -> None:
        self.figures = Figures()
        self._folder = folder
        self._disk = disk
        self._days = days
        self._day_seconds = day_seconds
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._chance = Random(7)
        self._keeper: subprocess.Popen[bytes] | None = None
        self._begun = time.monotonic()

    @property
    def day(self) -> float:
        """The day now."""
        return (time.monotonic() - self._begun) / self._day_seconds

    async def run(self, begun: float) -> Figures:
        """Run all days."""
        self._begun = begun
        parts = [self._supervise(), self._kill(), self._fill_disk(), self._watch()]
        parts += [self._read(number) for number in range(READERS)]
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            while self.day < self._days:
                done, _ = await asyncio.wait(tasks, timeout=1, return_when="FIRST_EXCEPTION")
                for task in done:
                    task.result()
            tasks[1].cancel()  # nothing is killed any more
            await self._settle()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.to_thread(self._stop)
        self._look()
        return self.figures

    async def _settle(self) -> None:
        """Wait until a cycle has begun and ended."""
        end = time.monotonic() + SETTLING_SECONDS
        begun = self._cycles()
        while time.monotonic() < end and self._cycles() not in range(begun + 2, begun + 9):
            await asyncio.sleep(0.5)

    def _cycles(self) -> int:
        try:
            return KeepStatus.read(self._folder).cycles
        except LycosaError:
            return 0

    async def _supervise(self) -> None:
        """Start the keeper, and again whenever it has ended."""
        every = f"{max(self._day_seconds / 2, 5):g}s"
        command = ["keep", str(self._folder), "--requests", "60", "--every", every]
        start = (
            "import os, sys; os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1'); "
            "os.dup2(int(sys.argv.pop(1)), 3); from lycosa.cli import main; main(sys.argv[1:])"
        )
        descriptor = self._listener.fileno()
        with (self._folder.parent / "keep.log").open("ab") as log:
            while True:
                self._keeper = subprocess.Popen(
                    [sys.executable, "-c", start, str(descriptor), *command],
                    pass_fds=[descriptor], stdout=log, stderr=log,
                )  # fmt: skip
                await asyncio.to_thread(self._keeper.wait)
                await asyncio.sleep(RESTART_SECONDS)

    def _stop(self) -> None:
        if self._keeper is not None:
            self._keeper.terminate()
            self._keeper.wait(180)
        self._listener.close()

    async def _kill(self) -> None:
        """Kill every kind of process in turn, twice in three days."""
        turn = 0
        while True:
            await asyncio.sleep(self._day_seconds * (0.5 + self._chance.random() / 3))
            victim = VICTIMS[turn % len(VICTIMS)]
            while not (found := self._processes(victim)):
                await asyncio.sleep(0.05)
            process = self._chance.choice(found)
            with suppress(psutil.NoSuchProcess):
                await asyncio.sleep(self._chance.random())
                process.kill()
                self.figures.kills[victim] += 1
            turn += 1

    def _processes(self, kind: str) -> list[psutil.Process]:
        """Return the processes of a kind that run now."""
        if self._keeper is None or self._keeper.poll() is not None:
            return []
        found: dict[str, list[psutil.Process]] = defaultdict(list)
        with suppress(psutil.Error):
            keeper = psutil.Process(self._keeper.pid)
            found["keeper"].append(keeper)
            for child in keeper.children():
                line = child.cmdline()
                name = next((each for each in ("crawl", "build", "serve") if each in line), "")
                found["server" if name == "serve" else name].append(child)
                below = "server process" if name == "serve" else "worker"
                found[below] += child.children(recursive=True)
        return found[kind]

    async def _fill_disk(self) -> None:
        if self._disk is None:
            return
        balloon = self._disk / "balloon"
        await asyncio.sleep(max(FULL_DAYS[0] * self._day_seconds - self._passed(), 0))
        with balloon.open("wb") as file, suppress(OSError):
            while True:
                file.write(bytes(1 << 16))
                file.flush()
        self.figures.full = True
        await asyncio.sleep((FULL_DAYS[1] - FULL_DAYS[0]) * self._day_seconds)
        balloon.unlink()

    def _passed(self) -> float:
        return time.monotonic() - self._begun

    async def _read(self, number: int) -> None:
        """Be a reader, from the first answer on."""
        chance = Random(number)
        port = self._listener.getsockname()[1]
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
        while not (self._folder / "index" / "meta.json").exists():
            await asyncio.sleep(0.5)
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", timeout=timeout) as session:
            while True:
                await asyncio.sleep(chance.expovariate(1 / PAUSE_SECONDS))
                path = chance.choice(
                    ("/", f"/search?q={chance.choice(WORDS)}+{chance.choice(WORDS)}", "/feed",
                     f"/search?q={chance.choice(WORDS)}&sort=found", "/healthz")
                )  # fmt: skip
                began = time.perf_counter()
                try:
                    async with session.get(path) as response:
                        await response.read()
                        status = str(response.status)
                except (aiohttp.ClientError, TimeoutError, OSError) as error:
                    status = type(error).__name__
                self.figures.statuses[status] += 1
                self.figures.milliseconds.append(1000 * (time.perf_counter() - began))
                if not status.startswith("2"):
                    self.figures.failures.append(f"day {self.day:.2f} {path} {status}")

    async def _watch(self) -> None:
        while True:
            await asyncio.to_thread(self._look)
            await asyncio.sleep(self._day_seconds / 2)

    def _look(self) -> None:
        """Note the works of the portal, its size and its memory."""
        works = shown(self._folder)
        self.figures.ever |= works
        size = sum(each.stat().st_size for each in _files(self._folder)) / 2**20
        self.figures.curve.append((int(self.day), size, self._memory(), len(works)))

    def _memory(self) -> float:
        if self._keeper is None:
            return 0.0
        total = 0
        with suppress(psutil.Error):
            keeper = psutil.Process(self._keeper.pid)
            for process in (keeper, *keeper.children(recursive=True)):
                with suppress(psutil.Error):
                    total += process.memory_full_info().uss
        return total / 2**20


def shown(folder: Path) -> set[str]:
    """Return the URLs of all copies that the portal shows."""
    path = folder / "portal.db"
    if not path.exists():
        return set()
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            query = "SELECT url FROM documents JOIN copies ON document = id"
            return {url for (url,) in database.execute(query)}
    except sqlite3.Error:  # while it is made, or the disk is full
        return set()


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        with suppress(OSError):
            if path.is_file():
                yield path


def too_early(log: Path) -> tuple[int, list[str]]:
    """Return the requests of a log, and those that came too early after the answer before."""
    lines = sorted(json.loads(line) for line in log.read_text(encoding="utf-8").splitlines())
    last: dict[int, float] = {}
    early = []
    for arrived, answered, host, path, status in lines:
        gap = arrived - last.get(host, -1e9)
        if gap < (DELAY if host else CRAWL_DELAY):
            early.append(f"host {host} {path} {status}: {gap:.3f} s after the answer before")
        # The crawl does not wait for an answer that takes longer than its time-out.
        last[host] = answered if answered - arrived < 1 else arrived
    return len(lines), early


def missing(log: Path, folder: Path, port: int, begun: float, day: float, scale: float) -> set[str]:
    """Return the papers that the portal should show and does not."""
    served = set()
    for line in log.read_text(encoding="utf-8").splitlines():
        arrived, _, host, path, status = json.loads(line)
        if status == 200 and (arrived - begun) / scale < day - SETTLED_DAYS:
            served.add((host, path))
    wanted = {
        f"http://127.0.0.{host + 2}:{port}{paper.path(day)}"
        for host in range(HOSTS)
        for paper in living(host, day)
        if (host, paper.path(day)) in served and paper.moves - day > 0
    }
    return wanted - shown(folder)


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """Mount a small disk in memory; None where that is not allowed."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "lycosa-bench", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"No small disk: {error}", file=sys.stderr)
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def sites(day_seconds: float, log: Path) -> Iterator[tuple[int, float]]:
    """Serve the sites; yield their port and the time at which the first day begins."""
    command = [sys.executable, "-m", "bench.changing_sites", str(HOSTS), str(day_seconds), str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        try:
            port, begun = json.loads(process.stdout.readline())
            yield port, begun
        finally:
            process.kill()


def project(folder: Path, port: int) -> None:
    """Write the project whose portal is kept."""
    seeds = [f"http://127.0.0.{host + 2}:{port}/" for host in range(HOSTS)]
    made = Project.of_urls(folder, seeds, "url:paper OR url:moved", contact="you@example.org")
    job = made.job
    job = replace(
        job,
        addresses=replace(job.addresses, allow_loopback=True),
        pace=replace(job.pace, delay=DELAY, back_off=0.5, max_back_off=20.0, quarantine=20.0),
        limits=replace(job.limits, read=10.0, total=20.0),
    )
    storage = replace(made.storage, volume=2 << 20, compact_at=4 << 20)
    replace(made, job=job, storage=storage).write()


def measure(days: float, day_seconds: float) -> dict[str, Any]:
    """Run all days; return the figures."""
    with tempfile.TemporaryDirectory() as name, small_disk(Path(name) / "disk") as disk:
        log = Path(name) / "log"
        folder = Path(name) / "disk" / "kept"
        with sites(day_seconds, log) as (port, begun):
            project(folder, port)
            run = Run(folder, disk, days, day_seconds)
            figures = asyncio.run(run.run(begun))
            day = run.day
        requests, early = too_early(log)
        status = folder / "keep.json"
        return {
            "figures": figures,
            "requests": requests,
            "early": early,
            "missing": sorted(missing(log, folder, port, begun, day, day_seconds)),
            "vanished": vanished(figures.ever, port, day, folder),
            "status": json.loads(status.read_text()) if status.exists() else {},
            "log": (folder.parent / "keep.log").read_text(errors="replace"),
        }


def vanished(ever: set[str], port: int, day: float, folder: Path) -> list[str]:
    """Return what the portal has had and has not, though it is still there."""
    there = {
        f"http://127.0.0.{host + 2}:{port}{paper.path(day)}"
        for host in range(HOSTS)
        for paper in living(host, day)
    }
    return sorted((ever & there) - shown(folder))


def body(found: dict[str, Any], days: float, day_seconds: float) -> str:
    """Return the part of the page."""
    figures: Figures = found["figures"]
    total = sum(figures.statuses.values())
    kills = ", ".join(f"{name} {n}" for name, n in sorted(figures.kills.items()))
    by_day = {day: (disk, memory, works) for day, disk, memory, works in figures.curve}
    curve = [
        (day, f"{by_day[day][0]:.1f}", f"{by_day[day][1]:.0f}", by_day[day][2])
        for day in sorted(by_day)
        if day % 3 == 0 or day == max(by_day)
    ]
    memory = max(each[2] for each in figures.curve)
    rows = [
        ("killed", kills),
        ("disk was full", f"days {FULL_DAYS[0]:g} to {FULL_DAYS[1]:g}" if figures.full else "no"),
        ("works lost", len(found["missing"]) + len(found["vanished"])),
        ("requests to sites", f"{found['requests']:,}"),
        ("of these too early", len(found["early"])),
        ("requests of readers", f"{total:,}"),
        ("of these failed", f"{figures.failed} ({figures.failed / max(total, 1):.3%})"),
        ("most memory of all processes", f"{memory:.0f} MB"),
    ]
    return "\n\n".join(
        (
            f"{days:g} days of {day_seconds:g} s on {HOSTS} sites; every kind of process is killed "
            "in turn, one site fails for four days.",
            page.table(("", "value"), rows),
            page.table(("day", "project (MB)", "memory (MB)", "documents"), curve),
        )
    )


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=float, default=30.0)
    parser.add_argument("--day-seconds", type=float, default=40.0)
    parser.add_argument("--print", action="store_true", help="Print everything; write no page.")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    found = measure(given.days, given.day_seconds)
    text = body(found, given.days, given.day_seconds)
    for line in (
        *found["early"],
        *found["missing"],
        *found["vanished"],
        *found["figures"].failures,
    ):
        print(line, file=sys.stderr)
    if given.print:
        print(text, found["status"], found["log"], sep="\n")
    else:
        page.write("keep", "Thirty days of a kept portal", text)


if __name__ == "__main__":
    main()
