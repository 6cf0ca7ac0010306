"""The way from `lycosa cluster up` to the first pages, as a newcomer types it, in seconds.

A generated web is served on loopback. A private PostgreSQL and a private Ray are started, and a
crawl in that Ray; the time is taken until the first page, and the first hundred, are committed.
`python -m bench.cluster_up` uses the packages that are installed. With `install` it makes a new
virtual environment first, and measures how long the package index takes to fill it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from bench.cluster_world import ServedWorld, make_plan, read, served_world
from bench.page import table, write
from lycosa.errors import LycosaError
from lycosa.project import Project

WANTED_SECONDS = 60.0
PAGES, DEPARTMENTS, SITE_PAGES = 100, 8, 100
WORKERS = 2
MAX_SECONDS = 300.0
ROOT = Path(__file__).parents[1]


def install(folder: Path) -> Path:
    """Make a virtual environment with Lycosa and its extra `cluster`; return its Python."""
    run([sys.executable, "-m", "venv", folder])
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache"]
    run([*pip, "--requirement", ROOT / "requirements-cluster.lock"])
    run([*pip, "--no-deps", ROOT], LYCOSA_PURE="1")
    return python


def run(command: list[str | Path], **environment: str) -> str:
    """Run a command; return what it printed."""
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ | environment
    ).stdout


def write_project(folder: Path, served: ServedWorld) -> None:
    """Write a project that crawls the served web."""
    job = make_plan(served.orders()).job
    project = Project.of_urls(folder, job.seeds, "url:paper*", contact="bench@example.org")
    replace(project, job=replace(job, budget=replace(job.budget, pages=PAGES))).write()


@contextmanager
def crawling(command: list[str | Path], log: Path) -> Iterator[None]:
    """Run the crawl, until it has ended or is no longer needed."""
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file)
    try:
        yield
        process.wait(MAX_SECONDS)
    finally:
        process.kill()
        process.wait()


def wait_for_pages(url: str, count: int) -> None:
    """Wait until so many pages are committed."""
    deadline = time.monotonic() + MAX_SECONDS
    while time.monotonic() < deadline:
        with suppress(LycosaError):  # there are no tables yet
            if int(read(url, "SELECT coalesce(sum(steps), 0) FROM shards")[0][0]) >= count:
                return
        time.sleep(0.05)
    raise TimeoutError(f"There are no {count} pages after {MAX_SECONDS:.0f} s.")


def measure(python: Path, folder: Path, note: Callable[[str], None]) -> None:
    """Start a cluster and crawl; call `note` after each part of the way."""
    lycosa: list[str | Path] = [python, "-m", "lycosa.cli"]
    with served_world(DEPARTMENTS, SITE_PAGES) as served:
        write_project(folder, served)
        note("")
        printed = run([*lycosa, "cluster", "up", folder])
        note("`lycosa cluster up`: PostgreSQL and Ray answer")
        url = printed.splitlines()[0].partition(" ")[2]
        options = ["--cluster", url, "--ray", "auto", "--workers", str(WORKERS)]
        try:
            with crawling([*lycosa, "crawl", folder, *options], folder / "crawl.log"):
                wait_for_pages(url, 1)
                note("`lycosa crawl`: the first page is committed")
                wait_for_pages(url, PAGES)
                note(f"`lycosa crawl`: {PAGES} pages are committed")
        finally:
            run([*lycosa, "cluster", "down", folder])


def main(*arguments: str) -> None:
    """Measure, and write the part."""
    rows: list[list[object]] = []
    installed = ""
    with tempfile.TemporaryDirectory(prefix="lycosa-up-") as name:
        place = Path(name)
        place.chmod(0o711)
        python = Path(sys.executable)
        if "install" in arguments:
            began = time.monotonic()
            python = install(place / "venv")
            installed = (
                f"Before that, a new virtual environment took {time.monotonic() - began:.0f} s to "
                "make and to fill from the package index, without a cache.\n\n"
            )
        moments: list[tuple[str, float]] = []
        measure(python, place / "project", lambda what: moments.append((what, time.monotonic())))
    start = before = moments[0][1]
    for what, moment in moments[1:]:
        rows.append([what, f"{moment - before:.1f} s", f"{moment - start:.1f} s"])
        before = moment
        print(*rows[-1], flush=True)
    print(installed, end="")
    first = moments[2][1] - start
    verdict = "within" if first < WANTED_SECONDS else "above"
    write(
        "cluster-up",
        "A cluster on one machine: from the first command to the first pages",
        f"A private PostgreSQL, a private Ray, {WORKERS} workers in it and a generated web on "
        "loopback, each started by the command that a newcomer types. "
        f"{os.getloadavg()[0]:.0f} processes of this machine were ready to run on average.\n\n"
        + installed
        + table(["until", "takes", "in all"], rows)
        + f"\n\nThe first page is there after {first:.0f} s, {verdict} the {WANTED_SECONDS:.0f} s "
        "that are wanted.",
        "bench-cluster",
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
