"""Read documents with the version of Lycosa that is on the path, and say how long it took.

`bench.portal_reading` runs this file with the sources of the present version or of an older
one, so it uses nothing but what both have. The argument is a folder of folders of PDF files;
each line of stdin is the name of one of them, each line of stdout the result of reading it.
"""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from hashlib import sha256
from pathlib import Path

import psutil

from lycosa.portal.build.documents import MAX_AHEAD_PER_JOB
from lycosa.portal.build.reading import ReadDocument, document_pool
from lycosa.processes import Task, WorkerPool

JOBS = 2


def computed() -> float:
    """Return the CPU seconds of this process and all below it that have not ended."""
    own = psutil.Process()
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(one.user + one.system for one in times)


def read(pool: WorkerPool[ReadDocument], folder: Path) -> dict[str, object]:
    """Read the files of a folder as a build does; return seconds, and a digest of the result."""
    bodies = [(path.name, path.read_bytes()) for path in sorted(folder.glob("*.pdf"))]
    digest, papers = sha256(), 0
    waiting: deque[Task[ReadDocument]] = deque()

    def collect(count: int) -> None:
        nonlocal papers
        while len(waiting) > count:
            found = waiting.popleft().result()
            digest.update(repr(found).encode())
            papers += found.kind == "paper"

    used, began = computed(), time.perf_counter()
    for name, body in bodies:
        waiting.append(pool.submit(body, "application/pdf", None, name))
        collect(MAX_AHEAD_PER_JOB * JOBS)
    collect(0)
    return {
        "seconds": time.perf_counter() - began,
        "cpu": computed() - used,
        "documents": len(bodies),
        "papers": papers,
        "digest": digest.hexdigest(),
    }


if __name__ == "__main__":
    with document_pool(JOBS) as pool:
        for line in sys.stdin:
            print(json.dumps(read(pool, Path(sys.argv[1]) / line.strip())), flush=True)
