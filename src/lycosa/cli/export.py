"""`lycosa export`: write all works of a portal to one file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from lycosa.cli.output_files import check_writable, write_file
from lycosa.errors import UnknownName


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    required=True,
    help="The file to write; its suffix selects the format. - is stdout, as JSON lines.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(["paper", "page", "cited"]),
    help="Export only works of this kind; may be repeated.",
)
def export(folder: Path, out: str, kinds: tuple[str, ...]) -> None:
    """Write all works of the portal in DIR to FILE.

    FILE ends in .jsonl (one work per line, with the ids of the works it cites),
    .bib (BibTeX) or .parquet (needs pyarrow). Works are ordered by id. The
    portal may be served or rebuilt at the same time.

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
    check_writable(place)
    with write_file(place) as part, part.open("wb") as file:
        file.writelines(DOWNLOADS[ending](catalogue, kinds))
    click.echo(place)
