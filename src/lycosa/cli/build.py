"""`lycosa build`: a crawl becomes a search engine."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.reporting.text import duration, plural, printable

if TYPE_CHECKING:
    from lycosa.portal.build import BuildSummary


_KINDS = {"paper": "papers", "page": "pages", "cited": "only cited"}


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Documents to read at the same time.  [default: number of cores]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as a JSON object.")
def build(folder: Path, jobs: int | None, as_json: bool) -> None:
    """Make a search engine of what the crawl in DIR has found.

    Every page that the goal of the crawl rewarded is read: papers with their
    fields and references, other pages with their text. Copies and versions of
    a paper become one work, works cite each other, and find their topics if
    the lycosa.toml names a file of them under [portal]. All is kept in
    DIR/portal.db and DIR/index.

    Run it again when the crawl has gone on or something was corrected: it does
    only what is new. Stopped at any moment, the next run goes on. If the
    portal is being served, those who search go first.

    \b
    Examples:
      lycosa build robots
      lycosa build robots --json | jq .holdings
      lycosa crawl robots && lycosa build robots && lycosa serve robots
    """  # noqa: D301
    from lycosa.cli.build_bars import StageBars
    from lycosa.cli.console import progress_bars
    from lycosa.portal.build import build_portal as run
    from lycosa.portal.priority import lower_priority
    from lycosa.project import Project

    project = Project.load(folder)
    with lower_priority(folder), progress_bars() as progress:
        summary = run(project, progress=StageBars(progress), jobs=jobs or os.cpu_count() or 1)
    if as_json:
        click.echo(json.dumps({**asdict(summary), "nothing_new": summary.nothing_new}))
        return
    for line in summary_lines(summary, folder):
        click.echo(line)


def summary_lines(summary: BuildSummary, folder: Path) -> list[str]:
    """What was done, what there is, and what comes next."""
    have = summary.holdings
    name = printable(shlex.quote(str(folder)))
    lines = []
    if summary.nothing_new:
        lines.append("Nothing is new since the last build.")
    elif summary.read:
        outcomes = ", ".join(f"{printable(name)} {count:,}" for name, count in summary.read.items())
        lines.append(f"{plural(sum(summary.read.values()), 'document')} read: {outcomes}.")
    if summary.anew:
        lines.append("The index was that of another version of Lycosa and was made anew.")
    works = ", ".join(f"{have.works[k]:,} {name}" for k, name in _KINDS.items() if k in have.works)
    lines += [
        f"{plural(have.documents, 'document')}, {have.papers:,} of them papers.",
        f"{plural(sum(have.works.values()), 'work')}: {works or 'none'}; "
        f"{plural(have.authors, 'author')}.",
        f"{plural(have.references, 'reference')}, {plural(have.citations, 'citation')}.",
    ]
    if have.topics:
        lines.append(f"{plural(have.topics, 'topic')}, {plural(have.placed, 'work')} in them.")
    lines.append(f"{duration(summary.seconds)}. Next: lycosa serve {name}")
    return lines
