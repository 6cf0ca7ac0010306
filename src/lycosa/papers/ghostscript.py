"""PostScript to PDF through Ghostscript, where it is installed.

PostScript is a program. It runs in a process of its own without access to
files (`-dSAFER`) and with limits on its time and on what it may write; its
memory is limited by whoever calls, for a process inherits that.
"""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

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


def to_pdf(body: bytes, size: int) -> bytes:
    """The PDF of a PostScript document, at most `size` bytes of it; b"" if there is none."""
    program = shutil.which("gs")
    if program is None:
        raise NoGhostscript(NoGhostscript.__doc__)
    with TemporaryDirectory(prefix="lycosa-") as folder:
        target = Path(folder, "out.pdf")
        command = [program, "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite"]
        command += ["-sstdout=%stderr", f"-sOutputFile={target}", "-_"]
        with subprocess.Popen(  # noqa: S603 (no shell, and no word of it is from outside)
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            for limit, value in ((resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_FSIZE, size)):
                with suppress(AttributeError, OSError):  # not every system can; it may be done
                    resource.prlimit(process.pid, limit, (value, value))
            try:
                process.communicate(body, timeout=2 * SECONDS)
            except (BrokenPipeError, subprocess.TimeoutExpired):
                process.kill()
        return target.read_bytes() if target.is_file() else b""
