"""`lycosa status`: what `lycosa keep` does with a project."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.reporting.text import plural

if TYPE_CHECKING:
    from lycosa.keep.status import KeepStatus


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option("--json", "as_json", is_flag=True, help="Print the status as JSON.")
def status(folder: Path, as_json: bool) -> None:
    """Say what `lycosa keep` does with the project in DIR, and what has failed.

    \b
    Examples:
      lycosa status robots
      lycosa status robots --json | jq .state
    """  # noqa: D301
    from lycosa.keep.status import KeepStatus

    found = KeepStatus.read(folder)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=1))
        return
    for line in status_lines(found):
        click.echo(line)


def status_lines(found: KeepStatus) -> list[str]:
    """Return the status in sentences."""
    state = found.state.capitalize()
    until = f", next cycle at {found.next}" if found.next else ""
    lines = [f"{state} since {found.since}{until}; {plural(found.cycles, 'cycle')} so far."]
    lines.append(
        f"Last cycle: {plural(found.revisits, 'page')} requested again, up to "
        f"{found.discoveries:,} new; {plural(found.gone, 'page')} gone so far."
    )
    if found.restarts:
        lines.append(f"The server was started again {plural(found.restarts, 'time')}.")
    return [*lines, *found.changes, *found.failures[-5:]]
