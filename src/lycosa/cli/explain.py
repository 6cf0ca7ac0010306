"""`lycosa explain`: show which words a trained spider uses to score links."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.errors import UsageError
from lycosa.reporting.text import printable

if TYPE_CHECKING:
    from lycosa.sites.compiled import CompiledSite
    from lycosa.spiders.model_file import TrainedSpider


@click.command()
@click.argument("spider")
@click.argument("url", required=False)
@click.option(
    "--site", "folder", type=Path, metavar="FOLDER", help="The recorded site that contains URL."
)
@click.option("--goal", help="The goal to train a spider for, if SPIDER is a name; e.g. papers.")
@click.option(
    "--train",
    "folders",
    multiple=True,
    type=Path,
    metavar="SITE_FOLDER",
    help="A site to train it on, if SPIDER is a name; may be repeated.",
)
@click.option("--seed", default=0, show_default=True, help="Random seed of that training.")
@click.option(
    "--words",
    "count",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How many words to show.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all results as JSON.")
def explain(
    spider: str,
    url: str | None,
    folder: Path | None,
    goal: str | None,
    folders: tuple[Path, ...],
    seed: int,
    count: int,
    as_json: bool,
) -> None:
    """Show which words a trained spider uses, or how it scores the links to a URL.

    SPIDER is a file written by `lycosa train`, or a spider's name with --goal
    and --train. Without a URL, the command shows the words with the largest
    weights and the part of the link they come from: words for and against a
    link, or the most predictive words of each bin.

    With the URL of a page of --site, the command scores the links to it and
    shows the effect of each word of the best link. The spider is not trained
    on that site.

    \b
    Examples:
      lycosa explain papers.lyc
      lycosa explain papers.lyc http://www.example.edu/~smith/pubs.html --site sites/example
      lycosa explain 'rl(nb)' --goal papers --train sites
    """  # noqa: D301
    if (url is None) != (folder is None):
        raise UsageError(
            "Give both a URL and --site, the recorded site that contains it, or neither."
        )
    from lycosa.cli.console import output
    from lycosa.cli.explanations import links_to, words_of

    damages: list[str] = []
    site = _open_site(folder, damages) if folder else None
    number = _find_page(site, folder, url) if site and folder and url else None
    trained = _load_or_train(spider, goal, folders, seed, folder, damages)
    if site and number is not None:
        facts, tables = links_to(trained, site, number, count)
    else:
        facts, tables = words_of(trained, count)
    facts = {"spider": trained.name, "goal": trained.goal, "sites": list(trained.sites), **facts}
    if as_json:
        click.echo(json.dumps(facts, indent=1, ensure_ascii=False))
    else:
        click.echo(f"{facts['spider']} for {facts['goal']}, from {', '.join(facts['sites'])}")
        for title, table in tables:
            click.echo()
            output().print(printable(title), style="bold", markup=False)
            if table is not None:
                output().print(table, markup=False)
    for damage in damages:
        click.echo(f"lycosa: {damage}", err=True)
    if damages:
        raise SystemExit(2)


def _open_site(folder: Path, damages: list[str]) -> CompiledSite:
    from lycosa.cli.console import progress_bars
    from lycosa.cli.experiment_bars import ExperimentBars
    from lycosa.sites import open_site

    with progress_bars() as progress:
        watcher = ExperimentBars(progress, 1)
        site = open_site(folder, watcher.reading, os.cpu_count() or 1)
        watcher.opened(site)
    damages += watcher.damages
    return site


def _find_page(site: CompiledSite, folder: Path, url: str) -> int:
    """Return the number of a page, given any of its URLs."""
    import difflib

    from lycosa.sites import Recording
    from lycosa.web.urls import canonical

    address = canonical(url)
    if address is None:
        raise UsageError(f"{url!r} is not a web address; write it like http://www.example.edu/.")
    address = Recording.open(folder).aliases().get(address, address)
    number = site.tables.urls.find(address)
    if number is None:
        urls = [site.tables.urls[n] for n in range(len(site))]
        near = difflib.get_close_matches(address, urls, n=2, cutoff=0.7)
        suggestion = f"; did you mean {' or '.join(near)}?" if near else "."
        raise UsageError(f"There is no page {address} on {site.name}{suggestion}")
    return number


def _load_or_train(
    name: str,
    goal: str | None,
    folders: tuple[Path, ...],
    seed: int,
    leave_out: Path | None,
    damages: list[str],
) -> TrainedSpider:
    """Load a spider from a file, or train one."""
    from lycosa.cli.console import progress_bars, show_reports
    from lycosa.cli.train import training_sites
    from lycosa.sites import find_sites
    from lycosa.spiders import spider
    from lycosa.spiders.model_file import TrainedSpider, check_portable, load_spider
    from lycosa.spiders.names import SUFFIX

    if name.endswith(SUFFIX):
        if folders:
            raise UsageError(f"{name} is already trained; leave out --train.")
        trained = load_spider(Path(name))
        if goal not in (None, trained.goal):
            raise UsageError(f"{name} was trained to find {trained.goal}; leave out --goal.")
        return trained
    factory = spider(name)
    check_portable(factory)
    if not folders or not goal:
        raise UsageError(f"{name} is not trained: give --goal and --train, or a .lyc file.")
    paths = [path for path in find_sites(folders) if not leave_out or not path.samefile(leave_out)]
    if not paths:
        raise UsageError("No site is left to train on; give more with --train.")
    with progress_bars() as progress:
        sites, _, damaged = training_sites(paths, goal, None, progress)
        with show_reports(progress, progress.add_task("training", total=None)):
            models = tuple(factory.train(sites, goal, seed))
    damages += damaged
    return TrainedSpider(factory, goal, models, tuple(site.name for site in sites), seed)
