"""`lycosa train headers` and `lycosa train references`: train a labeller on tagged text."""

from __future__ import annotations

import json
from pathlib import Path

import click

from lycosa.cli.output_files import check_writable, write_file

KINDS = ("headers", "references")
"""The kinds of labellers: the first argument of `lycosa train`."""


def command(kind: str) -> click.Command:
    """Return the command that trains a labeller of this kind."""

    @click.command(kind, help=_HELP.format(kind=kind, mark=_MARKS[kind]))
    @click.argument("tagged", nargs=-1, required=True, metavar="TAGGED...", type=Path)
    @click.option(
        "-o", "--out", required=True, type=Path, metavar="MODEL", help="The model file to write."
    )
    @click.option(
        "--method",
        type=click.Choice(["crf", "hmm"]),
        default="crf",
        show_default=True,
        help="A conditional random field, or a hidden Markov model.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
    def run(tagged: tuple[Path, ...], out: Path, method: str, as_json: bool) -> None:
        _train(kind, tagged, out, method, as_json)

    return run


_MARKS = {"headers": "<NEW_HEADER>", "references": "<NEWREFERENCE>"}
_HELP = """Train a labeller on {kind} that were tagged by hand.

Each TAGGED file contains {kind} in the format of Seymore, McCallum & Rosenfeld
1999: {mark} begins each, a tag such as <title> labels the words in it, +L+
ends a line. Give the model file to `lycosa papers --model`.

A conditional random field is more accurate; a hidden Markov model is trained
in seconds.

\b
Examples:
  lycosa train {kind} tagged_{kind}.txt -o mine.crf
  lycosa train {kind} tagged_{kind}.txt --method hmm -o mine.hmm
  lycosa papers --model mine.crf paper.pdf
"""


def _train(kind: str, tagged: tuple[Path, ...], out: Path, method: str, as_json: bool) -> None:
    from lycosa.cli.console import progress_bars, show_reports
    from lycosa.papers.extraction.tagged import read_headers, read_references
    from lycosa.papers.training.labellers import train_labeller

    check_writable(out)
    read = read_headers if kind == "headers" else read_references
    items = [item for path in tagged for item in read(path)]
    with progress_bars() as progress:
        data = ", ".join(path.name for path in tagged)
        with show_reports(progress, progress.add_task("learning", total=None)):
            labeller = train_labeller(kind, items, method, data=data)
    with write_file(out) as part:
        labeller.save(part)
    size = out.stat().st_size
    words = sum(bool(token.label) for item in items for token in item)
    facts = {
        "file": str(out),
        "bytes": size,
        "kind": kind,
        "method": method,
        "items": len(items),
        "words": words,
    }
    if as_json:
        click.echo(json.dumps(facts, indent=1, ensure_ascii=False))
    else:
        click.echo(f"{out}: a labeller for {kind} ({method}), {size:,} bytes")
        click.echo(f"trained on {words:,} words of {len(items):,} {kind}")
