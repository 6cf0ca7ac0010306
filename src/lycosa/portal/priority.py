"""Priorities: a build yields the processor to the server of the same portal.

The server holds a shared `flock` on the folder, which the operating system
releases however the process ends. A build that finds it held asks the scheduler
for idle time only. A nice value is not enough: a nice process still finishes its
time slice before one that wakes up, and a page needs many slices. On a machine that
other programs keep busy all the time there is no idle time, and the portal would age: a build
that has waited for the processor for long takes part in the competition, as a nice process.
"""

from __future__ import annotations

import fcntl
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FALLBACK_NICENESS = 10
"""Where the operating system has no idle scheduling class, or no idle time."""
WATCH_SECONDS = 5.0
"""Between two looks whether a build is starved."""
STARVED_SECONDS = 15.0
"""The time for which a build waits for the processor before it is starved."""
STARVED_RATIO = 5.0
"""How much longer than it has run."""

_log = logging.getLogger("lycosa.portal")


@contextmanager
def serving(folder: Path) -> Iterator[None]:
    """Let builds know that the portal of a folder is being served."""
    file = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_SH)
        yield
    finally:
        os.close(file)


def is_served(folder: Path) -> bool:
    """Whether the portal of a folder is being served.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     before = is_served(Path(name))
    ...     with serving(Path(name)):
    ...         before, is_served(Path(name))
    (False, True)
    """
    file = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError as error:
        _log.debug("%s cannot be locked", folder, exc_info=error)
        return False
    finally:
        os.close(file)
    return False


@contextmanager
def lower_priority(folder: Path) -> Iterator[None]:
    """Run with idle priority if the portal of a folder is being served; children inherit it."""
    if not is_served(folder):
        yield
    elif hasattr(os, "SCHED_IDLE"):
        before = os.sched_getscheduler(0), os.sched_getparam(0)
        ended = threading.Event()  # the thread has the usual priority, or it would starve, too
        threading.Thread(target=_watch_starvation, args=(ended,), daemon=True).start()
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        try:
            yield
        finally:
            ended.set()
            with suppress(PermissionError):
                os.sched_setscheduler(0, *before)
    else:
        os.nice(FALLBACK_NICENESS)
        yield


def _watch_starvation(ended: threading.Event) -> None:
    """Give all threads of this process and of its children a share, once they are starved."""
    while not ended.wait(WATCH_SECONDS):
        threads = _threads()
        ran, waited = map(sum, zip(*map(_scheduled, threads), strict=True)) if threads else (0, 0)
        if waited > STARVED_SECONDS and waited > STARVED_RATIO * ran:
            _log.info("The build waits for the processor: it is no longer idle")
            for thread in threads:
                with suppress(OSError):
                    os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))
                    os.setpriority(os.PRIO_PROCESS, thread, FALLBACK_NICENESS)
            return


def _threads() -> list[int]:
    """Return the threads of this process and of its children, where the system lists them."""
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        tasks = Path(f"/proc/{waiting.pop()}/task")
        with suppress(OSError):
            for task in tasks.iterdir():
                found.append(int(task.name))
                waiting += map(int, (task / "children").read_text().split())
    return found


def _scheduled(thread: int) -> tuple[float, float]:
    """Return for how many seconds a thread ran, and how many it waited for a processor."""
    try:
        text = Path(f"/proc/{thread}/schedstat").read_text(encoding="ascii")
        ran, waited, _ = map(int, text.split())
    except (OSError, ValueError):
        return 0.0, 0.0
    return ran / 1e9, waited / 1e9
