"""`lycosa crawl --cluster`: starts the workers of a cluster crawl and shows how far it is."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from lycosa.cli.terminal import is_quiet, say
from lycosa.reporting.text import duration, plural, printable

if TYPE_CHECKING:
    from lycosa.cli.cluster_bar import ClusterBar
    from lycosa.cluster.cluster_crawl import CrawlProgress
    from lycosa.cluster.database import Database
    from lycosa.cluster.local_workers import LocalWorkers
    from lycosa.cluster.ray_workers import RayWorkers
    from lycosa.cluster.worker import CrawlPlan
    from lycosa.project import Project

NO_RAY = "none"
POLL_SECONDS = 0.5
LINE_SECONDS = 10.0
"""Between two lines of progress."""
MAX_UNREACHED_SECONDS = 600.0
"""So long PostgreSQL may be away before the command gives up; workers wait, too."""
MAX_END_SECONDS = 30.0
"""So long workers may take to end after the crawl has: one whose machine died never says so."""


def crawl_on_cluster(
    project: Project,
    url: str,
    *,
    ray: str,
    workers: int | None,
    shards: int | None,
    archive: str | None,
    as_json: bool,
) -> None:
    """Run a cluster crawl to its end and copy it to the folder of the project."""
    from lycosa.cluster.cluster_crawl import end_run, prepare, read_progress
    from lycosa.cluster.crawl_folder import check_folder
    from lycosa.cluster.database import Database
    from lycosa.cluster.project_orders import plan_crawl
    from lycosa.cluster.shards import DEFAULT_SHARDS

    folder = project.folder.absolute()
    check_folder(folder)
    place = archive or str(folder / "archive")
    out = sys.stdout
    # Ray prints its messages to stdout, which is for events.
    with Database(url) as database, redirect_stdout(sys.stderr):
        plan = plan_crawl(project, place)
        prepare(database, plan, shards or DEFAULT_SHARDS)
        started = _start(project, url, place, ray, workers)
        with started as running, _interrupts() as pressed, _bar(plan, as_json) as bar:
            asked, deadline = False, inf
            for progress in _progress(database, as_json or is_quiet() or bar is not None):
                if bar is not None:
                    bar.show(progress)
                if as_json:
                    _print_event(out, "status", progress)
                if pressed and not asked:
                    asked = True
                    database.run(lambda connection: end_run(connection, pressed[0]))
                    say("Finishing the requests in flight.", err=True)
                if progress.reason is not None:
                    deadline = min(deadline, time.monotonic() + MAX_END_SECONDS)
                if not running.watch() or time.monotonic() > deadline:
                    break
        progress = database.run(read_progress)
    from lycosa.cli.cluster_option import copy_from_cluster

    copy_from_cluster(url, folder, place)
    if as_json:
        _print_event(out, "end", progress, folder=str(folder))
    else:
        say(*_summary(progress, folder), err=True)


def _start(
    project: Project, url: str, archive: str, ray: str, workers: int | None
) -> LocalWorkers | RayWorkers:
    from lycosa.cluster.project_orders import ProjectOrders, plan_crawl

    if ray == NO_RAY:
        from lycosa.cluster.local_workers import LocalWorkers

        orders = ProjectOrders.of_project(url, project, archive)
        return LocalWorkers(orders, workers or os.cpu_count() or 1)
    from lycosa.cluster.ray_connection import connect_ray
    from lycosa.cluster.ray_workers import RayWorkers, WorkerOrders

    connect_ray(ray, project.folder.absolute())
    return RayWorkers(WorkerOrders(url, plan_crawl(project, archive)), workers)


def _bar(plan: CrawlPlan, as_json: bool) -> AbstractContextManager[ClusterBar | None]:
    """Return a bar where one can be drawn and is wanted."""
    from lycosa.cli.cluster_bar import ClusterBar
    from lycosa.cli.console import can_redraw, error_console

    console = error_console()
    if as_json or not can_redraw(console):
        return nullcontext()
    return ClusterBar(console, plan.job.budget.pages)


def _progress(database: Database, silent: bool) -> Iterator[CrawlProgress]:
    """Yield how far the crawl is, twice a second, and print it now and then."""
    from lycosa.cluster.cluster_crawl import read_progress
    from lycosa.cluster.database import Unreachable

    reached = printed = time.monotonic()
    while True:
        try:
            progress = database.run(read_progress)
            reached = time.monotonic()
        except Unreachable:
            if time.monotonic() - reached > MAX_UNREACHED_SECONDS:
                raise
            time.sleep(POLL_SECONDS)
            continue
        if not silent and time.monotonic() - printed > LINE_SECONDS:
            printed = time.monotonic()
            say(_line(progress), err=True)
        yield progress
        time.sleep(POLL_SECONDS)


def _line(progress: CrawlProgress) -> str:
    rate = progress.pages / max(progress.seconds, 1.0)
    return (
        f"{plural(progress.pages, 'page')}, {plural(progress.targets, 'target')}, "
        f"{progress.waiting:,} waiting; {plural(progress.workers, 'worker')}, "
        f"{rate:.1f} pages/s, {duration(progress.seconds)}"
    )


def _summary(progress: CrawlProgress, folder: Path) -> Iterator[str]:
    from lycosa.crawler.live.stop_reasons import stop_sentence

    if progress.reason is not None:
        yield stop_sentence(progress.reason)
    yield f"{_line(progress)}."
    name = printable(shlex.quote(str(folder)))
    yield f"Pages are in {printable(str(folder / 'archive'))}. Report: lycosa report {name}"


def _print_event(out: TextIO, event: str, progress: CrawlProgress, **more: object) -> None:
    click.echo(json.dumps({"event": event, **progress._asdict(), **more}), file=out)


@contextmanager
def _interrupts() -> Iterator[list[str]]:
    """Collect signals that ask for an end, instead of being interrupted by them."""
    pressed: list[str] = []
    reasons = {signal.SIGINT: "person", signal.SIGTERM: "signal"}

    def note(number: int, frame: object) -> None:
        pressed.append(reasons[signal.Signals(number)])
        if len(pressed) > 1:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, note) for number in reasons}
    try:
        yield pressed
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
