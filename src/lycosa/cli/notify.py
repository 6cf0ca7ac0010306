"""`lycosa notify`: tell the owner of new works."""

from __future__ import annotations

import os
from pathlib import Path

import click

from lycosa.reporting.text import plural


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option("--base-url", default="", metavar="URL", help="The public URL of the portal.")
def notify(folder: Path, base_url: str) -> None:
    """Tell of the works in the portal of DIR that are new, by mail or to a webhook.

    [notify] in the lycosa.toml says whom. Each work is told of once; what is
    there at the first time is not new. `lycosa keep` does this after each build.
    The password of the mail server is in the variable LYCOSA_SMTP_PASSWORD, or
    in a file.

    \b
    Examples:
      lycosa notify robots
      lycosa notify robots --base-url https://papers.example.org
    """  # noqa: D301
    from lycosa.keep.notification import notify_owner
    from lycosa.project import Project

    told = notify_owner(Project.load(folder), os.environ, base_url)
    click.echo(f"Told of {plural(told, 'new work')}." if told else "Nothing is new.")
