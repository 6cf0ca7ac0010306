"""`lycosa report`: what a live crawl has done, as a page to read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from lycosa.errors import UsageError


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option(
    "-o", "--out", metavar="FILE", help="Where to write; - is stdout.  [default: DIR/report.html]"
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures; write no report.")
def report(folder: Path, out: str | None, as_json: bool) -> None:
    """Write a report of the crawl in DIR, which may be at work.

    The report is one HTML file that needs nothing else: the course of the
    crawl, hosts, answers, faults, the words that targets have in common, and
    the newest targets.

    \b
    Examples:
      lycosa report my-crawl
      lycosa report my-crawl -o report.html
      lycosa report my-crawl --json | jq .targets
    """  # noqa: D301
    from lycosa.crawler.storage.reader import CrawlReader
    from lycosa.project.crawl_figures import figures
    from lycosa.project.crawl_report import report as page

    if as_json and out is not None:
        raise UsageError("--json prints the figures and writes no file: leave out -o.")
    with CrawlReader.open(folder) as ledger:
        place = Path(out) if out is not None else folder / "report.html"
        if not as_json and out != "-":
            _check_writable(place)
        facts = figures(ledger)
    if as_json:
        click.echo(json.dumps(facts.to_json(), indent=1, ensure_ascii=False))
    elif out == "-":
        click.echo(page(facts), nl=False)
    else:
        _write(place, page(facts))
        click.echo(place)


def _check_writable(place: Path) -> None:
    """Complain before the work, not after."""
    if place.is_dir():
        raise UsageError(f"{place} is a folder; give the name of a file in it with -o.")
    if not os.access(place if place.exists() else place.absolute().parent, os.W_OK):
        raise UsageError(f"{place} cannot be written; give another file with -o.")


def _write(place: Path, text: str) -> None:
    try:
        place.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{place} cannot be written ({error.strerror}).") from error
