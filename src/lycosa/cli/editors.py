"""`lycosa editors`: let others correct a portal, and end that."""

from __future__ import annotations

import json
from pathlib import Path

import click

from lycosa.errors import UsageError
from lycosa.reporting.text import printable

_folder = click.argument("folder", metavar="DIR", type=Path)
_name = click.argument("name", metavar="NAME")


@click.group()
def editors() -> None:
    """Let others correct the portal of a project, each with a token.

    Editors correct, hide and block. They cannot remove, nor manage accounts.

    \b
    Examples:
      lycosa editors add robots ann
      lycosa editors list robots
      lycosa editors revoke robots ann
    """  # noqa: D301


@editors.command()
@_folder
@_name
def add(folder: Path, name: str) -> None:
    """Add an editor to DIR, and print the token: this once, for it is not kept."""
    from lycosa.portal.editors import Editors, open_owner_database

    _check(folder)
    with open_owner_database(folder) as database:
        click.echo(Editors(database).add(name))


@editors.command("list")
@_folder
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def list_editors(folder: Path, as_json: bool) -> None:
    """List the editors of DIR, also those whose tokens were revoked."""
    from lycosa.portal.editors import Editors, open_owner_database

    _check(folder)
    with open_owner_database(folder) as database:
        found = Editors(database).all()
    if as_json:
        click.echo(json.dumps([each._asdict() for each in found]))
        return
    for each in found:
        end = f", revoked {each.revoked[:10]}" if each.revoked else ""
        click.echo(f"{printable(each.name)} since {each.created[:10]}{end}")
    if not found:
        click.echo("There are no editors.")


@editors.command()
@_folder
@_name
def revoke(folder: Path, name: str) -> None:
    """Revoke the token of an editor of DIR; sessions end at once."""
    from lycosa.portal.editors import Editors, open_owner_database

    _check(folder)
    with open_owner_database(folder) as database:
        if not Editors(database).revoke(name):
            raise UsageError(f"There is no editor {name!r} with a valid token in {folder}.")
    click.echo(f"Revoked: {printable(name)}.")


def _check(folder: Path) -> None:
    """Refuse a folder that is no project."""
    from lycosa.project import Project

    Project.load(folder)
