"""`lycosa compact`: make the archive of a project smaller."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from lycosa.cli.terminal import say
from lycosa.reporting.text import plural, size


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def compact(folder: Path, as_json: bool) -> None:
    """Delete from the archive of DIR what is not needed any more: old versions of pages.

    Kept are the latest version of every page, and what the portal shows. The
    step log still says when each page was visited and whether it had changed.
    The portal may be served meanwhile, but not crawled or built. It can be
    stopped at any moment; run it again to continue.

    \b
    Examples:
      lycosa compact robots
      lycosa compact robots --json | jq .after
    """  # noqa: D301
    from lycosa.cli.console import progress_bars
    from lycosa.keep.compaction import compact_project

    with progress_bars() as progress:
        task = progress.add_task("compacting", total=None)
        done = compact_project(
            folder, lambda part, total: progress.update(task, completed=part, total=total)
        )
    if as_json:
        click.echo(json.dumps(asdict(done)))
    elif not done.volumes:
        say(f"Nothing to do: almost all of {size(done.before)} is needed.")
    else:
        say(
            f"{size(done.before)} before, {size(done.after)} now: "
            f"{plural(done.dropped, 'old response')} deleted."
        )
