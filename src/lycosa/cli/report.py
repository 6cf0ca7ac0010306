"""`lycosa report`: write an HTML report of a live crawl."""

from __future__ import annotations

import json
from pathlib import Path

import click

from lycosa.cli.cluster_option import cluster_option, copy_from_cluster
from lycosa.cli.output_files import check_writable, write_file
from lycosa.errors import UsageError


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    help="The file to write; - is stdout.  [default: DIR/report.html]",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print the figures as JSON instead of writing a report."
)
@cluster_option("Copy a cluster crawl that is running to DIR first.")
def report(folder: Path, out: str | None, as_json: bool, cluster: str | None) -> None:
    """Write an HTML report of the crawl in DIR, which may still be running.

    The report is one self-contained HTML file. It shows the progress of the
    crawl, hosts, responses, faults, the words that distinguish target URLs, and
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
    if cluster is not None:
        copy_from_cluster(cluster, folder)
    with CrawlReader.open(folder) as reader:
        place = Path(out) if out is not None else folder / "report.html"
        if not as_json and out != "-":
            check_writable(place)
        facts = figures(reader)
    if as_json:
        click.echo(json.dumps(facts.to_json(), indent=1, ensure_ascii=False))
    elif out == "-":
        click.echo(page(facts), nl=False)
    else:
        with write_file(place) as part:
            part.write_text(page(facts), encoding="utf-8")
        click.echo(place)
