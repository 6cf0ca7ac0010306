"""Faults of Ray under a cluster crawl: `kill -9` of a raylet, and of the head.

Two workers are Ray actors. A raylet is killed, and with it the machine that it stands for;
another one joins before the next crawl. A head is killed and does not come back before the crawl
has ended. Outcomes are observed and kept as by `bench.cluster_faults`:
`python -m bench.cluster_ray_faults [TIMES] [raylet|head]`.
"""

from __future__ import annotations

import json
import os
import random
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import psutil

from bench.cluster_faults import server
from bench.cluster_outcomes import (
    HOSTS,
    LEASE_SECONDS,
    RAY_PAGES,
    SITE_PAGES,
    append_outcome,
    end_on_signal,
    load_outcomes,
    see_end,
    trial_orders,
    wait_for_moment,
    write_part,
)
from bench.cluster_world import create, make_plan, served_world
from lycosa.cluster.embedded.ray_head import EmbeddedRay

TIMES = 50
WORKERS = 2
END_SECONDS = 2.0
"""A program that has not ended by then after the end of its crawl is killed. It waits for a
worker that Ray cannot start again, if there is no room for it on the machines that are left."""
MAX_STARTS = 5
"""Ray gives a machine 30 s to start, which is too little on a busy one."""
ADDRESS = "127.0.0.2"
"""Of all machines. Ray lets no machine join a head at 127.0.0.1."""
KINDS = {"raylet": "kill -9 of a raylet", "head": "kill -9 of the head of Ray"}


