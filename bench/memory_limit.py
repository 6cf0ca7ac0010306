"""Limit on the memory of a process and its children: a control group of Linux.

Pages of mapped files count, but the kernel gives them up before a process runs out of memory:
a job that ends under a limit needs no more than that, whatever its resident size was without.
Control groups need root.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
LIMITS = ((ROOT / "memory", "memory.limit_in_bytes"), (ROOT, "memory.max"))
"""Where version 1 and version 2 have their groups, and the file with the limit."""


@contextmanager
def limited(megabytes: int | None) -> Iterator[list[str]]:
    """Make a group with a limit, None for no limit; yield a command that runs its arguments there.

    >>> with limited(None) as command:
    ...     command
    []
    """
    if megabytes is None:
        yield []
        return
    for root, file in LIMITS:
        group = root / f"lycosa-bench-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            if (group / file).exists():
                (group / file).write_text(str(megabytes * 2**20))
                yield ["sh", "-c", 'echo $$ > "$0" && exec "$@"', str(group / "cgroup.procs")]
                return
        finally:
            group.rmdir()
    raise SystemExit("Memory cannot be limited here: this needs control groups, and root.")
