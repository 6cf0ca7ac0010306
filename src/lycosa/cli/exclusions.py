"""`lycosa exclusions`: list what is hidden, removed or blocked, and withdraw it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from lycosa.errors import UsageError
from lycosa.reporting.text import plural, printable


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option("--undo", "number", type=int, metavar="N", help="Withdraw exclusion N.")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def exclusions(folder: Path, number: int | None, as_json: bool) -> None:
    """List what is hidden, removed or blocked in DIR, with who decided it, when and why.

    What was withdrawn is shown again after the next build. A page that was
    removed is gone: withdrawing the removal only lets the crawl request it again.

    \b
    Examples:
      lycosa exclusions robots
      lycosa exclusions robots --undo 3
    """  # noqa: D301
    from lycosa.project import Project
    from lycosa.project.exclusions import Exclusions

    Project.load(folder)
    with Exclusions.open(folder) as found:
        if number is not None and not found.undo(number):
            raise UsageError(f"There is no exclusion {number} in force in {folder}.")
        every = found.history()
    if as_json:
        click.echo(json.dumps([asdict(one) for one in every], indent=1))
        return
    if number is not None:
        click.echo(f"Withdrawn: exclusion {number}. Next: lycosa build {printable(str(folder))}")
        return
    if not every:
        click.echo("Nothing is hidden, removed or blocked.")
        return
    from lycosa.cli.console import output, table
    from lycosa.project.lessons import read_lessons

    rows = table(no="right", action="left", kind="left", what="left", who="left", when="left",
                 reason="left")  # fmt: skip
    for one in every:
        state = "pending" if one.action == "remove" and not one.purged else ""
        state = "withdrawn" if one.undone else state
        rows.add_row(
            str(one.id),
            f"{one.action} ({state})" if state else one.action,
            one.kind,
            printable(one.label or one.target),
            printable(one.account),
            one.time[:10],
            printable(one.reason),
        )
    output().print(rows, markup=False)
    if lessons := read_lessons(folder):
        words = printable(", ".join(lessons.words[:12]))
        pages = plural(lessons.pages, "page")
        click.echo(f"The goal has learned from {pages} what does not belong here: {words}.")
