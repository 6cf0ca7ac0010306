"""Faults of a cluster crawl, each many times at random moments: what is lost, and for how long.

Two workers crawl a generated web through leases of 1.5 s. At a random moment one fault strikes;
then the crawl goes on to its end. `python -m bench.cluster_faults [TIMES] [NAME…]`.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.cluster_world import ServedWorld, WorkerProcesses, create, read, served_world
from bench.page import table, write
from lycosa.cluster.embedded.postgres import EmbeddedPostgres

TIMES = 50
HOSTS, PAGES = 6, 90
LEASE_SECONDS, DELAY_SECONDS = 1.5, 0.1
MAX_SECONDS = 120.0
"""A crawl that has not ended by then is stuck."""
TOLERANCE = 0.02
"""Seconds by which the server may log a request late, and so the next one too early."""
_STEPS = "SELECT shard, n, url, final, reward FROM steps"


class Relay:
    """Forwards connections to PostgreSQL, until it is cut: then nothing arrives any more."""

    def __init__(self, host: str, port: int) -> None:
        self._target = host, port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.is_cut = False
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                try:
                    server = socket.create_connection(self._target)
                except OSError:  # PostgreSQL is restarted
                    client.close()
                    continue
                for ends in ((client, server), (server, client)):
                    threading.Thread(target=self._copy, args=ends, daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                while self.is_cut:
                    time.sleep(0.02)
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@dataclass
class Trial:
    """One crawl with two workers, and what a fault needs to strike."""

    served: ServedWorld
    postgres: EmbeddedPostgres
    processes: WorkerProcesses
    relay: Relay
    url: str
    archive: Path
    orders: dict[str, Any]
    workers: list[int] = field(default_factory=list)

    def start(self, hour_off: float = 0.0) -> None:
        """Start a worker, which reaches PostgreSQL through the relay."""
        parts = urlsplit(self.url)
        host = parts.netloc.rpartition("@")[0] + f"@127.0.0.1:{self.relay.port}"
        url = parts._replace(netloc=host).geturl()
        self.workers.append(self.processes.start(url, self.orders, hour_off))

    def kill(self, worker: int, number: int = signal.SIGKILL) -> None:
        """Send a signal to a worker."""
        os.kill(self.workers[worker], number)


def kill_worker(trial: Trial) -> None:
    """Kill one of two workers, and start another."""
    trial.kill(0)
    trial.processes.wait(trial.workers.pop(0))
    trial.start()


def suspend_worker(trial: Trial) -> None:
    """Suspend a worker for two leases: when it wakes, it has lost its shards."""
    trial.kill(0, signal.SIGSTOP)
    time.sleep(2 * LEASE_SECONDS)
    trial.kill(0, signal.SIGCONT)


def cut_network(trial: Trial) -> None:
    """Cut both workers off from PostgreSQL for two leases."""
    trial.relay.is_cut = True
    time.sleep(2 * LEASE_SECONDS)
    trial.relay.is_cut = False


def restart_postgresql(trial: Trial) -> None:
    """Stop PostgreSQL as a crash would, and start it again."""
    trial.postgres.stop("immediate")
    trial.postgres.start()


def refuse_archive(trial: Trial) -> None:
    """Let the archive refuse files for two leases: a file is in the place of its folder."""
    aside = trial.archive.with_name("aside")
    if trial.archive.exists():
        trial.archive.rename(aside)
    trial.archive.write_text("in the way")
    time.sleep(2 * LEASE_SECONDS)
    trial.archive.unlink()
    if aside.exists():
        aside.rename(trial.archive)


def set_clock_off(trial: Trial) -> None:
    """Kill both workers; new ones have clocks that are an hour fast, and an hour slow."""
    for worker in list(trial.workers):
        os.kill(worker, signal.SIGKILL)
        trial.processes.wait(worker)
    trial.workers.clear()
    trial.start(hour_off=1.0)
    trial.start(hour_off=-1.0)


FAULTS: dict[str, Callable[[Trial], None]] = {
    "kill -9 of a worker": kill_worker,
    "worker suspended for two leases": suspend_worker,
    "workers cut off from PostgreSQL for two leases": cut_network,
    "PostgreSQL restarted, immediate": restart_postgresql,
    "archive refuses files for two leases": refuse_archive,
    "clocks an hour fast and an hour slow": set_clock_off,
}


@dataclass
class Outcome:
    """What a fault did to one crawl."""

    lost: int
    twice: int
    early: int
    """Requests before the delay of their host was over."""
    repeated: int
    """Requests for a page beyond the first."""
    stalled: float
    """Seconds after the fault until the next step was committed."""
    ended: bool


def try_fault(trial: Trial, fault: Callable[[Trial], None], chance: random.Random) -> Outcome:
    """Crawl, let a fault strike at a random moment, and look at what became of the crawl."""
    log = trial.served.log
    log.lines.clear()
    for _ in range(2):
        trial.start()
    moment = chance.randrange(5, PAGES - 20)
    while len(counted := read(trial.url, _STEPS)) < moment:
        time.sleep(0.1)
    time.sleep(chance.random() * 0.3)
    fault(trial)
    struck, stalled, deadline = time.monotonic(), 0.0, time.monotonic() + MAX_SECONDS
    before = len(read(trial.url, _STEPS))
    reason = None
    while reason is None and time.monotonic() < deadline:
        time.sleep(0.1)
        ((reason, steps),) = read(
            trial.url, "SELECT reason, (SELECT count(*) FROM steps) FROM crawl"
        )
        if not stalled and (steps > before or reason is not None):
            stalled = time.monotonic() - struck
    if reason is None:
        for name in ("leases", "workers", "shards", "marks", "crawl"):
            print(name, read(trial.url, f"SELECT * FROM {name}"), file=sys.stderr)  # noqa: S608
    for worker in trial.workers:
        if reason is None:
            os.kill(worker, signal.SIGKILL)
        trial.processes.wait(worker)
    trial.workers.clear()
    steps = read(trial.url, _STEPS)
    gaps = [gap for found in log.intervals().values() for gap in found]
    pages = Counter((host, path) for _, host, path in log.lines if path != "/robots.txt")
    return Outcome(
        len(set(counted) - set(steps)),
        len(steps) - len({url for _, _, url, *_ in steps}),
        sum(gap < DELAY_SECONDS - TOLERANCE for gap in gaps),
        sum(pages.values()) - len(pages),
        stalled,
        reason is not None,
    )


@contextmanager
def server() -> Iterator[tuple[EmbeddedPostgres, Path]]:
    """Run a PostgreSQL for the trials."""
    folder = Path(tempfile.mkdtemp(prefix="lycosa-faults-"))
    folder.chmod(0o711)
    postgres = EmbeddedPostgres(folder / "postgresql", sync=False)
    try:
        postgres.start()
        yield postgres, folder
    finally:
        postgres.stop("immediate")
        shutil.rmtree(folder)


def main(times: int = TIMES, *names: str) -> None:
    """Try every fault so many times, and write the part."""
    chance = random.Random(1)
    rows = []
    with server() as (postgres, folder), served_world(HOSTS, 100, 0.01) as served:
        for name in names or FAULTS:
            outcomes = []
            with WorkerProcesses() as processes:
                for number in range(times):
                    place = folder / "crawl"
                    place.mkdir()
                    database = f"trial_{len(rows)}_{number}"
                    url = postgres.create_database(database)
                    parts = urlsplit(url)
                    relay = Relay(parts.hostname or "", parts.port or 5432)
                    orders = served.orders(
                        archive=str(place / "archive"), lease=LEASE_SECONDS, delay=DELAY_SECONDS,
                        pages=PAGES, volume_bytes=20_000,
                    )  # fmt: skip
                    create(url, orders, shards=4)
                    trial = Trial(
                        served, postgres, processes, relay, url, place / "archive", orders
                    )
                    outcomes.append(try_fault(trial, FAULTS[name], chance))
                    print(name, number + 1, outcomes[-1], flush=True)
                    relay.close()
                    postgres.drop_database(database)
                    shutil.rmtree(place)
            rows.append(_row(name, outcomes))
    head = ["fault", "times", "lost", "twice", "early", "repeated, at most", "stalled, median",
            "at most", "ended"]  # fmt: skip
    write(
        "cluster-faults",
        "A cluster crawl: faults",
        f"Two workers, {HOSTS} hosts, {PAGES} pages, leases of {LEASE_SECONDS} s, a delay of "
        f"{DELAY_SECONDS} s. *Lost*: steps that were committed before the fault and are missing "
        "after it; *twice*: URLs with two steps; *early*: requests before the delay of their host "
        "was over, by the log of the server; *repeated*: requests for a page beyond the first; "
        "*stalled*: seconds from the end of the fault to the next committed step.\n\n"
        + table(head, rows),
        "bench-cluster",
    )


def _row(name: str, outcomes: list[Outcome]) -> list[object]:
    stalls = sorted(outcome.stalled for outcome in outcomes)
    return [
        name,
        len(outcomes),
        sum(outcome.lost for outcome in outcomes),
        sum(outcome.twice for outcome in outcomes),
        sum(outcome.early for outcome in outcomes),
        max(outcome.repeated for outcome in outcomes),
        f"{stalls[len(stalls) // 2]:.1f} s",
        f"{stalls[-1]:.1f} s",
        f"{sum(outcome.ended for outcome in outcomes)}",
    ]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:])
