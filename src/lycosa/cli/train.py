"""`lycosa train`: let a spider learn from recorded sites and keep it in a file.

`lycosa train headers` and `lycosa train references` are commands of their own.
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
"""How many words for links, and against them, are told."""


class SpiderOrTagger(click.Command):
    """Trains spiders, unless the first word names what a tagger labels."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """The context of the command that the first word chooses."""
        if args and args[0] in taggers.KINDS:
            chosen = taggers.command(args[0])
            return chosen.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(cls=SpiderOrTagger)
@click.argument("folders", nargs=-1, metavar="[SITE_FOLDER]...", type=Path)
@click.option("--sites", "more", multiple=True, type=Path, help="The same as SITE_FOLDER.")
@click.option("--goal", required=True, help="What it is to find, e.g. papers.")
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
    help="The file to make, e.g. spider.lyc.",
    metavar="FILE",
)
@click.option("--seed", default=0, show_default=True, help="For all that is left to chance.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Processes to compile sites with.  [default: number of cores]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result for machines.")
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
    """Let a spider learn from recorded sites and keep it in a file.

    Each SITE_FOLDER is a recorded site, or a folder of them; those that do not
    know the goal are left out. The file can be given to `lycosa bench` and
    `lycosa explain` in place of a spider's name.

    `lycosa train headers` and `lycosa train references` teach what `lycosa
    papers` goes by instead; a site folder of that name is ./headers.

    \b
    Examples:
      lycosa train sites/cornell sites/texas --goal papers -o papers.lyc
      lycosa train sites --goal courses --spider 'rl(nb, related, immediate)' -o courses.lyc
      lycosa bench sites/wisconsin --goal papers --spiders papers.lyc
      lycosa train references --help
    """  # noqa: D301
    from lycosa.cli.console import progress_bars
    from lycosa.spiders import spider
    from lycosa.spiders.model_file import check_path, check_portable, save_spider

    if not folders and not more:
        raise UsageError("Say what to learn from: one or more folders of recorded sites.")
    made = spider(name)
    check_portable(made)
    check_path(out)
    with progress_bars() as progress:
        sites, left_out, damages = training_sites((*folders, *more), goal, jobs, progress)
        progress.add_task("learning", total=None)
        models = made.train(sites, goal, seed)
    save_spider(out, made, goal, models, sites=[site.name for site in sites], seed=seed)
    facts = {
        "file": str(out),
        "bytes": out.stat().st_size,
        "spider": made.name,
        "goal": goal,
        "seed": seed,
        "sites": [site.name for site in sites],
        "left_out": left_out,
        "links": sum(len(site.graph.targets) for site in sites),
        "models": _learned(made, models),
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
    """The sites in the folders that know a goal, how many do not, and what is damaged."""
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
        raise UsageError(f"None of the sites has a target for goal {goal!r} to learn from.")
    names = [site.name for site in sites]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"Two sites are called {name!r}; give each its own name.")
    return sites, len(every) - len(sites), watcher.damages


def _learned(made: Spider, models: Sequence[Model]) -> list[dict[str, Any]]:
    from lycosa.cli.hashed_model_tables import model_facts
    from lycosa.learn.hashed_model import HashedModel
    from lycosa.spiders.training import Recipe

    learned = []
    for recipe, model in zip(made.recipes, models, strict=True):
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
    click.echo(f"learned from {facts['links']:,} links of {count}: {', '.join(sites)}{rest}")
    for model in facts["models"]:
        if "trust" in model:
            for line in model_lines(model, WORDS_SHOWN):
                click.echo(line)
            continue
        bins = ", ".join(f"{value:.3g}" for value in model["bins"])
        words = ", ".join(f"{count:,} {channel}" for channel, count in model["words"].items())
        click.echo(f"{model['criterion']}: bins worth {bins}; words: {words}")
