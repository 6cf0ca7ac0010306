"""Workers as Ray actors: Ray places them on its machines and brings dead ones back."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Any

from lycosa.closing import Closing
from lycosa.cluster.database import Database
from lycosa.cluster.leases import LEASE_SECONDS
from lycosa.cluster.worker import CrawlPlan, Worker

_log = logging.getLogger("lycosa.cluster")

END_SECONDS = 30.0
"""How long workers may take to end before they are killed."""


@dataclass(frozen=True)
class WorkerOrders:
    """What a worker inside Ray gets, in the form in which Ray sends objects."""

    url: str = field(repr=False)
    """The URL of the database, which may have a password."""
    plan: CrawlPlan
    lease_seconds: float = LEASE_SECONDS


class WorkerActor:
    """A worker inside Ray. A restarted actor is a new worker with a new name."""

    def __init__(self, orders: WorkerOrders) -> None:
        self._orders = orders
        self._worker: Worker | None = None
        self._stopping = False

    async def run(self) -> str:
        """Run the worker until the crawl has ended; return why."""
        orders = self._orders
        # Closing the connections waits for their thread, so not in the loop of the actor.
        database = await asyncio.to_thread(Database, orders.url)
        try:
            worker = Worker(database, orders.plan, lease_seconds=orders.lease_seconds)
            self._worker = worker
            if self._stopping:
                worker.stop("signal")
            return await worker.run()
        finally:
            await asyncio.to_thread(database.close)

    async def stop(self) -> None:
        """Let the worker finish its requests and end."""
        self._stopping = True
        if self._worker is not None:
            self._worker.stop("signal")


class RayWorkers(Closing):
    """Workers of a crawl in the Ray that this program is connected to, until they are closed.

    `orders` are for each of them; `count` is their number, by default one for each core that
    Ray has.
    """

    def __init__(self, orders: WorkerOrders, count: int | None = None) -> None:
        import ray

        self._ray: Any = ray
        actor: Any = ray.remote(WorkerActor)
        # A worker waits most of the time; two concurrent calls are `run` and `stop`.
        options = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": -1, "max_concurrency": 4}
        number = count or int(ray.cluster_resources().get("CPU", 1))
        self._actors = [actor.options(**options).remote(orders) for _ in range(number)]
        self._runs = [each.run.remote() for each in self._actors]

    def watch(self) -> bool:
        """Return whether any worker is at work; raises the error of one that failed."""
        done, going = self._ray.wait(self._runs, num_returns=len(self._runs), timeout=0)
        for run in done:
            self._ray.get(run)
        return bool(going)

    def stop(self) -> None:
        """Let all workers finish their requests and end."""
        for actor in self._actors:
            actor.stop.remote()

    def close(self) -> None:
        """End all workers, and the connection to Ray, which prints messages until then."""
        if self._ray.wait(self._runs, num_returns=len(self._runs), timeout=0)[1]:
            self.stop()
            self._ray.wait(self._runs, num_returns=len(self._runs), timeout=END_SECONDS)
        for actor in self._actors:
            self._ray.kill(actor)
        self._ray.shutdown()
