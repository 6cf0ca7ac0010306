"""`lycosa compile`: compile recorded sites ahead of experiments."""

from __future__ import annotations

import json
import os
import time
from functools import partial
from pathlib import Path
from typing import Any

import click

from lycosa.cli.terminal import say


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=lambda: os.cpu_count() or 1,
    show_default="all cores",
    help="Processes to use.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def compile(folders: tuple[Path, ...], jobs: int, as_json: bool) -> None:
    """Compile recorded sites ahead of experiments.

    FOLDERS are recorded sites, or folders that contain some. Every command
    compiles the sites it needs; this command does it ahead of time and prints
    what each site contains. The result is cached beside the site, or in the
    folder that LYCOSA_CACHE names, and is recompiled only when the site or the
    code that reads it has changed.

    \b
    Example:
      lycosa compile sites/
    """  # noqa: D301
    from lycosa.cli.console import progress_bars
    from lycosa.sites import find_sites, open_site

    rows: list[dict[str, Any]] = []
    for folder in find_sites(folders):
        started = time.perf_counter()
        with progress_bars() as progress:
            task = progress.add_task(f"compiling {folder.name}", total=None)
            advance = partial(progress.update, task)
            site = open_site(folder, lambda at, end: advance(completed=at, total=end), jobs)  # noqa: B023
        rows.append(
            {
                "site": site.name,
                "urls": len(site),
                "links": len(site.graph.targets),
                "targets": {goal: len(site.wanted(goal)) for goal in site.goals},
                "seconds": round(time.perf_counter() - started, 2),
                "damage": site.damage,
            }
        )
    if as_json:
        click.echo(json.dumps({"sites": rows}, indent=1))
    else:
        for row in rows:
            goals = ", ".join(f"{n} {goal}" for goal, n in row["targets"].items()) or "no goals"
            say(f"{row['site']}: {row['urls']:,} URLs, {row['links']:,} links, {goals}")
    damaged = [row["damage"] for row in rows if row["damage"]]
    for sentence in damaged:
        click.echo(f"lycosa: {sentence}", err=True)
    if damaged:
        raise SystemExit(2)
