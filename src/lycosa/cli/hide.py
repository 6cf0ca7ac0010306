"""`lycosa hide`: do not show something of a portal, and keep it."""

from __future__ import annotations

from pathlib import Path

import click

from lycosa.cli.exclusion_commands import (
    build_option,
    exclude_subjects,
    json_option,
    reason_option,
    subjects_argument,
)


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@subjects_argument
@reason_option
@click.option(
    "--does-not-belong",
    "teach",
    is_flag=True,
    help="Let the goal of the crawl learn that such pages are not wanted.",
)
@build_option
@json_option
def hide(
    folder: Path, subjects: tuple[str, ...], reason: str, teach: bool, build: bool, as_json: bool
) -> None:
    """Do not show WHAT in the portal of DIR; the archive keeps it.

    WHAT is a URL, host:example.org (with its subdomains), work:ID or author:ID
    (all works of the author). Ids are the last parts of the addresses of their
    pages. Links to it are still followed, and it is still requested.

    With --does-not-belong the next crawl wants fewer pages like it; three or
    more such pages are needed.

    \b
    Examples:
      lycosa hide robots work:wgk6w6qzw6gpdjccc --reason 'A draft.'
      lycosa hide robots https://a.example/menu --does-not-belong --reason 'A menu.'
      lycosa exclusions robots --undo 3
    """  # noqa: D301
    exclude_subjects(folder, "hide", subjects, reason, teach=teach, build=build, as_json=as_json)
