"""A worker in a process of its own: `python -m lycosa.cluster.worker_process`.

It reads what to do from its standard input, so that the URL of the database is neither in the
list of processes nor in a file, and ends when that input ends: with the program that
started it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from lycosa.cluster.database import Database
from lycosa.cluster.project_orders import ProjectOrders
from lycosa.cluster.worker import Worker


async def run_worker(orders: ProjectOrders, until_end_of: int) -> str:
    """Run a worker until the crawl ends, a signal comes, or a file does; return the reason."""
    loop = asyncio.get_running_loop()
    with Database(orders.url) as database:
        worker = Worker(database, orders.plan(), lease_seconds=orders.lease_seconds)
        for number, reason in ((signal.SIGINT, "person"), (signal.SIGTERM, "signal")):
            loop.add_signal_handler(number, worker.stop, reason)

        def read() -> None:
            if not os.read(until_end_of, 1):
                loop.remove_reader(until_end_of)
                worker.stop("signal")

        loop.add_reader(until_end_of, read)
        return await worker.run()


def main() -> None:
    """Run the worker that the standard input describes."""
    orders = ProjectOrders.of_json(sys.stdin.buffer.readline())
    asyncio.run(run_worker(orders, sys.stdin.fileno()))


if __name__ == "__main__":
    main()
