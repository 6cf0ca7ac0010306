"""Commands of Lycosa as child processes that end with their parent."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

from lycosa.parent_death import PARENT_DEATH_SIGNAL

_log = logging.getLogger("lycosa.keep")

STOP_SECONDS = 60.0
"""For a child to end after SIGTERM: a crawl finishes its requests in flight."""
# When the parent ends, a server goes on for a while (`lycosa.portal.web.listener`), other
# commands end. A socket is given as systemd does: its number is fixed, and the child's own id
# tells it so.
_LAUNCHER = f"""{PARENT_DEATH_SIGNAL}
import os, signal, sys
parent, socket, niceness = (int(sys.argv.pop(1)) for _ in range(3))
follow_parent(parent, signal.SIGTERM if socket < 0 else signal.SIGUSR1)
os.nice(niceness)
if socket >= 0:
    os.dup2(socket, 3)
    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
from lycosa.cli import main
main(sys.argv[1:])
"""


def start_command(
    arguments: Sequence[str], *, listener: socket.socket | None = None, niceness: int = 0
) -> subprocess.Popen[bytes]:
    """Start `lycosa` with arguments.

    With a `listener` it serves on it; without one, what it prints on the standard output is
    lost. `niceness` lowers its priority.
    """
    _log.info("lycosa %s", " ".join(arguments))
    given = [] if listener is None else [listener.fileno()]
    numbers = map(str, (os.getpid(), *(given or [-1]), niceness))
    return subprocess.Popen(  # noqa: S603 - our own commands
        [sys.executable, "-c", _LAUNCHER, *numbers, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=None if given else subprocess.DEVNULL,
        pass_fds=given,
    )


def stop_command(child: subprocess.Popen[bytes], seconds: float = STOP_SECONDS) -> None:
    """Ask a child to end, and kill it if it does not in time."""
    if child.poll() is None:
        with suppress(ProcessLookupError):
            child.send_signal(signal.SIGTERM)
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        _log.warning("A process did not end in %g s and is killed", seconds)
        child.kill()
        child.wait()
