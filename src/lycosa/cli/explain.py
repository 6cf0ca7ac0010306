"""`lycosa explain`: which words a trained spider goes by."""

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
@click.option("--site", "folder", type=Path, metavar="FOLDER", help="The site that URL is on.")
@click.option("--goal", help="What a spider given by name is to find, e.g. papers.")
@click.option(
    "--train",
    "folders",
    multiple=True,
    type=Path,
    metavar="SITE_FOLDER",
    help="What a spider given by name learns from; may be repeated.",
)
@click.option("--seed", default=0, show_default=True, help="For the training of such a spider.")
@click.option(
    "--words",
    "count",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How many words to show.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all of it for machines.")
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
    """Say which words a trained spider goes by, or gave one link its value.

    SPIDER is a file that `lycosa train` made, or a spider's name with --goal
    and --train. Without a URL the words that it goes by are shown, with the
    part of the link they come from: those for and against a link, or the most
    predictive ones of each bin.

    With the URL of a page of --site, the links that lead to it are valued, and
    the words of the best one are shown with what each did to its value. A site
    that is explained is not trained on.

    \b
    Examples:
      lycosa explain papers.lyc
      lycosa explain papers.lyc http://www.example.edu/~smith/pubs.html --site sites/example
      lycosa explain 'rl(nb)' --goal papers --train sites
    """  # noqa: D301
    if (url is None) != (folder is None):
        raise UsageError("A URL and --site, the recorded site that it is on, go together.")
    from lycosa.cli.console import output
    from lycosa.cli.explanations import links_to, words_of

    damages: list[str] = []
    site = _opened(folder, damages) if folder else None
    number = _number(site, folder, url) if site and folder and url else None
    trained = _trained(spider, goal, folders, seed, folder, damages)
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


def _opened(folder: Path, damages: list[str]) -> CompiledSite:
    from lycosa.cli.console import progress_bars
    from lycosa.cli.experiment_bars import ExperimentBars
    from lycosa.sites import open_site

    with progress_bars() as progress:
        watcher = ExperimentBars(progress, 1)
        site = open_site(folder, watcher.reading, os.cpu_count() or 1)
        watcher.opened(site)
    damages += watcher.damages
    return site


def _number(site: CompiledSite, folder: Path, url: str) -> int:
    """The number of a page by any of its URLs."""
    import difflib

    from lycosa.sites import Recording
    from lycosa.web.urls import canonical

    address = canonical(url)
    if address is None:
        raise UsageError(f"{url!r} is no web address; write it like http://www.example.edu/.")
    address = Recording.open(folder).aliases().get(address, address)
    number = site.tables.urls.find(address)
    if number is None:
        urls = [site.tables.urls[n] for n in range(len(site))]
        near = difflib.get_close_matches(address, urls, n=2, cutoff=0.7)
        hint = f"; did you mean {' or '.join(near)}?" if near else "."
        raise UsageError(f"There is no page {address} on {site.name}{hint}")
    return number


def _trained(
    name: str,
    goal: str | None,
    folders: tuple[Path, ...],
    seed: int,
    leave_out: Path | None,
    damages: list[str],
) -> TrainedSpider:
    """A spider from a file, or one that is trained now."""
    from lycosa.cli.console import progress_bars
    from lycosa.cli.train import training_sites
    from lycosa.sites import find_sites
    from lycosa.spiders import spider
    from lycosa.spiders.model_file import TrainedSpider, check_portable, load_spider
    from lycosa.spiders.names import SUFFIX

    if name.endswith(SUFFIX):
        if folders:
            raise UsageError(f"{name} is trained already; leave out --train.")
        trained = load_spider(Path(name))
        if goal not in (None, trained.goal):
            raise UsageError(f"{name} was trained to find {trained.goal}; leave out --goal.")
        return trained
    made = spider(name)
    check_portable(made)
    if not folders or not goal:
        raise UsageError(f"{name} knows nothing yet: say --goal and --train, or give a .lyc file.")
    paths = [path for path in find_sites(folders) if not leave_out or not path.samefile(leave_out)]
    if not paths:
        raise UsageError("There is no other site to learn from; give more with --train.")
    with progress_bars() as progress:
        sites, _, damaged = training_sites(paths, goal, None, progress)
        progress.add_task("learning", total=None)
        models = tuple(made.train(sites, goal, seed))
    damages += damaged
    return TrainedSpider(made, goal, models, tuple(site.name for site in sites), seed)
