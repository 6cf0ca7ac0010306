"""Faults of a cluster crawl, each many times at random moments: what is lost, and for how long.

Two workers crawl a generated web through short leases. At a random moment one fault strikes;
then the crawl goes on to its end. `python -m bench.cluster_faults [TIMES] [NAME…]` lets each
fault strike until there are so many outcomes of it. Outcomes are kept in a folder as they
come, so that a run can be stopped, and faults can be tried by several processes at a time;
`python -m bench.cluster_outcomes` writes the part.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.cluster_network import Namespace, Relay, network_namespace
from bench.cluster_outcomes import (
    HOSTS,
    LEASE_SECONDS,
    LONG_PAGES,
    PAGES,
    SITE_PAGES,
    append_outcome,
    end_on_signal,
    load_outcomes,
    see_end,
    trial_orders,
    wait_for_moment,
    write_part,
)
from bench.cluster_world import ServedWorld, WorkerProcesses, create, read, served_world
from lycosa.cluster.embedded.postgres import EmbeddedPostgres

TIMES = 50
DISK_BYTES = 64 << 20
"""The size of the disk that a worker and the archive share."""
SERVER_BYTES = 256 << 20
"""The size of the disk of PostgreSQL, where it is to be full."""


@dataclass
class Trial:
    """One crawl with two workers, and what a fault needs to strike."""

    served: ServedWorld
    postgres: EmbeddedPostgres
    processes: WorkerProcesses
    url: str
    disk: Path
    """The disk of a machine: the archive is there, and the folder of temporary files."""
    orders: dict[str, Any]
    namespace: Namespace | None = None
    """The network namespace of the first worker, if that is where the fault strikes."""
    apart: WorkerProcesses | None = None
    """Forks workers in that namespace."""
    workers: list[int] = field(default_factory=list)
    relays: list[Relay] = field(default_factory=list)

    @property
    def archive(self) -> Path:
        """The folder of whole volumes."""
        return self.disk / "archive"

    def start(self, hour_off: float = 0.0) -> None:
        """Start a worker, which reaches PostgreSQL through a relay."""
        parts = urlsplit(self.url)
        relay = Relay(parts.hostname or "", parts.port or 5432)
        self.relays.append(relay)
        host = parts.netloc.rpartition("@")[0] + f"@127.0.0.1:{relay.port}"
        url = parts._replace(netloc=host).geturl()
        self.workers.append(self.processes.start(url, self.orders, hour_off))

    def start_first(self) -> None:
        """Start the first worker: in the namespace, where it reaches PostgreSQL without a relay."""
        namespace = self.namespace
        if namespace is None or self.apart is None:
            self.start()
            return
        parts, proxy = urlsplit(self.url), urlsplit(self.served.proxy)
        host = parts.netloc.rpartition("@")[0] + f"@{namespace.database_host}:{parts.port}"
        self.relays.append(Relay("127.0.0.1", proxy.port or 80, namespace.web_host))
        there = f"http://{namespace.web_host}:{self.relays[-1].port}"
        orders = self.orders | {"proxy": there}
        self.workers.append(self.apart.start(parts._replace(netloc=host).geturl(), orders))

    def end(self) -> None:
        """Wait for the workers; kill them first if the crawl has not ended."""
        ((reason,),) = read(self.url, "SELECT reason FROM crawl")
        for number, worker in enumerate(self.workers):
            if reason is None:
                os.kill(worker, signal.SIGKILL)
            (self.apart if self.apart and not number else self.processes).wait(worker)
        for relay in self.relays:
            relay.close()

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


def suspend_sender(trial: Trial) -> bool:
    """Suspend a worker for two leases when it is about to send a request.

    Returns whether it was: it may have sent its last one.
    """
    trial.kill(0, signal.SIGRTMIN)
    if not trial.processes.wait_until_suspended(trial.workers[0]):
        return False
    time.sleep(2 * LEASE_SECONDS)
    trial.kill(0, signal.SIGCONT)
    return True


def cut_link(trial: Trial) -> None:
    """Take the network link of a worker to PostgreSQL down for two leases."""
    if trial.namespace is not None:
        trial.namespace.cut()
        time.sleep(2 * LEASE_SECONDS)
        trial.namespace.join()


def cut_network(trial: Trial) -> None:
    """Cut one of two workers off from PostgreSQL for two leases."""
    trial.relays[0].is_cut = True
    time.sleep(2 * LEASE_SECONDS)
    trial.relays[0].is_cut = False


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


def set_clocks(trial: Trial) -> None:
    """Set the clock of one worker an hour ahead, and that of the other an hour back."""
    trial.kill(0, signal.SIGUSR1)
    trial.kill(1, signal.SIGUSR2)


def fill_disk(trial: Trial) -> None:
    """Fill the disk of a machine for two leases: neither archive nor checkpoints can be written.

    One of two workers is killed meanwhile: the other takes its shards over without a checkpoint.
    """
    with _full(trial.disk):
        trial.kill(1)
        trial.processes.wait(trial.workers.pop(1))
        time.sleep(2 * LEASE_SECONDS)


def fill_server(trial: Trial) -> None:
    """Fill the disk of PostgreSQL for two leases; start it again if it has ended."""
    with _full(trial.postgres.folder):
        time.sleep(2 * LEASE_SECONDS)
    trial.postgres.start()


@contextmanager
def _full(folder: Path) -> Iterator[None]:
    rest = folder / "rest"
    with rest.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(1 << 20)):
            pass
    try:
        yield
    finally:
        rest.unlink()


FAULTS: dict[str, Callable[[Trial], bool | None]] = {
    "kill -9 of a worker": kill_worker,
    "worker suspended for two leases": suspend_worker,
    "worker suspended for two leases, about to send": suspend_sender,
    "worker cut off from PostgreSQL for two leases": cut_network,
    "link of a worker to PostgreSQL down for two leases": cut_link,
    "PostgreSQL restarted, immediate": restart_postgresql,
    "archive refuses files for two leases": refuse_archive,
    "disk full for two leases, one of two workers killed": fill_disk,
    "disk of PostgreSQL full for two leases": fill_server,
    "clocks set an hour ahead and an hour back": set_clocks,
    "all workers killed, clocks an hour fast and slow": set_clock_off,
}


@contextmanager
def small_disk(folder: Path, size: int, mode: str = "0755") -> Iterator[None]:
    """Mount a disk of so many bytes, in memory, at a folder; only root can."""
    folder.mkdir(parents=True)
    options = ["-t", "tmpfs", "-o", f"size={size},mode={mode}"]
    subprocess.run(["mount", *options, "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def server(
    size: int | None = None, listen: tuple[str, ...] = ()
) -> Iterator[tuple[EmbeddedPostgres, Path]]:
    """Run a PostgreSQL for the trials, on a disk of so many bytes."""
    folder = Path(tempfile.mkdtemp(prefix="lycosa-faults-"))
    folder.chmod(0o711)
    place = folder / "postgresql"
    disk = nullcontext() if size is None else small_disk(place, size, mode="0711")
    try:
        with disk:
            postgres = EmbeddedPostgres(place, listen=listen, sync=False)
            try:
                postgres.start()
                yield postgres, folder
            finally:
                postgres.stop("immediate")
    finally:
        shutil.rmtree(folder)


def try_fault(name: str, times: int) -> None:
    """Let a fault strike until there are so many outcomes of it."""
    chance = random.Random()
    fault = FAULTS[name]
    size = SERVER_BYTES if fault is fill_server else None
    pages = LONG_PAGES if "for two leases" in name else PAGES
    with ExitStack() as stack:
        namespace = apart = None
        if fault is cut_link:
            namespace = stack.enter_context(network_namespace())
            apart = stack.enter_context(WorkerProcesses(*namespace.prefix))
        listen = () if namespace is None else (namespace.database_host,)
        postgres, folder = stack.enter_context(server(size, listen))
        served = stack.enter_context(served_world(HOSTS, SITE_PAGES, 0.01))
        processes = stack.enter_context(WorkerProcesses())
        for number in count(1):
            if len(load_outcomes(name)) >= times:
                break
            disk = folder / f"disk-{number}"
            with small_disk(disk, DISK_BYTES):
                url = postgres.create_database(f"trial_{number}")
                orders = trial_orders(served, disk / "archive", pages)
                create(url, orders, shards=4)
                orders["temp"] = str(disk)
                trial = Trial(served, postgres, processes, url, disk, orders, namespace, apart)
                served.log.lines.clear()
                trial.start_first()
                trial.start()
                counted = wait_for_moment(url, chance)
                if counted is not None and fault(trial) is not False:
                    outcome = see_end(served, url, counted)
                    append_outcome(name, outcome)
                    print(name, number, outcome, flush=True)
                trial.end()
                postgres.drop_database(f"trial_{number}")


def main(times: int = TIMES, *names: str) -> None:
    """Try every fault so many times, and write the part."""
    end_on_signal()
    for name in names or FAULTS:
        try_fault(name, times)
    if not names:
        write_part()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:])
