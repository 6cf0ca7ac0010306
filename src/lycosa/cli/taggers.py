"""`lycosa train headers` and `lycosa train references`: learn to label from tagged text."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.errors import UsageError
from lycosa.files import replace_file

if TYPE_CHECKING:
    from lycosa.papers.extraction.labeller import TrainedLabeller

KINDS = ("headers", "references")
"""What can be learned: the first word after `lycosa train`."""


def command(kind: str) -> click.Command:
    """The command that trains a tagger of this kind."""

    @click.command(kind, help=_HELP.format(kind=kind, mark=_MARKS[kind]))
    @click.argument("tagged", nargs=-1, required=True, metavar="TAGGED...", type=Path)
    @click.option(
        "-o", "--out", required=True, type=Path, metavar="MODEL", help="The file to make."
    )
    @click.option(
        "--method",
        type=click.Choice(["crf", "hmm"]),
        default="crf",
        show_default=True,
        help="A conditional random field, or a hidden Markov model.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print the result for machines.")
    def run(tagged: tuple[Path, ...], out: Path, method: str, as_json: bool) -> None:
        _train(kind, tagged, out, method, as_json)

    return run


_MARKS = {"headers": "<NEW_HEADER>", "references": "<NEWREFERENCE>"}
_HELP = """Let a tagger learn from {kind} that were tagged by hand.

Each TAGGED file has {kind} in the format of Seymore, McCallum & Rosenfeld
1999: {mark} begins each, a tag such as <title> labels the words in it, +L+
ends a line. The file that is made can be given to `lycosa papers --model`.

A conditional random field labels better; a hidden Markov model is learned in
seconds.

\b
Examples:
  lycosa train {kind} tagged_{kind}.txt -o mine.crf
  lycosa train {kind} tagged_{kind}.txt --method hmm -o mine.hmm
  lycosa papers --model mine.crf paper.pdf
"""


def _train(kind: str, tagged: tuple[Path, ...], out: Path, method: str, as_json: bool) -> None:
    from lycosa.cli.console import progress_bars
    from lycosa.papers.extraction.tagged import read_headers, read_references
    from lycosa.papers.training.labellers import train_labeller

    if out.is_dir() or not os.access(out.absolute().parent, os.W_OK):
        raise UsageError(f"{out} cannot be written; name a file in a folder of yours.")
    read = read_headers if kind == "headers" else read_references
    items = [item for path in tagged for item in read(path)]
    with progress_bars() as progress:
        progress.add_task("learning", total=None)
        made = train_labeller(kind, items, method, data=", ".join(path.name for path in tagged))
    _write(out, made)
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
        click.echo(f"{out}: a tagger for {kind} ({method}), {size:,} bytes")
        click.echo(f"learned from {words:,} words of {len(items):,} {kind}")


def _write(out: Path, made: TrainedLabeller) -> None:
    """Write a model completely or not at all."""
    try:
        with replace_file(out) as part:
            made.save(part)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}.") from error
