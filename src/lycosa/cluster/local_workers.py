"""Worker processes on this machine, without Ray: started, and started again when they die."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import dataclass

from lycosa.closing import Closing
from lycosa.cluster.project_orders import ProjectOrders
from lycosa.errors import LycosaError

MAX_FAILURES = 5
"""Deaths of a worker, each soon after its start, after which the crawl is given up."""
SOON_SECONDS = 10.0
END_SECONDS = 30.0
"""How long workers may take to end before they are killed."""


@dataclass
class _Place:
    process: subprocess.Popen[bytes]
    started: float
    failures: int = 0


class LocalWorkers(Closing):
    """So many workers of a crawl, each a process of this machine."""

    def __init__(self, orders: ProjectOrders, count: int) -> None:
        self._orders = orders
        self._ending = False
        self._places = [self._start() for _ in range(count)]

    def watch(self) -> bool:
        """Start dead workers again; return whether any is at work.

        Raises a `LycosaError` if one dies again and again.
        """
        for place in self._places:
            if place.process.poll() and not self._ending:  # an exit code that is not 0
                soon = time.monotonic() - place.started < SOON_SECONDS
                place.failures = place.failures + 1 if soon else 1
                if place.failures >= MAX_FAILURES:
                    raise LycosaError(
                        "A worker ends again and again after its start: its last lines say why."
                    )
                new = self._start()
                place.process, place.started = new.process, new.started
        return any(place.process.poll() is None for place in self._places)

    def stop(self) -> None:
        """Let all workers finish their requests and end."""
        self._ending = True
        for place in self._places:
            place.process.send_signal(signal.SIGTERM)

    def close(self) -> None:
        """End all workers."""
        self._ending = True
        deadline = time.monotonic() + END_SECONDS
        for place in self._places:
            if place.process.stdin is not None:
                place.process.stdin.close()  # the worker stops when its input ends
        for place in self._places:
            try:
                place.process.wait(max(deadline - time.monotonic(), 0.0))
            except subprocess.TimeoutExpired:
                place.process.kill()
                place.process.wait()

    def _start(self) -> _Place:
        command = [sys.executable, "-m", "lycosa.cluster.worker_process"]
        # Ctrl-C in the terminal is for the program that started them, which stops them.
        process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True
        )
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        process.stdin.write(self._orders.to_json())
        process.stdin.flush()
        return _Place(process, time.monotonic())