class RayNode:
    """A machine of a Ray, all of whose processes run on this one: its head, or a worker's.

    `folder` is where the Ray has its token and its files; `cpus` is the number of workers that
    the machine has room for.
    """

    def __init__(self, folder: Path, *place: str, cpus: int) -> None:
        command = [
            *(sys.executable, "-c", "from ray.scripts.scripts import main; main()", "start"),
            *(f"--node-ip-address={ADDRESS}", "--block", "--disable-usage-stats"),
            "--include-log-monitor=false",
            *(f"--num-cpus={cpus}", "--object-store-memory=100000000", *place),
        ]
        self._log = Path(tempfile.mkstemp(prefix="node-", dir=folder)[1])
        with self._log.open("a") as log:
            self.process = subprocess.Popen(
                command, env=os.environ | environment(folder), start_new_session=True, cwd="/",
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip

    def has_started(self) -> bool:
        """Wait until it has started; return False if it could not, as on a busy machine."""
        while "Ray runtime started" not in self._log.read_text(errors="replace"):
            if self.process.poll() is not None:
                return False
            time.sleep(0.2)
        return True

    def kill(self, name: str) -> None:
        """Kill its process of a name."""
        for process in psutil.Process(self.process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if process.name() == name:
                    process.kill()

    def close(self) -> None:
        """End all its processes."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def environment(folder: Path) -> dict[str, str]:
    """Return the variables that all programs of a Ray need."""
    # A Ray of one machine is kept on the loopback interface; machines could not join it then.
    return EmbeddedRay(folder).environment() | {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "1"}


def start_node(folder: Path, nodes: list[RayNode], *place: str, cpus: int) -> RayNode:
    """Start a machine and add it to a list; try again if it does not start in Ray's time."""
    for _ in range(MAX_STARTS):
        nodes.append(RayNode(folder, *place, cpus=cpus))
        if nodes[-1].has_started():
            return nodes[-1]
        nodes.pop().close()
    raise TimeoutError(f"Ray did not start {MAX_STARTS} times.")


@contextmanager
def ray_of_machines(folder: Path, *rooms: int) -> Iterator[tuple[str, list[RayNode]]]:
    """Run a Ray whose workers are not on the machine of its head.

    Yields the address of the head, and its machines: the head first, then one for each of the
    `rooms`, which has room for so many workers.
    """
    folder.mkdir()
    (folder / "token").write_text(secrets.token_hex(32))
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        port = probe.getsockname()[1]
    files = tempfile.mkdtemp(prefix="lycosa-ray-")
    options = ("--head", "--no-monitor", "--include-dashboard=false")
    place = (*options, f"--port={port}", f"--temp-dir={files}")
    address = f"{ADDRESS}:{port}"
    nodes: list[RayNode] = []
    try:
        start_node(folder, nodes, *place, cpus=0)
        for room in rooms:
            start_node(folder, nodes, f"--address={address}", cpus=room)
        yield address, nodes
    finally:
        for node in nodes:
            node.close()
        shutil.rmtree(files, ignore_errors=True)


@contextmanager
def driver(folder: Path, address: str, url: str, orders: dict[str, Any]) -> Iterator[None]:
    """Run the program that starts the workers, until the crawl has ended."""
    command = [sys.executable, "-m", "bench.cluster_ray_faults", "--drive"]
    with (folder / "driver.log").open("a") as log:
        process = subprocess.Popen(
            command, env=os.environ | environment(folder), stdin=subprocess.PIPE, text=True,
            stderr=log, cwd=Path(__file__).parents[1],
        )  # fmt: skip
    try:
        if process.stdin is not None:
            process.stdin.write(json.dumps([address, url, orders]))
            process.stdin.close()
        yield
        with suppress(subprocess.TimeoutExpired):
            process.wait(END_SECONDS)
    finally:
        process.kill()
        process.wait()


def drive() -> None:
    """Start the workers in Ray and wait for them."""
    import ray

    from lycosa.cluster.ray_workers import RayWorkers, WorkerOrders

    address, url, orders = json.load(sys.stdin)
    ray.init(address=address, namespace="lycosa", logging_level="ERROR", log_to_driver=False)
    with RayWorkers(WorkerOrders(url, make_plan(orders), LEASE_SECONDS), WORKERS) as workers:
        while workers.watch():
            time.sleep(0.2)


def kill_raylets(times: int, folder: Path, crawl: Callable[..., None]) -> None:
    """Kill raylets of one Ray until there are so many outcomes."""
    name, place = KINDS["raylet"], folder / "ray"
    with ray_of_machines(place, 1, 1) as (address, nodes):
        while len(load_outcomes(name)) < times:
            crawl(name, place, address, partial(nodes[1].kill, "raylet"))
            nodes.pop(1).close()
            start_node(place, nodes, f"--address={address}", cpus=1)


def kill_heads(times: int, folder: Path, crawl: Callable[..., None]) -> None:
    """Kill the heads of one Ray after the other until there are so many outcomes."""
    name = KINDS["head"]
    for number in count(1):
        if len(load_outcomes(name)) >= times:
            break
        place = folder / f"ray-{number}"
        with ray_of_machines(place, WORKERS) as (address, nodes):
            crawl(name, place, address, partial(nodes[0].kill, "gcs_server"))


def main(times: int, *kinds: str) -> None:
    """Try the faults of Ray so many times."""
    end_on_signal()
    chance, numbers = random.Random(), count(1)
    with server() as (postgres, folder), served_world(HOSTS, SITE_PAGES, 0.01) as served:

        def crawl(name: str, place: Path, address: str, strike: Callable[[], None]) -> None:
            number = next(numbers)
            url = postgres.create_database(f"trial_{number}")
            orders = trial_orders(served, folder / f"archive-{number}", RAY_PAGES)
            create(url, orders, shards=4)
            served.log.lines.clear()
            with driver(place, address, url, orders):
                counted = wait_for_moment(url, chance)
                if counted is not None:
                    strike()
                    outcome = see_end(served, url, counted)
                    append_outcome(name, outcome)
                    print(name, number, outcome, flush=True)
            postgres.drop_database(f"trial_{number}")

        if "raylet" in kinds:
            kill_raylets(times, folder, crawl)
        if "head" in kinds:
            kill_heads(times, folder, crawl)


if __name__ == "__main__":
    if sys.argv[1:] == ["--drive"]:
        drive()
    else:
        given = [word for word in sys.argv[1:] if word.isdigit()]
        main(int(given[0]) if given else TIMES, *(set(sys.argv[1:]) & KINDS.keys() or KINDS))
        if len(sys.argv) < 3:
            write_part()
