"""`lycosa export`: all works of a portal in one file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from lycosa.errors import UnknownName, UsageError
from lycosa.files import replace_file


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    required=True,
    help="Where to write; its ending says in which format. - is stdout, as JSON lines.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(["paper", "page", "cited"]),
    help="Only works of this kind; may be given several times.",
)
def export(folder: Path, out: str, kinds: tuple[str, ...]) -> None:
    """Write all works of the portal in DIR to FILE.

    FILE ends in .jsonl (a work a line, with the ids of what it cites), .bib
    (BibTeX) or .parquet (which needs pyarrow). Works are in the order of their
    ids. The portal may be being served or built meanwhile.

    \b
    Examples:
      lycosa export my-crawl -o works.jsonl
      lycosa export my-crawl --kind paper -o papers.bib
      lycosa export my-crawl -o - | jq .title
    """  # noqa: D301
    from lycosa.portal.catalogue import Catalogue
    from lycosa.portal.exports import DOWNLOADS

    catalogue = Catalogue.open(folder)
    if out == "-":
        for piece in DOWNLOADS["jsonl"](catalogue, kinds):
            sys.stdout.buffer.write(piece)
        return
    place = Path(out)
    ending = place.suffix.removeprefix(".").lower()
    if ending not in DOWNLOADS:
        raise UnknownName("format", ending, DOWNLOADS)
    if place.is_dir():
        raise UsageError(f"{place} is a folder; give the name of a file in it with -o.")
    _write(place, DOWNLOADS[ending](catalogue, kinds))
    click.echo(place)


def _write(place: Path, pieces: Iterator[bytes]) -> None:
    """Write a file completely or not at all."""
    try:
        with replace_file(place) as part, part.open("wb") as file:
            file.writelines(pieces)
    except OSError as error:
        raise UsageError(
            f"{place} cannot be written ({error.strerror}); give another file with -o."
        ) from error
