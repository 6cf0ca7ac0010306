"""The clock of a measured crawl; it needs the standard library alone."""

from __future__ import annotations

import resource
import time


class Clock:
    """Wall time and the CPU time of this process with its threads and children, since now."""

    def __init__(self) -> None:
        self._wall = time.perf_counter()
        self._cpu = cpu()
        self._thread = time.thread_time()

    def read(self) -> dict[str, float]:
        """Return seconds since then; `thread` is CPU time of the thread that asks."""
        return {
            "wall": time.perf_counter() - self._wall,
            "cpu": cpu() - self._cpu,
            "thread": time.thread_time() - self._thread,
        }


def cpu() -> float:
    """Return the CPU seconds of this process and its ended children."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
