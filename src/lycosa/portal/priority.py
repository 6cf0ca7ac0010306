"""Those who search go first: a build gives way if the portal is being served when it begins.

Who serves a portal holds a shared `flock` on its folder, which ends with the
process however that ends. A build that sees it asks the scheduler for time
that nobody else wants. It is not enough to be nice: a nice process still ends
its turn before one that wakes up, and a page needs many turns.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_NICENESS = 10  # where there is no such scheduler


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
    """Whether somebody serves the portal of a folder.

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
    except OSError:
        return False
    finally:
        os.close(file)
    return False


@contextmanager
def giving_way(folder: Path) -> Iterator[None]:
    """Let those go first who read the portal of a folder; all that is begun inside does, too."""
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
        os.nice(_NICENESS)
        yield
