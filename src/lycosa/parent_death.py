"""Processes that end with their parent, even if that is killed.

A killed process runs no clean-up code, so its children have to notice by themselves.
Those of `multiprocessing` have a pipe that closes when their parent ends, which a thread
waits for (`end_with_parent`). A program that is started otherwise asks the system for a
signal (Linux: PR_SET_PDEATHSIG of prctl(2)), in a launcher of a few lines
(`PARENT_DEATH_SIGNAL`).
"""

from __future__ import annotations

import os
import signal
import time
from multiprocessing import parent_process
from threading import Thread

PARENT_DEATH_SIGNAL = """
def follow_parent(parent, number):
    import ctypes, os
    try:
        ctypes.CDLL(None).prctl(1, number)  # PR_SET_PDEATHSIG
    except (OSError, AttributeError):
        return
    if os.getppid() != parent:  # it ended before the signal was asked for
        os.kill(os.getpid(), number)
"""
"""Source of `follow_parent(parent, number)` for launchers: signal this process when its parent
ends. `parent` is the parent's process id. Nothing happens where the system cannot do so."""


def end_with_parent(number: int = signal.SIGKILL, *, linger: float = 0.0) -> None:
    """Send this process a signal when the process that started it by multiprocessing has ended.

    `linger` is for how many seconds it goes on after that. In a process that
    multiprocessing did not start, nothing happens.
    """
    parent = parent_process()
    if parent is None:
        return

    def follow() -> None:
        parent.join()
        time.sleep(linger)
        os.kill(os.getpid(), number)

    Thread(target=follow, name="lycosa-parent", daemon=True).start()
