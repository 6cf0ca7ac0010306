"""Commands run in a pseudo-terminal of some width, as a person runs them."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# Which would decide instead of the terminal.
IGNORED = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "LYCOSA_PLAIN")


def run_in_terminal(*arguments, columns=80, variables=None, code=None):
    """Run `lycosa`, or Python code, in a terminal; return its exit code and all that it wrote."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in IGNORED}
    settings = {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **(variables or {})}
    start = ["-m", "lycosa.cli"] if code is None else ["-c", code]
    with subprocess.Popen(
        [sys.executable, *start, *map(str, arguments)],
        stdin=theirs, stdout=theirs, stderr=theirs, env={**kept, **settings},
    ) as process:  # fmt: skip
        os.close(theirs)
        written = b""
        while piece := _read(ours):
            written += piece
    os.close(ours)
    return process.returncode, written.decode()


def _read(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:  # nobody has the other end any more
        return b""


def lines_of(written):
    """Return the texts between two movements of the cursor to another line or its beginning."""
    text = re.sub(r"\x1b\[[0-9]*[ABEFGHJK]", "\n", written)
    return [line for line in re.split(r"[\r\n]+", ESCAPES.sub("", text)) if line.strip()]
