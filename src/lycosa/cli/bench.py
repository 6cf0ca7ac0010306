"""`lycosa bench`: compare spiders on recorded sites."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Literal

import click

from lycosa.cli.output_files import check_writable, write_file
from lycosa.cli.spider_option import complete_spiders, print_spiders

DEFAULT = "house,breadth-first,depth-first,random,optimal"


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="SITE_FOLDER...", type=Path)
@click.option(
    "--goal",
    required=True,
    help="What to look for: a goal the sites list, e.g. papers, a query, e.g. text:robot, "
    "or package.module:function.",
)
@click.option(
    "--spiders",
    default=DEFAULT,
    show_default=True,
    shell_complete=complete_spiders,
    help="Names, .lyc files or package.module:Class, separated by commas.",
)
@click.option(
    "--list-spiders",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_spiders,
    help="List all spiders and exit.",
)
@click.option(
    "--train",
    type=click.Choice(["others", "none"]),
    default="others",
    show_default=True,
    help="Train on the other sites of the family, or not at all.",
)
@click.option(
    "--seed",
    "seeds",
    type=int,
    multiple=True,
    default=[0],
    show_default=True,
    help="Seed of all chance; repeat the option for several runs. Other than 0 it also shakes "
    "the order of links with equal scores.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Sites to run at the same time.  [default: number of cores]",
)
@click.option("--json", "json_path", metavar="FILE", help="Write the figures as JSON; - is stdout.")
@click.option("--report", "report_path", metavar="FILE", help="Write an HTML report with curves.")
def bench(
    folders: tuple[Path, ...],
    goal: str,
    spiders: str,
    train: Literal["others", "none"],
    seeds: tuple[int, ...],
    jobs: int | None,
    json_path: str | None,
    report_path: str | None,
) -> None:
    """Compare spiders on recorded sites, in simulation.

    Each SITE_FOLDER is a recorded site, or a folder of them. Every spider
    crawls every site that knows the goal, in simulation; a query is known to
    every site with such a page. The table counts the requests to find 25, 50,
    75 and 90 % of the targets; the integral is the area under that curve; "gap
    closed" is 0 % for breadth-first and 100 % for a spider that knows the
    whole site.

    \b
    Examples:
      lycosa bench sites/departments --goal papers
      lycosa bench sites/cornell sites/texas --goal courses --spiders random,optimal
      lycosa bench sites --goal 'robot* OR title:"computer vision"'
      lycosa bench sites --goal papers --report report.html
      lycosa bench sites --goal papers --json - | jq .summary
      lycosa bench sites/texas --goal papers --spiders random,trained.lyc
    """  # noqa: D301
    from lycosa.cli.console import output, progress_bars
    from lycosa.cli.experiment_bars import ExperimentBars
    from lycosa.lab import experiment, report, tables
    from lycosa.sites import find_sites
    from lycosa.spiders import spider
    from lycosa.spiders.names import split

    names = split(spiders)
    policies = {name: spider(name) for name in names}  # refuses a bad name before any work
    for path in (json_path, report_path):
        if path is not None and path != "-":
            check_writable(Path(path))
    paths = find_sites(folders)
    with progress_bars() as progress:
        watcher = ExperimentBars(progress, len(paths))
        results = experiment(
            paths,
            goal,
            names,
            train=train,
            seeds=seeds,
            jobs=jobs or os.cpu_count() or 1,
            watcher=watcher,
        )
    if json_path != "-":
        output().print(tables(results))
    if json_path:
        _write(json_path, json.dumps(results.to_json(), indent=1, ensure_ascii=False) + "\n")
    if report_path:
        command = "lycosa " + shlex.join(sys.argv[1:])
        _write(report_path, report(results, command=command, seeds=seeds, train=train))
    for name, policy in policies.items():
        if seen := [site for site in results.sites if site in policy.trained_on]:
            sentence = (
                f"{name} was trained on {', '.join(seen)}: its figures on these sites "
                "are not a fair test."
            )
            click.echo(f"lycosa: {sentence}", err=True)
    for damage in watcher.damages:
        click.echo(f"lycosa: {damage}", err=True)
    if watcher.damages:
        raise SystemExit(2)


def _write(path: str, text: str) -> None:
    """Write text to a file, or to stdout if the path is -."""
    if path == "-":
        click.echo(text, nl=False)
        return
    with write_file(Path(path)) as part:
        part.write_text(text, encoding="utf-8")
