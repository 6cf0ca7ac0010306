"""The server processes of a portal, and their supervisor.

A process that ends by itself, or is killed, is started again; the others serve
meanwhile. Processes are forked from one that has loaded the modules and nothing else, so
that a new one is there in a moment. If one cannot even start, or they die in quick
succession, the supervisor gives up with an error, because starting them once more would
not help.
"""

from __future__ import annotations

import logging
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.synchronize import Semaphore
from pathlib import Path

from lycosa.errors import LycosaError
from lycosa.parent_death import end_with_parent
from lycosa.portal.web.rate_limit import BucketTable
from lycosa.portal.web.server import SHUTDOWN_SECONDS, run_server
from lycosa.portal.web.settings import Settings
from lycosa.portal.web.traffic import TrafficTable

MAX_DEATHS = 10
"""Deaths of processes within `DEATH_SECONDS` after which the supervisor gives up."""
DEATH_SECONDS = 60.0
POLL_SECONDS = 0.1
"""Between two looks whether all processes have started."""

_log = logging.getLogger("lycosa.portal")


class ServerProcesses:
    """Several processes that serve one portal on one socket.

    Parameters
    ----------
    count
        The number of processes.
    folder, settings, listener
        The portal, the options of the server, and the socket it listens on.
    linger
        Seconds for which the processes go on after their supervisor was killed.
    """

    def __init__(
        self,
        count: int,
        folder: Path,
        settings: Settings,
        listener: socket.socket,
        linger: float = 0.0,
    ) -> None:
        self._context: ForkServerContext = get_context("forkserver")
        self._context.set_forkserver_preload(["lycosa.portal.web.server"])
        self._started = self._context.Semaphore(0)
        self._clients = BucketTable.shared(self._context)
        self._traffic = TrafficTable(count, self._context)
        self._serving = folder, settings, listener, linger
        self._processes = [self._process(number) for number in range(count)]
        self._deaths: deque[float] = deque(maxlen=MAX_DEATHS)

    def run(self, ready: Callable[[], object]) -> None:
        """Serve until SIGTERM or Ctrl-C; `ready` is called when all processes have started."""

        def end(*_: object) -> None:
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGTERM, end)
        try:
            for process in self._processes:
                process.start()
            self._await_start()
            ready()
            while True:
                wait([process.sentinel for process in self._processes])
                self._restart()
        except KeyboardInterrupt:
            pass
        finally:
            signal.signal(signal.SIGTERM, before)
            self._stop()

    def _process(self, number: int) -> ForkServerProcess:
        arguments = (*self._serving, self._started, self._clients, self._traffic, number)
        return self._context.Process(target=_serve_beside, args=arguments)

    def _await_start(self) -> None:
        waiting = len(self._processes)
        while waiting:
            if not all(process.is_alive() for process in self._processes):
                raise LycosaError("A server process has ended while it started.")
            waiting -= self._started.acquire(timeout=POLL_SECONDS)

    def _restart(self) -> None:
        """Start the processes again that have ended."""
        for at, process in enumerate(self._processes):
            if process.is_alive():
                continue
            now = time.monotonic()
            if len(self._deaths) == MAX_DEATHS and now - self._deaths[0] < DEATH_SECONDS:
                raise LycosaError(
                    f"{MAX_DEATHS} server processes have ended within {DEATH_SECONDS:g} "
                    f"seconds, the last with exit code {process.exitcode}: the server stops."
                )
            self._deaths.append(now)
            _log.warning("A server process ended with exit code %s: restarted", process.exitcode)
            process.join()
            self._clients.recover()
            self._traffic.count_restart()
            self._processes[at] = self._process(at)
            self._processes[at].start()

    def _stop(self) -> None:
        for process in self._processes:
            if process.pid is not None:
                process.terminate()
        for process in self._processes:
            if process.pid is not None:
                process.join(2 * SHUTDOWN_SECONDS)
                process.kill()


def _serve_beside(
    folder: Path,
    settings: Settings,
    listener: socket.socket,
    linger: float,
    started: Semaphore,
    clients: BucketTable,
    traffic: TrafficTable,
    number: int,
) -> None:
    """Serve requests in one of several processes, which ends with its parent, or soon after."""
    end_with_parent(signal.SIGTERM, linger=linger)
    run_server(folder, settings, listener, started.release, clients, traffic, number)
