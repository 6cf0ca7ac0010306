"""`lycosa papers`: print the fields and references of papers in files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.errors import UsageError
from lycosa.papers.exports import COLUMNS, FORMATS, table_rows
from lycosa.reporting.text import plural, printable

if TYPE_CHECKING:
    from rich.table import Table

    from lycosa.papers.paper import Paper

_RIGHT_ALIGNED = ("number", "year", "sure")
_REASONS = {
    "no-such-file": "no such file",
    "scanned": "scanned: install tesseract",
    "unreadable": "cannot be read: it is a folder, or you may not read it",
}
"""What is printed instead of some outcomes."""


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=Path)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", *FORMATS]),
    default="table",
    show_default=True,
    help="Output format; json prints one paper per line.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--explain",
    is_flag=True,
    help="Print where each field was read, with the confidence of each place.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    type=Path,
    metavar="MODEL",
    help="A model of `lycosa train headers` or `lycosa train references`; one of each.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Files to read at the same time.  [default: number of cores]",
)
def papers(
    files: tuple[Path, ...],
    form: str,
    as_json: bool,
    explain: bool,
    models: tuple[Path, ...],
    jobs: int | None,
) -> None:
    """Print the fields and the references of the papers in files.

    A FILE is PDF, PostScript, HTML or plain text, optionally compressed with
    gzip. The output includes whether the file is a paper, with a confidence; its
    fields are printed in any case. Files that cannot be read are listed with the
    reason on stderr, and the exit code is 2.

    \b
    Examples:
      lycosa papers paper.pdf
      lycosa papers --explain paper.pdf
      lycosa papers --format bibtex paper.pdf > references.bib
      lycosa papers --format json *.pdf | jq '.header.title'
      lycosa papers --model mine.crf paper.ps.gz
    """  # noqa: D301
    form = "json" if as_json else form
    if explain and form != "table":
        raise UsageError(f"--explain prints a table; {form} has the evidence without it.")
    bad: list[tuple[Path, str]] = []
    # A progress bar and a table on one terminal would overwrite each other.
    streams = form not in FORMATS or FORMATS[form].streams
    found = _read(files, models, jobs, bad, show_progress=not streams or not sys.stdout.isatty())
    if form == "table":
        for path, paper in found:
            if paper.outcome == "text":
                _print_paper(path, paper, explain=explain)
    else:
        for text in FORMATS[form].write((str(path), paper) for path, paper in found):
            click.echo(text, nl=False)
    for path, outcome in bad:
        reason = _REASONS.get(outcome, outcome)
        click.echo(f"lycosa: {printable(str(path))}: {reason}", err=True)
    if bad:
        raise SystemExit(2)


def _read(
    files: tuple[Path, ...],
    models: tuple[Path, ...],
    jobs: int | None,
    bad: list[tuple[Path, str]],
    *,
    show_progress: bool,
) -> Iterator[tuple[Path, Paper]]:
    """Yield the papers in files; append those without text and their outcomes to `bad`."""
    from lycosa.cli.console import progress_bars
    from lycosa.papers.paper import read_papers

    with progress_bars() as progress:
        task = progress.add_task("reading", total=len(files)) if show_progress else None
        found = read_papers(files, models, jobs or os.cpu_count() or 1)
        for path, paper in zip(files, found, strict=True):
            if paper.outcome != "text":
                bad.append((path, paper.outcome))
            yield path, paper
            if task is not None:
                progress.advance(task)


def _print_paper(path: Path, paper: Paper, *, explain: bool) -> None:
    from lycosa.cli.console import output

    verdict = "a paper" if paper.is_paper else "not a paper"
    count = plural(len(paper.references), "reference")
    click.echo(f"{printable(str(path))}: {verdict} ({paper.confidence:.2f}), {count}")
    output().print(_explanation(paper) if explain else _fields(paper), markup=False)
    click.echo()


def _fields(paper: Paper) -> Table:
    """Return the table of a paper and its references."""
    from lycosa.cli.console import table

    rows = table(**{name: "right" if name in _RIGHT_ALIGNED else "left" for name in COLUMNS})
    for row in table_rows(paper):
        rows.add_row(*map(printable, row))
    return rows


def _explanation(paper: Paper) -> Table:
    """Return the table of a paper's fields and of the places where they were read."""
    from lycosa.cli.console import table
    from lycosa.papers.explanation import explain_fields

    rows = table(field="left", value="left", sure="right", source="left", place="left")
    for name, value, confidence, source, place in explain_fields(paper):
        sure = "-" if confidence is None else f"{confidence:.2f}"
        shown = value if name else f"  {value}"
        rows.add_row(*map(printable, (name, shown, sure, source, place)))
    return rows
