"""`lycosa repair`: rebuild what is lost or damaged of a crawl from its archive."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.cli.terminal import say
from lycosa.reporting.text import plural, printable, size

if TYPE_CHECKING:
    from lycosa.crawler.storage.repair import RepairReport

MAX_NAMED = 20
"""Lost pages that are listed; the JSON output has all of them."""


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def repair(folder: Path, as_json: bool) -> None:
    """Repair the crawl in DIR from its archive, and count what is lost.

    The whole archive is read. Damaged records are removed from it, and the step
    log crawl.db is rebuilt if it is lost or damaged, or if it disagrees with the
    archive; so is the search index of the portal, if there is one. Damaged
    originals are kept beside the new files, with names that end in .damaged. A
    crawl without damage is left as it is.

    The next `lycosa crawl DIR` resumes, and requests the lost pages again.

    \b
    Examples:
      lycosa repair robots
      lycosa repair robots --json | jq '.lost[].url'
    """  # noqa: D301
    from lycosa.cli.console import progress_bars
    from lycosa.crawler.storage.repair import repair_crawl
    from lycosa.portal.build.index_repair import repair_index

    with progress_bars() as progress:
        task = progress.add_task("reading the archive", total=None)
        report = repair_crawl(
            folder, lambda done, total: progress.update(task, completed=done, total=total)
        )
        index = repair_index(folder)
    if as_json:
        click.echo(json.dumps({**asdict(report), "index": index}, indent=1))
        return
    say(*repair_lines(report, index, folder))


def repair_lines(report: RepairReport, index: str, folder: Path) -> list[str]:
    """Return the summary of a repair: the damage, what is left, what is lost, what to do."""
    name = printable(shlex.quote(str(folder)))
    lines = []
    if report.journal != "healthy":
        lines.append(f"crawl.db was {report.journal}: it was rebuilt from the archive.")
    if report.damaged_files:
        files = ", ".join(report.damaged_files)
        lines.append(f"Damaged: {files} ({size(report.lost_bytes)} unreadable).")
    if index in ("lost", "damaged"):
        lines.append(f"The search index was {index}: it was rebuilt from portal.db.")
    if not report.repaired:
        lines.append(f"The crawl has no damage: {plural(report.pages, 'page')} can be read.")
        return lines
    lost = len(report.lost)
    lines.append(f"{plural(report.pages, 'page')} recovered, {plural(lost, 'page')} lost.")
    for page in report.lost[:MAX_NAMED]:
        url = "URL unknown" if page.url is None else printable(page.url)
        lines.append(f"  lost: step {page.n:,}, {url}")
    if lost > MAX_NAMED:
        lines.append(f"  and {lost - MAX_NAMED:,} more, which are steps with the fault lost.")
    if report.unnumbered:
        lines.append(
            f"{plural(report.unnumbered, 'page')} of an older archive: which links led to them, "
            "and which requests failed, is not recorded there."
        )
    if report.kept:
        lines.append(f"Originals: {', '.join(map(printable, report.kept))}.")
    lines.append(f"Resume, which requests lost pages again: lycosa crawl {name}")
    return lines
