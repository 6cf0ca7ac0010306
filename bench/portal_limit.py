"""A portal of two million works, built with no more memory than 4 GB.

`python -m bench.portal_limit` takes over an hour, and writes its part of docs/benchmarks.md. With
a number it builds that many documents, and prints the result. The limit is that of a control
group of the kernel: what the build takes beyond it fails.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from bench import page
from bench.portal_build import measure_build

COUNT = 1_280_000
"""Documents: with the works that they only cite there are more than two million."""
LIMIT = 4096


def measure_limited(folder: Path, count: int) -> str:
    """Build a portal of so many documents within the limit; it stays in the folder."""
    measured = measure_build(folder, count, LIMIT)
    with closing(sqlite3.connect(folder / "portal.db")) as database:
        works = database.execute("SELECT count(*) FROM works").fetchone()[0]
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return (
        f"**{works:,} works** built with a limit of {LIMIT:,} MB on all memory of the build, its "
        f"part of the cache of files included; the portal takes {size / 1e9:.1f} GB of disk. "
        f"{measured}"
    )


def main(arguments: Sequence[str]) -> None:
    """Measure and write the page; with a number, measure that many and print the result."""
    with tempfile.TemporaryDirectory() as name:
        body = measure_limited(Path(name), int(arguments[0]) if arguments else COUNT)
    print(body)
    if not arguments:
        page.write("portal-limit", "Building within 4 GB", body, "bench-portal-limit")


if __name__ == "__main__":
    main(sys.argv[1:])
