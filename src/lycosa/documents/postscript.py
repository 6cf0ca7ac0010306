"""PostScript reader: converts PostScript to PDF by Ghostscript, where it is installed.

PostScript is a program. Ghostscript runs it in a separate process without access
to files (`-dSAFER`) except those in a folder made for it, and with limits on its
time and on the size of its output; it inherits the memory limit of the caller.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

MAX_CPU_SECONDS = 60
"""The limit on the computing time for one document."""


class NoGhostscript(Exception):
    """The program `gs` is not on the path; install Ghostscript to read PostScript."""


def to_pdf(body: bytes, size: int) -> tuple[bytes, bool]:
    """Return the PDF of a PostScript document, and whether the program ran to its end.

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
            # In spite of -dSAFER a document may use the folder for temporary files, so each
            # document gets one that is empty.
            env={**os.environ, "TMPDIR": str(folder)},
        ) as process:
            limits = {resource.RLIMIT_CPU: MAX_CPU_SECONDS, resource.RLIMIT_FSIZE: size}
            for limit, value in limits.items():
                # Not every system has `prlimit`, and the process may have ended.
                with suppress(AttributeError, OSError):
                    resource.prlimit(process.pid, limit, (value, value))
            try:
                process.communicate(body, timeout=2 * MAX_CPU_SECONDS)
            except (BrokenPipeError, subprocess.TimeoutExpired):
                process.kill()
        return target.read_bytes() if target.is_file() else b"", process.returncode == 0


@contextmanager
def _folder() -> Iterator[Path]:
    """Make a temporary folder that is removed even if this process is killed."""
    folder = mkdtemp(prefix="lycosa-")
    # A shell in a separate session outlives this process: it waits for its input to end.
    with subprocess.Popen(  # noqa: S603 (the folder is ours)
        ["/bin/sh", "-c", 'read -r _; rm -rf -- "$0"', folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ):
        yield Path(folder)
