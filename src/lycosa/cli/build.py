"""`lycosa build`: build a search portal from a crawl."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.cli.terminal import say
from lycosa.reporting.text import duration, plural, printable

if TYPE_CHECKING:
    from lycosa.cluster.build.ray_reading import RayReading
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
@click.option(
    "--ray",
    metavar="ADDRESS",
    help="Read the documents on this Ray cluster; auto finds the one of `lycosa cluster up`.",
)
@click.option(
    "--archive",
    metavar="URL",
    help="With --ray: folder of the archive, as all machines see it.  [default: DIR/archive]",
)
@click.option(
    "--documents",
    metavar="URL",
    help="With --ray: folder for what they read.  [default: DIR/cluster/documents]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as a JSON object.")
def build(
    folder: Path,
    jobs: int | None,
    ray: str | None,
    archive: str | None,
    documents: str | None,
    as_json: bool,
) -> None:
    """Build a search portal from what the crawl in DIR has found.

    The build reads every page that the goal of the crawl rewarded: papers with
    their fields and references, other pages with their text. It merges copies
    of a paper into one work, links works by citations, and classifies them by
    topic if the lycosa.toml names a topic file under [portal]. The results
    are in DIR/portal.db and DIR/index.

    Run it again after more crawling or after corrections: it processes only
    what is new. A build that was stopped resumes at the next run. While the
    portal is being served, searches have priority over the build.

    \b
    Examples:
      lycosa build robots
      lycosa build robots --json | jq .holdings
      lycosa build robots --ray auto
      lycosa crawl robots && lycosa build robots && lycosa serve robots
    """  # noqa: D301
    from lycosa.cli.build_bars import StageBars
    from lycosa.cli.console import progress_bars
    from lycosa.portal.build import build_portal as run
    from lycosa.portal.priority import lower_priority
    from lycosa.project import Project

    project = Project.load(folder)
    elsewhere = None if ray is None else _connect(ray, project.folder, archive, documents)
    with lower_priority(folder), progress_bars() as progress:
        summary = run(
            project,
            progress=StageBars(progress),
            jobs=jobs or os.cpu_count() or 1,
            elsewhere=elsewhere,
        )
    if as_json:
        click.echo(json.dumps({**asdict(summary), "nothing_new": summary.nothing_new}))
        return
    say(*summary_lines(summary, folder))


def _connect(ray: str, folder: Path, archive: str | None, documents: str | None) -> RayReading:
    """Connect to Ray; return what reads documents there."""
    from lycosa.cluster.build.ray_reading import RayReading
    from lycosa.cluster.ray_connection import connect_ray

    connect_ray(ray, folder)
    folder = folder.absolute()
    return RayReading(
        archive or str(folder / "archive"), documents or str(folder / "cluster" / "documents")
    )


def summary_lines(summary: BuildSummary, folder: Path) -> list[str]:
    """Return the lines of the summary: what was done, the holdings, the next command."""
    holdings = summary.holdings
    name = printable(shlex.quote(str(folder)))
    lines = []
    if summary.nothing_new:
        lines.append("Nothing is new since the last build.")
    elif summary.read:
        outcomes = ", ".join(f"{printable(name)} {count:,}" for name, count in summary.read.items())
        lines.append(f"{plural(sum(summary.read.values()), 'document')} read: {outcomes}.")
    if summary.derived and summary.changed < sum(holdings.works.values()):  # not the first build
        lines.append(f"{plural(summary.changed, 'work')} changed.")
    if summary.anew:
        lines.append("The index was made by another version of Lycosa, so it was rebuilt.")
    works = ", ".join(
        f"{holdings.works[k]:,} {name}" for k, name in _KINDS.items() if k in holdings.works
    )
    lines += [
        f"{plural(holdings.documents, 'document')}, {holdings.papers:,} of them papers.",
        f"{plural(sum(holdings.works.values()), 'work')}: {works or 'none'}; "
        f"{plural(holdings.authors, 'author')}.",
        f"{plural(holdings.references, 'reference')}, {plural(holdings.citations, 'citation')}.",
    ]
    if holdings.topics:
        lines.append(
            f"{plural(holdings.topics, 'topic')}, {plural(holdings.placed, 'work')} in them."
        )
    if summary.pending:
        lines.append(
            f"{plural(summary.pending, 'removal')} not completed: stop the crawl, then build again."
        )
    lines.append(f"{duration(summary.seconds)}. Next: lycosa serve {name}")
    return lines
