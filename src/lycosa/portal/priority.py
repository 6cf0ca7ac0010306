"""Priorities: a build yields the processor to the server of the same portal.

The server holds a shared `flock` on the folder, which the operating system
releases however the process ends. A build that finds it held asks the scheduler
for idle time only. A nice value is not enough: a nice process still finishes its
time slice before one that wakes up, and a page needs many slices.
"""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FALLBACK_NICENESS = 10
"""Where the operating system has no idle scheduling class."""

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
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        try:
            yield
        finally:
            with suppress(PermissionError):
                os.sched_setscheduler(0, *before)
    else:
        os.nice(FALLBACK_NICENESS)
        yield
