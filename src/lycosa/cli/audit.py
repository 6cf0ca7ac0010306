"""`lycosa audit`: who changed what in a project."""

from __future__ import annotations

import json
from pathlib import Path

import click

from lycosa.reporting.text import printable


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N changes.")
@click.option("--json", "as_json", is_flag=True, help="Print the log as JSON lines.")
def audit(folder: Path, last: int | None, as_json: bool) -> None:
    """Show who changed what in DIR, the newest first: corrections, exclusions, editors.

    What was removed is not shown: only that it was.

    \b
    Examples:
      lycosa audit robots --last 20
      lycosa audit robots --json | jq 'select(.account == "ann")'
    """  # noqa: D301
    from lycosa.project import Project
    from lycosa.project.audit_log import AuditLog, open_owner_database

    Project.load(folder)
    with open_owner_database(folder) as database:
        entries = AuditLog(database).entries(last)
    for entry in entries:
        if as_json:
            click.echo(json.dumps(entry._asdict()))
            continue
        change = f": {entry.old or '(nothing)'} → {entry.new}" if entry.new else ""
        line = f"{entry.time[:19]}  {entry.account}  {entry.action} {entry.subject}{change}"
        click.echo(printable(line))
    if not entries and not as_json:
        click.echo("Nothing was changed yet.")
