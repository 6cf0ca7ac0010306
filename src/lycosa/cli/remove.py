"""`lycosa remove`: delete something from a project, for a takedown."""

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
def remove(
    folder: Path, subjects: tuple[str, ...], reason: str, build: bool, as_json: bool
) -> None:
    """Delete WHAT from the project in DIR, and never request it again.

    WHAT is a URL, host:example.org (with its subdomains), work:ID or author:ID
    (all works of the author). It is deleted from the portal and its index, from
    references of other works, from the archive and from corrections. What is
    kept are digests, by which it is recognised if it comes back; do not write
    its title into the reason. Backups made before still have it.

    A crawl must not be running: its archive is changed.

    \b
    Examples:
      lycosa remove robots work:wgk6w6qzw6gpdjccc --reason 'Asked by its author.'
      lycosa remove robots host:private.example.org --reason 'Asked by its owner.'
    """  # noqa: D301
    exclude_subjects(folder, "remove", subjects, reason, build=build, as_json=as_json)
