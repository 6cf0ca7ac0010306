"""`lycosa block`: never request something, and do not show it."""

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
@build_option
@json_option
def block(folder: Path, subjects: tuple[str, ...], reason: str, build: bool, as_json: bool) -> None:
    """Never request WHAT, and do not show it in the portal of DIR.

    WHAT is a URL, host:example.org (with its subdomains), work:ID or author:ID
    (all works of the author that the portal has). The archive keeps what was
    fetched before. `lycosa why DIR URL` says that a URL is blocked.

    \b
    Examples:
      lycosa block robots host:ads.example.org --reason 'Advertisements.'
      lycosa block robots https://a.example/trap/ --reason 'A trap.'
    """  # noqa: D301
    exclude_subjects(folder, "block", subjects, reason, build=build, as_json=as_json)
