"""`lycosa backup`: write a project to one file while it is in use."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path

import click

from lycosa.cli.terminal import say
from lycosa.reporting.text import plural, printable, size


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.argument("target", metavar="FILE", type=Path)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def backup(folder: Path, target: Path, as_json: bool) -> None:
    """Write the project in DIR to FILE, a new tar file.

    The project may be crawled, built and served meanwhile: every database and the
    index are copied in one state. FILE holds everything, also the owner's token, so
    only its user can read it. To restore a project, unpack the file.

    \b
    Examples:
      lycosa backup robots robots-2026-05-01.tar
      tar -xf robots-2026-05-01.tar
    """  # noqa: D301
    from lycosa.cli.console import progress_bars
    from lycosa.portal.backup import back_up

    with progress_bars() as progress:
        task = progress.add_task("writing", total=None)
        done = back_up(
            folder, target, lambda part, total: progress.update(task, completed=part, total=total)
        )
    if as_json:
        click.echo(json.dumps(asdict(done)))
        return
    name = printable(shlex.quote(str(target)))
    say(f"{plural(done.files, 'file')}, {size(done.size)} in {name}.")
    say(f"Restore with: tar -xf {name}")
