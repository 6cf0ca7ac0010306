"""`lycosa explain`: which words a trained spider goes by."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from lycosa.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from lycosa.core import Page, Site
    from lycosa.sites.compiled import CompiledSite
    from lycosa.spiders.model_file import Trained

LISTED = 10
"""How many of the other links to a page are shown."""


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
    and --train. Without a URL the most predictive words of each bin are shown,
    with the part of the link they come from.

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

    damages: list[str] = []
    site = _opened(folder, damages) if folder else None
    number = _number(site, folder, url) if site and folder and url else None
    trained = _trained(spider, goal, folders, seed, folder, damages)
    if site and number is not None:
        facts = _link(trained, site, number)
        tables = _link_tables(facts, count)
    else:
        facts = _predictive(trained, count)
        tables = _predictive_tables(facts)
    facts = {"spider": trained.name, "goal": trained.goal, "sites": list(trained.sites), **facts}
    if as_json:
        click.echo(json.dumps(facts, indent=1, ensure_ascii=False))
    else:
        click.echo(f"{facts['spider']} for {facts['goal']}, from {', '.join(facts['sites'])}")
        for title, table in tables:
            click.echo()
            output().print(_shown(title), style="bold")
            output().print(table)
    for damage in damages:
        click.echo(f"lycosa: {damage}", err=True)
    if damages:
        raise SystemExit(2)


def _opened(folder: Path, damages: list[str]) -> CompiledSite:
    from lycosa.cli.console import bars
    from lycosa.cli.watcher import BarWatcher
    from lycosa.sites import open_site

    with bars() as progress:
        watcher = BarWatcher(progress, 1)
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
) -> Trained:
    """A spider from a file, or one that is trained now."""
    from lycosa.cli.console import bars
    from lycosa.cli.train import training_sites
    from lycosa.sites import find_sites
    from lycosa.spiders import spider
    from lycosa.spiders.model_file import Trained, check_portable, load
    from lycosa.spiders.names import SUFFIX

    if name.endswith(SUFFIX):
        if folders:
            raise UsageError(f"{name} is trained already; leave out --train.")
        trained = load(Path(name))
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
    with bars() as progress:
        sites, _, damaged = training_sites(paths, goal, None, progress)
        progress.add_task("learning", total=None)
        models = tuple(made.train(sites, goal, seed))
    damages += damaged
    return Trained(made, goal, models, tuple(site.name for site in sites), seed)


def _predictive(trained: Trained, count: int) -> dict[str, Any]:
    from lycosa.spiders.explanation import predictive_words

    models = []
    for recipe, model in zip(trained.spider.recipes, trained.models, strict=True):
        bins = [
            {"worth": worth, "words": [w._asdict() for w in predictive_words(model, k, count)]}
            for k, worth in enumerate(model.means.tolist())
        ]
        models.append({"criterion": recipe.criterion.name, "bins": bins})
    return {"models": models}


def _link(trained: Trained, site: Site, number: int) -> dict[str, Any]:
    """The links to a page by their value, and the words of the best."""
    from lycosa.core import Budget
    from lycosa.spiders import Setup
    from lycosa.spiders.explanation import explain_link

    url = site.tables.urls[number]
    policy = trained.spider.make(Setup(site, trained.goal, trained.seed), trained.models)
    policy.start(Budget())
    found: list[tuple[float, Page, int]] = []
    for page in _sources(site, number):
        index = page.targets.tolist().index(number)
        found.append((float(policy.score(page)[index]), page, index))
    if not found:
        raise UsageError(f"No page of {site.name} leads to {url}, so no link to it has a value.")
    found.sort(key=lambda link: -link[0])
    _, page, index = found[0]
    models = []
    for recipe, model in zip(trained.spider.recipes, trained.models, strict=True):
        why = explain_link(model.reader(site.tables), page, index)
        bins = [
            {"worth": worth, "probability": probability}
            for worth, probability in zip(model.means.tolist(), why.probabilities, strict=True)
        ]
        models.append(
            {
                "criterion": recipe.criterion.name,
                "value": why.value,
                "base": why.base,
                "bins": bins,
                "words": [effect._asdict() for effect in why.effects],
            }
        )
    links = [{"source": page.url, "value": value} for value, page, _ in found]
    return {"url": url, "links": links, "models": models}


def _sources(site: Site, number: int) -> list[Page]:
    """The pages that link to a page."""
    import numpy as np

    from lycosa.sites import Graph

    graph = Graph.of(site)
    places = np.flatnonzero(np.asarray(graph.targets) == number)
    pages = np.unique(np.searchsorted(graph.offsets, places, side="right") - 1)
    return [site.page(page) for page in pages.tolist()]


def _predictive_tables(facts: dict[str, Any]) -> list[tuple[str, Table]]:
    tables = []
    for model in facts["models"]:
        for one in model["bins"]:
            table = _table(score="right", part="left", word="left")
            for word in one["words"]:
                table.add_row(f"{word['score']:.3f}", word["channel"], _shown(word["word"]))
            tables.append((f"{model['criterion']}: links worth {one['worth']:.3g}", table))
    return tables


def _link_tables(facts: dict[str, Any], count: int) -> list[tuple[str, Table]]:
    links = facts["links"]
    table = _table(value="right", page="left")
    for link in links[:LISTED]:
        table.add_row(f"{link['value']:.4f}", _shown(link["source"]))
    if len(links) > LISTED:
        table.add_row("", f"({len(links) - LISTED:,} others, worth no more)")
    tables = [(f"Links to {facts['url']}", table)]
    for model in facts["models"]:
        bins = _table(worth="right", probability="right")
        for one in model["bins"]:
            bins.add_row(f"{one['worth']:.3g}", f"{one['probability']:.4f}")
        words = _table(effect="right", times="right", part="left", word="left")
        for word in model["words"][:count]:
            effect = f"{word['effect']:+.4f}"
            words.add_row(effect, str(word["times"]), word["bag"], _shown(word["word"]))
        if rest := model["words"][count:]:
            total = sum(word["effect"] for word in rest)
            words.add_row(f"{total:+.4f}", "", "", f"({len(rest):,} others together)")
        title = f"{model['criterion']}: the first link is worth {model['value']:.4f}"
        tables.append((title, bins))
        tables.append((f"{model['base']:.4f} without words; what its words did", words))
    return tables


def _table(**columns: Literal["left", "right"]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), show_edge=False)
    for name, side in columns.items():
        table.add_column(name, justify=side, overflow="fold")
    return table


def _shown(text: str) -> Text:
    """Text from a page, safe for a terminal: no control characters, no markup."""
    from rich.text import Text

    return Text("".join(c if c.isprintable() else "·" for c in text))
