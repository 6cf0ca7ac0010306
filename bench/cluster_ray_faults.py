"""Faults of Ray under a cluster crawl: `kill -9` of a raylet, and of the head.

Two workers are Ray actors. A raylet is killed with the machine that it stands for, and another
machine joins; a head is killed and does not come back before the crawl has ended. Outcomes are
observed and kept as `bench.cluster_faults` does: `python -m bench.cluster_ray_faults [TIMES]
[raylet|head]`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psutil

from bench.cluster_faults import server
from bench.cluster_outcomes import (
    HOSTS,
    LEASE_SECONDS,
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
END_SECONDS = 60.0
"""A program that has not ended by then after the end of its crawl is killed."""
KINDS = {"raylet": "kill -9 of a raylet", "head": "kill -9 of the head of Ray"}


class RayNode:
    """A further machine of a Ray, for one worker: a raylet on this one."""

    def __init__(self, head: EmbeddedRay) -> None:
        command = [
            *(sys.executable, "-c", "from ray.scripts.scripts import main; main()", "start"),
            *(f"--address={head.address}", "--node-ip-address=127.0.0.1", "--block"),
            *("--num-cpus=1", "--object-store-memory=100000000", "--disable-usage-stats"),
        ]
        # The head stays on the loopback interface without this; its nodes need it to join.
        environment = head.environment() | {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "1"}
        self._process = subprocess.Popen(
            command, env=os.environ | environment, start_new_session=True, cwd="/",
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def kill_raylet(self) -> None:
        """Kill its raylet."""
        _kill(self._process.pid, "raylet")

    def close(self) -> None:
        """End all its processes."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _kill(parent: int, name: str) -> None:
    """Kill the descendants of a process that have a name."""
    for process in psutil.Process(parent).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if process.name() == name:
                process.kill()


@contextmanager
def driver(head: EmbeddedRay, url: str, orders: dict[str, Any]) -> Iterator[None]:
    """Run the program that starts the workers, until the crawl has ended."""
    command = [sys.executable, "-m", "bench.cluster_ray_faults", "--drive"]
    process = subprocess.Popen(
        command, env=os.environ | head.environment(), stdin=subprocess.PIPE, text=True,
        cwd=Path(__file__).parents[1],
    )  # fmt: skip
    try:
        if process.stdin is not None:
            process.stdin.write(json.dumps([head.address, url, orders]))
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

    from lycosa.cluster.ray_workers import RayWorkers
    from lycosa.cluster.worker_process import WorkerOrders

    address, url, orders = json.load(sys.stdin)
    ray.init(address=address, namespace="lycosa", logging_level="ERROR", log_to_driver=False)
    with RayWorkers(WorkerOrders(url, make_plan(orders), LEASE_SECONDS), WORKERS) as workers:
        while workers.watch():
            time.sleep(0.2)


@contextmanager
def ray_of_machines(folder: Path) -> Iterator[tuple[EmbeddedRay, list[RayNode]]]:
    """Run a Ray whose workers are not on the machine of its head."""
    with EmbeddedRay(folder, cpus=0) as head:
        nodes: list[RayNode] = []
        try:
            nodes += [RayNode(head) for _ in range(WORKERS)]
            yield head, nodes
        finally:
            for node in nodes:
                node.close()


def kill_raylets(times: int, folder: Path, crawl: Callable[..., None]) -> None:
    """Kill raylets of one Ray until there are so many outcomes."""
    name = KINDS["raylet"]
    with ray_of_machines(folder / "ray") as (head, nodes):

        def strike() -> None:
            struck = nodes.pop(0)
            struck.kill_raylet()
            nodes.append(RayNode(head))
            struck.close()

        while len(load_outcomes(name)) < times:
            crawl(name, head, strike)


def kill_heads(times: int, folder: Path, crawl: Callable[..., None]) -> None:
    """Kill the heads of one Ray after the other until there are so many outcomes."""
    name = KINDS["head"]
    for number in count(1):
        if len(load_outcomes(name)) >= times:
            break
        with ray_of_machines(folder / f"ray-{number}") as (head, _):
            leader = json.loads((head.folder / "head.json").read_text())["process"]
            crawl(name, head, lambda leader=leader: _kill(leader, "gcs_server"))


def main(times: int, *kinds: str) -> None:
    """Try the faults of Ray so many times."""
    end_on_signal()
    chance, numbers = random.Random(), count(1)
    with server() as (postgres, folder), served_world(HOSTS, SITE_PAGES, 0.01) as served:

        def crawl(name: str, head: EmbeddedRay, strike: Callable[[], None]) -> None:
            number = next(numbers)
            url = postgres.create_database(f"trial_{number}")
            orders = trial_orders(served, folder / f"archive-{number}")
            create(url, orders, shards=4)
            served.log.lines.clear()
            with driver(head, url, orders):
                counted = wait_for_moment(url, chance)
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
