"""Ctrl-C as a person presses it: again, when nothing happens."""

import os
import signal
import subprocess
from collections.abc import Callable


def press(process: subprocess.Popen, kill: Callable[[int, int], None] = os.kill) -> None:
    """Interrupt a process until it ends, and end it at last.

    Once is not enough: a signal that arrives between Python's last look and a
    system call that blocks is noticed only when that call returns, which may be never.
    """
    for _ in range(20):
        kill(process.pid, signal.SIGINT)
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            continue
        return
    process.kill()
