"""The build on Ray beside the build on one machine: the same portal, and what it costs.

The papers of generated departments, PDF files, are written as a crawl. One copy is built by this
machine alone, one by a private Ray with two workers; the portals are compared table by table,
and entry by entry of the index.

`python -m bench.cluster_build` does it with 20,000 papers and writes its part of
docs/benchmarks.md; with a number it takes so many, and prints the result.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count, islice
from pathlib import Path

from bench import page
from bench.portal_increment import index_digest
from lycosa.cluster.build.ray_reading import RayReading
from lycosa.cluster.embedded.ray_head import EmbeddedRay
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.portal.build import BuildSummary, build_portal
from lycosa.project import Project
from lycosa.project.sections import Portal
from lycosa.sites.generated import World

COUNT = 20_000
WORKERS = 2
DEPARTMENT_PAGES = 1000
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
TYPE = "application/pdf"
TREE = "computer-science"


def papers() -> Iterator[tuple[str, bytes]]:
    """Yield the URLs and bodies of the papers of one generated department after the other."""
    for seed in count(1):
        [site] = World(seed=seed, departments=1, organisations=0, pages=DEPARTMENT_PAGES).sites
        for number in site.plan.wanted("papers"):
            url = site.tables.urls[number].replace("://", f"://w{seed}.", 1)
            yield url, site.response(number).body


def write_crawl(folder: Path, size: int) -> None:
    """Write a crawl that found so many papers."""
    folder.mkdir(parents=True)
    project = Project.of_urls(
        folder, ["http://www.example.edu/"], "paper", contact="bench@example.org"
    )
    replace(project, portal=Portal(topics=TREE)).write()
    headers = ((b"Content-Type", TYPE.encode()),)
    with SqliteStore.open(folder) as store:
        for n, (url, body) in enumerate(islice(papers(), size), 1):
            moment = BEGAN + timedelta(seconds=n)
            found = Response(url, moment, 200, "HTTP/1.1 200 OK", headers, body)
            store.add(n, url, found, reward=1.0)
            if n % 500 == 0:
                store.commit()


def digests(folder: Path) -> dict[str, str]:
    """Return a hash of each table of a portal, without when it was built, and of its index."""
    found = {}
    with closing(sqlite3.connect(folder / "portal.db")) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (name,) in names:
            if name == "history":  # when each work was first found, by the clock
                continue
            rows = sorted(map(repr, database.execute(f"SELECT * FROM {name}")))  # noqa: S608
            kept = [row for row in rows if name != "meta" or "'built'" not in row]
            found[name] = sha256("\n".join(kept).encode("utf-8", "surrogatepass")).hexdigest()
    return {**found, "index": index_digest(folder)}


def timed_build(project: Project, ray: bool) -> tuple[BuildSummary, float]:
    """Build a portal, on Ray or here with as many processes; return the seconds."""
    folder = project.folder.absolute()
    began = time.perf_counter()
    if not ray:
        return build_portal(project, jobs=WORKERS), time.perf_counter() - began
    documents = folder / "cluster" / "documents"
    elsewhere = RayReading(str(folder / "archive"), str(documents))
    summary = build_portal(project, jobs=WORKERS, elsewhere=elsewhere)
    return summary, time.perf_counter() - began


def report(size: int, folder: Path) -> str:
    """Build both portals in a folder; return the text of the part."""
    one, many = folder / "one" / "papers", folder / "many" / "papers"
    write_crawl(one, size)
    shutil.copytree(one, many)
    alone, alone_seconds = timed_build(Project.load(one), ray=False)
    with EmbeddedRay(folder / "ray", cpus=WORKERS) as head:
        head.connect()
        _, seconds = timed_build(Project.load(many), ray=True)
        import ray

        ray.shutdown()
    mine, others = digests(one), digests(many)
    different = sorted(name for name in mine.keys() | others if mine.get(name) != others.get(name))
    equal = f"equal in all {len(mine) - 1} tables that have no times and in the index"
    if different:
        equal = "DIFFERENT in " + ", ".join(different)
    files = list((many / "cluster" / "documents").rglob("*.arrow"))
    stored = sum(path.stat().st_size for path in files) / 2**20
    works = sum(alone.holdings.works.values())
    return (
        f"{size:,} PDF files of generated departments, {alone.holdings.papers:,} recognised as "
        f"papers, {works:,} works. The portals are **{equal}**.\n\n"
        + page.table(
            ("build", "seconds", "documents a second"),
            [
                (f"this machine, {WORKERS} processes", f"{alone_seconds:.0f}",
                 f"{size / alone_seconds:.1f}"),
                (f"Ray, {WORKERS} workers here", f"{seconds:.0f}", f"{size / seconds:.1f}"),
            ],
        )
        + f"\n\nBetween workers and build: {len(files):,} Arrow files of {stored:,.0f} MB in all."
    )  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    """Measure and write the part, or print that of a given number of papers."""
    with tempfile.TemporaryDirectory() as name:
        body = report(int(arguments[0]) if arguments else COUNT, Path(name))
    if arguments:
        print(body)
    else:
        page.write("cluster-build", "The build on a cluster", body, "bench-cluster")


if __name__ == "__main__":
    main(sys.argv[1:])
