"""`lycosa export`: write all works of a portal, or the archive of a crawl, to one file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.cli.output_files import check_writable, write_file
from lycosa.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from lycosa.portal.fields import Work


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
@click.option(
    "--wacz",
    "as_wacz",
    is_flag=True,
    help="Export the archive of the crawl, for replay; the default for a FILE in .wacz.",
)
@click.option(
    "--corrections",
    "as_samples",
    is_flag=True,
    help="Export corrected headers and references as training data, to the folder FILE.",
)
def export(folder: Path, out: str, kinds: tuple[str, ...], as_wacz: bool, as_samples: bool) -> None:
    """Write all works of the portal in DIR, or the archive of its crawl, to FILE.

    FILE ends in .jsonl (one work per line, with the ids of the works it cites),
    .csv (a table for spreadsheets), .bib (BibTeX) or .parquet (needs pyarrow).
    Works are ordered by id. The portal may be served or rebuilt at the same
    time.

    With --wacz, or a FILE in .wacz, the archive of the crawl is written with an
    index and a list of pages: one file from which replayweb.page or pywb show
    the pages as they were fetched. It needs no portal, and the crawl may run.

    With --corrections the headers and references of works that were corrected
    are written to two files in the folder FILE, tagged as `lycosa train` reads
    them.

    \b
    Examples:
      lycosa export my-crawl -o works.jsonl
      lycosa export my-crawl --kind paper -o papers.bib
      lycosa export my-crawl -o - | jq .title
      lycosa export my-crawl --wacz -o my-crawl.wacz
      lycosa export my-crawl --corrections -o samples
    """  # noqa: D301
    if as_samples:
        _export_samples(folder, Path(out))
        return
    if as_wacz or out.lower().endswith(".wacz"):
        _export_archive(folder, out, kinds)
        return
    from lycosa.cli.console import progress_bars
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
    counts = catalogue.counts()
    total = sum(count for kind, count in counts.items() if not kinds or kind in kinds)
    with write_file(place) as part, part.open("wb") as file, progress_bars() as progress:
        task = progress.add_task("writing works", total=total)

        class Watched(Catalogue):
            """A catalogue that counts the works that were read."""

            def iter_works(self, *kinds: str, start: str = "") -> Iterator[Work]:
                for work in super().iter_works(*kinds, start=start):
                    yield work
                    progress.advance(task)

        file.writelines(DOWNLOADS[ending](Watched.open(folder), kinds))
    click.echo(place)


def _export_archive(folder: Path, out: str, kinds: tuple[str, ...]) -> None:
    from lycosa.cli.console import progress_bars
    from lycosa.project.wacz_export import export_wacz

    place = Path(out)
    if kinds:
        raise UsageError("--kind selects works of a portal: leave it out with --wacz.")
    if place.suffix.lower() != ".wacz":
        raise UsageError(f"--wacz writes a file that ends in .wacz, not {out!r}.")
    check_writable(place)
    with write_file(place) as part, progress_bars() as progress:
        task = progress.add_task("writing the archive, bytes", total=None)
        done = export_wacz(
            folder, part, lambda done, total: progress.update(task, completed=done, total=total)
        )
    click.echo(place)
    if done.damage:
        damage = f"{done.damage:,} bytes of the archive are damaged: run lycosa repair {folder}."
        click.echo(f"lycosa: {damage}", err=True)


def _export_samples(folder: Path, out: Path) -> None:
    from lycosa.papers.extraction.tagged import NEW_HEADER, NEW_REFERENCE, write_tagged
    from lycosa.portal.correction_samples import corrected_headers, corrected_references

    out.mkdir(parents=True, exist_ok=True)
    for name, mark, items in (
        ("tagged_headers.txt", NEW_HEADER, corrected_headers(folder)),
        ("tagged_references.txt", NEW_REFERENCE, corrected_references(folder)),
    ):
        found = list(items)
        write_tagged(out / name, found, mark)
        click.echo(f"{out / name}: {len(found):,}")
