"""Commands of Lycosa as child processes that end with their parent."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

_log = logging.getLogger("lycosa.keep")

STOP_SECONDS = 60.0
"""For a child to end after SIGTERM: a crawl finishes its requests in flight."""
# Where the system can do so, the child is asked to end when its parent ends, even by a kill.
_LAUNCHER = """
import signal, sys
try:
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
except (ImportError, OSError, AttributeError):
    pass
from lycosa.cli import main
main(sys.argv[1:])
"""


def start_command(arguments: Sequence[str], *, quiet: bool = True) -> subprocess.Popen[bytes]:
    """Start `lycosa` with arguments; if `quiet`, what it prints on the standard output is lost."""
    _log.info("lycosa %s", " ".join(arguments))
    return subprocess.Popen(  # noqa: S603 - our own commands
        [sys.executable, "-c", _LAUNCHER, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if quiet else None,
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
