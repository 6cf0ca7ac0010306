"""One accelerated run of `lycosa keep`: its supervisor, its readers, kills and a full disk."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import aiohttp
import psutil

from bench.changing_sites import WORDS
from bench.keep_outcomes import shown
from lycosa.errors import LycosaError
from lycosa.keep.status import KeepStatus

READERS = 4
PAUSE_SECONDS = 0.6
"""Mean pause of a reader between two requests; exponentially distributed."""
TIMEOUT_SECONDS = 60.0
"""After which a reader gives up; browsers wait for longer."""
SETTLING_SECONDS = 240.0
"""After the last day, for a cycle in which nothing is killed."""
VICTIMS = ("crawl", "build", "server process", "server", "keeper", "worker")
FULL_DAYS = (18.0, 20.0)
RESTART_SECONDS = 0.5
"""Before the supervisor starts the keeper again."""


@dataclass
class Figures:
    """What a run has shown."""

    kills: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    """What readers waited for, of the real clock; failed requests included."""
    loads: list[float] = field(default_factory=list)
    """Load averages of the machine during the run."""
    curve: list[tuple[int, float, float, int]] = field(default_factory=list)
    """Day, MB on the disk, MB of memory, works."""
    ever: set[str] = field(default_factory=set)
    """URLs that the portal has had."""
    full: bool = False
    """Whether the disk was full for a while."""
    failures: list[str] = field(default_factory=list)
    """Which requests of readers failed, when and how."""

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
                began, reason = time.perf_counter(), ""
                try:
                    async with session.get(path) as response:
                        await response.read()
                        status = str(response.status)
                except (aiohttp.ClientError, TimeoutError, OSError) as error:
                    status, reason = type(error).__name__, str(error)
                self.figures.statuses[status] += 1
                waited = time.perf_counter() - began
                self.figures.seconds.append(waited)
                if not status.startswith("2"):
                    failure = f"day {self.day:.2f} {path} {status} {reason} after {waited:.2f} s"
                    self.figures.failures.append(failure)

    async def _watch(self) -> None:
        while True:
            await asyncio.to_thread(self._look)
            await asyncio.sleep(self._day_seconds / 2)

    def _look(self) -> None:
        """Note the works of the portal, its size and its memory."""
        works = shown(self._folder)
        self.figures.ever |= works
        size = sum(each.stat().st_size for each in _files(self._folder)) / 2**20
        self.figures.loads.append(os.getloadavg()[0])
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


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        with suppress(OSError):
            if path.is_file():
                yield path
