"""PostScript to PDF through Ghostscript, where it is installed.

PostScript is a program. It runs in a process of its own without access to
files (`-dSAFER`) but those in a folder made for it, and with limits on its time
and on the size of what it writes; its memory is limited by whoever calls, for a
process inherits that.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

_BEGINS = re.compile(rb"(?:\x04|\x1b[^%]{0,1000})?%!")

SECONDS = 60
"""Of computing that a document may take."""


class NoGhostscript(Exception):
    """The program `gs` is not on the path; install Ghostscript to read PostScript."""


def is_postscript(body: bytes) -> bool:
    """Whether a body begins as PostScript does; printers' control codes may come before.

    >>> is_postscript(b"%!PS-Adobe-2.0"), is_postscript(b"50% off")
    (True, False)
    """
    return bool(_BEGINS.match(body))


def to_pdf(body: bytes, size: int) -> tuple[bytes, bool]:
    """The PDF of a PostScript document, and whether the program came to its end.

    The PDF has at most `size` bytes, and none if not even a first page was begun.
    """
    program = shutil.which("gs")
    if program is None:
        raise NoGhostscript(NoGhostscript.__doc__)
    with _folder() as folder:
        target = folder / "out.pdf"
        command = [program, "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite"]
        command += ["-sstdout=%stderr", f"-sOutputFile={target}", "-_"]
        with subprocess.Popen(  # noqa: S603 (no shell, and no word of it is from outside)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # What is in the folder for temporary files is free to all documents, in spite of
            # -dSAFER; so each has one of its own.
            env={**os.environ, "TMPDIR": str(folder)},
        ) as process:
            for limit, value in ((resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_FSIZE, size)):
                with suppress(AttributeError, OSError):  # not every system can; it may be done
                    resource.prlimit(process.pid, limit, (value, value))
            try:
                process.communicate(body, timeout=2 * SECONDS)
            except (BrokenPipeError, subprocess.TimeoutExpired):
                process.kill()
        return target.read_bytes() if target.is_file() else b"", process.returncode == 0


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder that is gone afterwards, even if this process is killed meanwhile."""
    folder = mkdtemp(prefix="lycosa-")
    # A shell in a session of its own outlives us: it waits for its input to end.
    with subprocess.Popen(  # noqa: S603 (the folder is ours)
        ["/bin/sh", "-c", 'read -r _; rm -rf -- "$0"', folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ):
        yield Path(folder)
