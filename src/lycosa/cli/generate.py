"""`lycosa generate`: generate a web, and record it or serve it."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lycosa.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from lycosa.sites.generated import World

_log = logging.getLogger("lycosa.cli")


@click.command()
@click.argument("out", required=False, type=Path)
@click.option(
    "--family",
    default="departments",
    show_default=True,
    help="The kind of sites: departments or organisations.",
)
@click.option("--sites", default=3, show_default=True, help="How many sites.")
@click.option("--pages", default=500, show_default=True, help="How many pages each site has.")
@click.option(
    "--seed", default=0, show_default=True, help="Random seed; each seed gives another web."
)
@click.option(
    "--serve", "serving", is_flag=True, help="Serve the web on loopback instead of recording it."
)
@click.option(
    "--port", default=8000, show_default=True, help="Port to serve on; 0 is any free port."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def generate(
    out: Path | None,
    family: str,
    sites: int,
    pages: int,
    seed: int,
    serving: bool,
    port: int,
    as_json: bool,
) -> None:
    """Generate a web: record it into folders in OUT, or serve it.

    Departments have people, courses, projects and real PDF papers that cite
    each other; their goals are papers, faculty, courses and projects.
    Organisations are companies with one page of officers, the goal officers.
    Every page is computed from the seed and its number, so the same command
    always makes the same web, whatever its size (100 to 10,000,000 pages).

    \b
    Examples:
      lycosa generate web --sites 3 --pages 500
      lycosa bench web --goal papers
      lycosa generate firms --family organisations --seed 7
      lycosa generate --serve --port 8000 --pages 100000
    """  # noqa: D301
    if (out is None) != serving:
        raise UsageError(
            "Give a folder to record to (lycosa generate OUT) or --serve, one of the two."
        )
    if sites < 1:
        raise UsageError(f"There must be at least one site, not {sites}.")
    if not 0 <= port <= 65535:
        raise UsageError(f"A port is a number from 0 to 65535, not {port}.")
    from lycosa.sites.generated import FAMILIES, World

    if family not in FAMILIES:
        raise UnknownName("family", family, FAMILIES)
    departments = sites if family == "departments" else 0
    make = partial(
        World, seed, departments=departments, organisations=sites - departments, pages=pages
    )
    if out is None:
        _serve(make, port, as_json)
    else:
        _record(make(), out, as_json)


def _record(world: World, out: Path, as_json: bool) -> None:
    from lycosa.cli.console import progress_bars
    from lycosa.sites.generated.recorder import record

    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; give the name of a folder.")
    with progress_bars() as progress:
        task = progress.add_task("recording", total=sum(map(len, world.sites)))
        folders = [record(world, site, out, lambda: progress.advance(task)) for site in world.sites]
    if as_json:
        _print_json(world, [str(folder) for folder in folders])
        return
    for site, folder in zip(world.sites, folders, strict=True):
        goals = ", ".join(f"{len(site.wanted(goal)):,} {goal}" for goal in site.goals)
        click.echo(f"{folder}: {len(site):,} pages, {goals}")


def _serve(make: Callable[..., World], port: int, as_json: bool) -> None:
    import asyncio
    import contextlib

    from lycosa.sites.generated.server import bind, serve

    try:
        listener = bind(port)
    except OSError as error:
        _log.debug("Port %d cannot be used.", port, exc_info=True)
        raise UsageError(
            f"Port {port} cannot be used ({error.strerror}); choose another, or 0 for any."
        ) from error
    with listener:
        world = make(base=f"http://127.0.0.1:{listener.getsockname()[1]}")

        def ready() -> None:
            if as_json:
                _print_json(world, [f"{site.base}/" for site in world.sites])
            else:
                for site in world.sites:
                    click.echo(f"{site.base}/  {len(site):,} pages")
                click.echo("Press Ctrl-C to stop.", err=True)
            sys.stdout.flush()  # for programs that read the addresses from a pipe

        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(serve(world, listener, ready))


def _print_json(world: World, places: list[str]) -> None:
    rows: list[dict[str, Any]] = [
        {
            "name": site.name,
            "family": site.family,
            "place": place,
            "pages": len(site),
            "targets": {goal: len(site.wanted(goal)) for goal in site.goals},
        }
        for site, place in zip(world.sites, places, strict=True)
    ]
    click.echo(json.dumps({"seed": world.seed, "sites": rows}, indent=1))
