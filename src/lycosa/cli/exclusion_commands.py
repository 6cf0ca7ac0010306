"""The commands `lycosa hide`, `remove` and `block`: what they share."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.reporting.text import plural, printable

if TYPE_CHECKING:
    from lycosa.portal.excluding import Excluded

subjects_argument = click.argument("subjects", metavar="WHAT…", nargs=-1, required=True)
reason_option = click.option(
    "--reason", required=True, metavar="TEXT", help="Why; it is shown to those who look it up."
)
build_option = click.option(
    "--build/--no-build",
    default=True,
    help="Build the portal now, if there is one, so that it takes effect.  [default: build]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


def exclude_subjects(
    folder: Path,
    action: str,
    subjects: Sequence[str],
    reason: str,
    *,
    teach: bool = False,
    build: bool = True,
    as_json: bool = False,
) -> None:
    """Exclude what a command names, build the portal, and print what was done."""
    from lycosa.portal.excluding import exclude, read_subject
    from lycosa.project import Project
    from lycosa.project.exclusions import Exclusions

    Project.load(folder)
    named = [read_subject(text) for text in subjects]
    with Exclusions.open(folder) as exclusions:
        done = [
            exclude(folder, exclusions, action, subject, reason, teach=teach) for subject in named
        ]
    pending = _build(folder) if build and (folder / "portal.db").is_file() else None
    if as_json:
        result = {"exclusions": [each._asdict() for each in done], "pending": pending}
        click.echo(json.dumps(result))
        return
    for each in done:
        click.echo(_line(action, each))
    name = printable(shlex.quote(str(folder)))
    if pending is None:
        click.echo(f"The next build applies it: lycosa build {name}")
    elif pending:
        click.echo(
            f"{plural(pending, 'removal')} not completed, because the crawl is running: "
            f"stop it, then run lycosa build {name}"
        )


def _build(folder: Path) -> int:
    """Build the portal; return the number of removals that are not completed."""
    from lycosa.cli.build_bars import StageBars
    from lycosa.cli.console import progress_bars
    from lycosa.portal.build import build_portal
    from lycosa.portal.priority import lower_priority
    from lycosa.project import Project

    with lower_priority(folder), progress_bars() as progress:
        project = Project.load(folder)
        return build_portal(project, progress=StageBars(progress), jobs=os.cpu_count() or 1).pending


def _line(action: str, done: Excluded) -> str:
    past = {"hide": "Hidden", "remove": "Removed", "block": "Blocked"}[action]
    held = f"{plural(done.works, 'work')}, {plural(done.documents, 'document')}"
    return f"{past} (exclusion {done.number}): {held} in the portal."
