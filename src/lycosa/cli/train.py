"""`lycosa train`: train a spider on recorded sites and save it.

`lycosa train headers` and `lycosa train references` are separate commands.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lycosa.cli import taggers
from lycosa.cli.spider_option import complete_spiders
from lycosa.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from lycosa.sites.compiled import CompiledSite
    from lycosa.spiders import Spider
    from lycosa.spiders.factory import Model

DEFAULT = "house"
WORDS_SHOWN = 8
"""Words for a link, and against it, that are printed."""


class SpiderOrTagger(click.Command):
    """The command for spiders, unless the first argument names a kind of labeller."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Return the context of the command that the first argument selects."""
        if args and args[0] in taggers.KINDS:
            chosen = taggers.command(args[0])
            return chosen.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(cls=SpiderOrTagger)
@click.argument("folders", nargs=-1, metavar="[SITE_FOLDER]...", type=Path)
@click.option("--sites", "more", multiple=True, type=Path, help="The same as SITE_FOLDER.")
@click.option("--goal", required=True, help="The goal to train for, e.g. papers.")
@click.option(
    "--spider",
    "name",
    default=DEFAULT,
    show_default=True,
    shell_complete=complete_spiders,
    help="What to train: a name or package.module:Class.",
)
@click.option(
    "-o",
    "--out",
    required=True,
    type=Path,
    help="The file to write, e.g. spider.lyc.",
    metavar="FILE",
)
@click.option("--seed", default=0, show_default=True, help="Seed of all random numbers.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Processes to compile sites with.  [default: number of cores]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def train(
    folders: tuple[Path, ...],
    more: tuple[Path, ...],
    goal: str,
    name: str,
    out: Path,
    seed: int,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Train a spider on recorded sites and save it to a file.

    Each SITE_FOLDER is a recorded site, or a folder of them; sites without the
    goal are left out. Give the file to `lycosa crawl`, `lycosa bench` and
    `lycosa explain` in place of a spider's name.

    `lycosa train headers` and `lycosa train references` train the labellers of
    `lycosa papers` instead; write ./headers for a site folder of that name.

    \b
    Examples:
      lycosa train sites/cornell sites/texas --goal papers -o papers.lyc
      lycosa train sites --goal courses --spider 'rl(nb, related, immediate)' -o courses.lyc
      lycosa bench sites/wisconsin --goal papers --spiders papers.lyc
      lycosa train references --help
    """  # noqa: D301
    from lycosa.cli.console import progress_bars, show_reports
    from lycosa.spiders import spider
    from lycosa.spiders.model_file import check_path, check_portable, save_spider

    if not folders and not more:
        raise UsageError("Give one or more folders of recorded sites to train on.")
    factory = spider(name)
    check_portable(factory)
    check_path(out)
    with progress_bars() as progress:
        sites, left_out, damages = training_sites((*folders, *more), goal, jobs, progress)
        with show_reports(progress, progress.add_task("training", total=None)):
            models = factory.train(sites, goal, seed)
    save_spider(out, factory, goal, models, sites=[site.name for site in sites], seed=seed)
    facts = {
        "file": str(out),
        "bytes": out.stat().st_size,
        "spider": factory.name,
        "goal": goal,
        "seed": seed,
        "sites": [site.name for site in sites],
        "left_out": left_out,
        "links": sum(len(site.graph.targets) for site in sites),
        "models": _model_facts(factory, models),
    }
    if as_json:
        click.echo(json.dumps(facts, indent=1, ensure_ascii=False))
    else:
        _print(facts)
    for damage in damages:
        click.echo(f"lycosa: {damage}", err=True)
    if damages:
        raise SystemExit(2)


def training_sites(
    folders: Sequence[Path], goal: str, jobs: int | None, progress: Any
) -> tuple[list[CompiledSite], int, list[str]]:
    """Return the sites with a goal, the number of sites without it, and messages about damage."""
    from lycosa.cli.experiment_bars import ExperimentBars
    from lycosa.sites import find_sites, open_site

    paths = find_sites(folders)
    watcher = ExperimentBars(progress, len(paths))
    every = []
    for path in paths:
        every.append(open_site(path, watcher.reading, jobs or os.cpu_count() or 1))
        watcher.opened(every[-1])
    sites = [site for site in every if goal in site.goals]
    if not sites:
        raise UnknownName("goal", goal, {known for site in every for known in site.goals})
    if not any(len(site.wanted(goal)) for site in sites):
        raise UsageError(f"None of the sites has a target of the goal {goal!r} to train on.")
    names = [site.name for site in sites]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"Two sites have the name {name!r}; rename one of them.")
    return sites, len(every) - len(sites), watcher.damages


def _model_facts(factory: Spider, models: Sequence[Model]) -> list[dict[str, Any]]:
    from lycosa.cli.hashed_model_tables import model_facts
    from lycosa.learn.hashed_model import HashedModel
    from lycosa.spiders.training import Recipe

    learned = []
    for recipe, model in zip(factory.recipes, models, strict=True):
        if isinstance(model, HashedModel):
            learned.append(model_facts(model))
        elif isinstance(recipe, Recipe):
            words = zip(model.neighbourhood.channels, model.vocabularies, strict=True)
            learned.append(
                {
                    "criterion": recipe.criterion.name,
                    "bins": model.means.tolist(),
                    "words": {channel.name: len(vocabulary) for channel, vocabulary in words},
                }
            )
    return learned


def _print(facts: dict[str, Any]) -> None:
    from lycosa.cli.hashed_model_tables import model_lines

    click.echo(f"{facts['file']}: {facts['spider']} for {facts['goal']}, {facts['bytes']:,} bytes")
    sites, without = facts["sites"], facts["left_out"]
    rest = f"; {without} without {facts['goal']} left out" if without else ""
    count = f"{len(sites)} site{'s' if len(sites) > 1 else ''}"
    click.echo(f"trained on {facts['links']:,} links of {count}: {', '.join(sites)}{rest}")
    for model in facts["models"]:
        if "trust" in model:
            for line in model_lines(model, WORDS_SHOWN):
                click.echo(line)
            continue
        bins = ", ".join(f"{value:.3g}" for value in model["bins"])
        words = ", ".join(f"{count:,} {channel}" for channel, count in model["words"].items())
        click.echo(f"{model['criterion']}: bins worth {bins}; words: {words}")
