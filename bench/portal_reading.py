"""The speed of the first stage of a build, the reading of PDFs, beside an older version.

Real papers, those of `shared/papers`, and generated ones are read by two processes of each
version by turns, and the medians are compared. A first round that loads models and fonts is
not counted. The older version is in the history (`bench.history`).

`python -m bench.portal_reading` writes its part of docs/benchmarks.md; with a number of rounds
it prints the result instead.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from statistics import median

from bench import history, page
from lycosa.sites.generated import World

BEFORE = "b609c91"
"""The commit before builds were made faster."""
GENERATED = 200
ROUNDS = 5
TARGET = 1.6
WORLD = World(seed=77, departments=3, pages=1000)


def write_documents(folder: Path) -> dict[str, int]:
    """Write the two sets of documents; return their sizes by their names."""
    real = sorted((page.SHARED / "papers").glob("*.pdf"))
    for name in ("real", "generated"):
        (folder / name).mkdir()
    for path in real:
        shutil.copy(path, folder / "real")
    papers = ((d, site, n) for d, site in enumerate(WORLD.sites) for n in site.wanted("papers"))
    for d, site, number in islice(papers, GENERATED):
        body = site.response(int(number)).body
        (folder / "generated" / f"{d}-{number}.pdf").write_bytes(body)
    return {name: len(list((folder / name).iterdir())) for name in ("real", "generated")}


def measure(folder: Path, rounds: int) -> str:
    """Return the part of the page."""
    sets = write_documents(folder)
    sources = {"before": history.source_at(BEFORE), "now": history.ROOT}
    with ExitStack() as stack:
        versions = {
            name: stack.enter_context(history.worker(source, "reading_worker.py", str(folder)))
            for name, source in sources.items()
            if source is not None
        }
        runs: dict[tuple[str, str], list[dict[str, float]]] = {}
        for number in range(rounds + 1):
            for kind in sets:
                for name, run in versions.items():
                    found = run(kind)
                    if number:
                        runs.setdefault((kind, name), []).append(found)
    rows = []
    for kind, count in sets.items():
        of_kind = {name: runs[kind, name] for name in versions}
        rates = {k: count / median(one["seconds"] for one in all_) for k, all_ in of_kind.items()}
        used = {k: median(one["cpu"] for one in all_) / count for k, all_ in of_kind.items()}
        rows += [(kind, name, f"{rates[name]:.1f}", f"{1e3 * used[name]:.0f}") for name in versions]
        if "before" in versions:
            ratio = f"{rates['now'] / rates['before']:.2f}", f"{used['before'] / used['now']:.2f}"
            rows.append((kind, "ratio", *ratio))
    return (
        f"The {sets['real']} PDFs of `shared/papers` and {sets['generated']} generated papers, "
        f"read by two processes of the present version and, by turns with it, of the version "
        f"before ({BEFORE}); medians of {rounds} rounds (target: {TARGET} times the documents a "
        "second).\n\n"
        + page.table(("documents", "version", "documents a second", "ms of CPU a document"), rows)
    )


def main(arguments: Sequence[str]) -> None:
    """Measure, and write the page, or print the result of so many rounds."""
    with tempfile.TemporaryDirectory() as name:
        body = measure(Path(name), int(arguments[0]) if arguments else ROUNDS)
    if arguments:
        print(body)
    else:
        page.write("portal-reading", "Reading PDFs for a portal", body, "bench-portal")


if __name__ == "__main__":
    main(sys.argv[1:])
