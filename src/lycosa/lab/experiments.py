"""Experiments: run spiders on recorded sites for one goal and measure the runs.

The runs are deterministic: with the same sites, names, seeds and versions they repeat exactly
on one machine, whatever the number of jobs. On another CPU the last bit of numpy's `exp` and
`log` may differ, which can exchange links with equal estimates.
"""

from __future__ import annotations

import logging
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, overload

from lycosa.core import Budget, Goal, Site
from lycosa.crawler import simulate
from lycosa.errors import SiteError, UnknownName, UsageError
from lycosa.goals import Listed, Query
from lycosa.goals.registry import find_goal
from lycosa.lab.labelled import LabelledSite
from lycosa.lab.results import Results, Run
from lycosa.processes import WorkerPool
from lycosa.sites import open_site
from lycosa.spiders import Setup, spider
from lycosa.spiders.names import parse
from lycosa.web.words import words

_log = logging.getLogger("lycosa.lab")

Train: TypeAlias = Literal["others", "none"]
Source: TypeAlias = Path | Site
"""A site, or its folder, which each worker process opens again."""


class ExperimentProgress:
    """Callbacks for the progress of an experiment; these do nothing."""

    def reading(self, done: int, total: int) -> None:
        """Report the bytes of a site's archive that were read while it is compiled."""

    def opened(self, site: Site) -> None:
        """Report that a site was opened."""

    def crawled(self, done: int, total: int) -> None:
        """Report the number of finished runs."""


NO_PROGRESS = ExperimentProgress()
BASELINE, CEILING = "breadth-first", "optimal"
"""Spiders that always run: the measures need them as the ends of their scale."""

_QUERY_SYNTAX = re.compile(r'[\s":()*“”„]')


class _SiteFacts(NamedTuple):
    """Facts about a site that decide whether and how it takes part."""

    source: Source
    name: str
    family: str
    size: int
    goals: frozenset[str]


@dataclass(frozen=True, slots=True)
class _SiteTask:
    """All runs on one site: the task of a worker process."""

    site: Source
    size: int
    training: tuple[Source, ...]
    goal: str
    query: Goal | None
    spiders: tuple[str, ...]
    seeds: tuple[int, ...]


def experiment(
    sources: Sequence[Source],
    goal: str,
    spiders: Sequence[str],
    *,
    train: Train = "others",
    seeds: Sequence[int] = (0,),
    jobs: int = 1,
    watcher: ExperimentProgress = NO_PROGRESS,
) -> Results:
    """Run every spider on every site that has the goal, and return all runs.

    * `sources`: sites, or folders of sites;
    * `goal`: a goal of the sites, the text of a `Query` with more than a bare word, such as
      `text:robot` or `robot* OR vision`, or the name of a goal of another package
      (`package.module:function`, or an entry point of `lycosa.goals`); a query and a goal of
      another package apply to every site with a matching page within reach;
    * `spiders`: names; breadth-first and Optimal always run, because the measures need them;
    * `train`: "others" lets a spider learn from the other sites of the family, "none" forbids it;
    * `seeds`: a run for each, except of breadth-first and Optimal, which are the ends of the
      scale. A seed is that of random spiders and of training; other than 0 it also shakes the
      order of links that get equal scores at the same time;
    * `jobs`: worker processes, one site at a time each; the results do not depend on their
      number. With more than one, the calling script must be safe to import, as Python's
      multiprocessing requires;
    * `watcher`: receives the progress.
    """
    names = tuple(dict.fromkeys(str(parse(name)) for name in spiders))
    for name in names:
        spider(name)  # refuse a wrong name now, not after an hour
    if not names or not seeds:
        raise UsageError("An experiment needs at least one spider and one seed.")
    tasks = _tasks(sources, goal, train, names, tuple(dict.fromkeys(seeds)), jobs, watcher)
    runs_per_site = 2 + len(set(names) - {BASELINE, CEILING}) * len(set(seeds))
    found: dict[int, list[Run]] = {}
    watcher.crawled(0, runs_per_site * len(tasks))
    for index, runs in _run_tasks(tasks, jobs):
        found[index] = runs
        watcher.crawled(runs_per_site * len(found), runs_per_site * len(tasks))
    if not any(found.values()):
        raise SiteError(f"No site has a page within reach that matches the query {goal!r}.")
    return Results([run for index in range(len(tasks)) for run in found[index]], names)


def _tasks(
    sources: Sequence[Source],
    goal: str,
    train: Train,
    names: tuple[str, ...],
    seeds: tuple[int, ...],
    jobs: int,
    watcher: ExperimentProgress,
) -> list[_SiteTask]:
    opened: list[_SiteFacts] = []
    for source in sources:
        # Compile the site here, once; the worker processes then load the result.
        site = open_site(source, watcher.reading, jobs) if isinstance(source, Path) else source
        watcher.opened(site)
        opened.append(_SiteFacts(source, site.name, site.family, len(site), frozenset(site.goals)))
    known = frozenset[str]().union(*(one.goals for one in opened))
    query: Goal | None = None if goal in known else find_goal(goal)
    if query is None and goal not in known and _QUERY_SYNTAX.search(goal):
        query = Query(goal)
    goal = query.name if query else goal
    chosen = [one for one in opened if query or goal in one.goals]
    if not chosen:
        other = {f"text:{goal} (every page with the word)"} if words(goal) else set()
        raise UnknownName("goal", goal, known | other)
    for name, count in Counter(one.name for one in chosen).items():
        if count > 1:
            raise UsageError(f"Two sites have the name {name!r}; rename one.")
    return [
        _SiteTask(
            one.source,
            one.size,
            tuple(o.source for o in chosen if o.family == one.family and o is not one)
            if train == "others"
            else (),
            goal,
            query,
            names,
            seeds,
        )
        for one in chosen
    ]


def _run_tasks(tasks: list[_SiteTask], jobs: int) -> Iterator[tuple[int, list[Run]]]:
    jobs = min(jobs, len(tasks))
    if jobs <= 1:
        for index, task in enumerate(tasks):
            yield index, _run_site(task)
        return
    # The largest first, so that none is left alone at the end.
    order = sorted(range(len(tasks)), key=lambda index: -tasks[index].size)
    with WorkerPool(_run_site, jobs, activity="running a site") as pool:
        indices = {pool.submit(tasks[index]): index for index in order}
        for done in pool.as_completed(indices):
            yield indices[done], done.result()


def _open(source: Source, query: Goal | None) -> Site:
    site = open_site(source) if isinstance(source, Path) else source
    return LabelledSite(site, query) if query and query.name not in site.goals else site


class _LazySites(Sequence[Site]):
    """Training sites, opened on first access; most spiders never access them."""

    def __init__(self, sources: Sequence[Source], query: Goal | None) -> None:
        self._sources = list(sources)
        self._query = query

    def __len__(self) -> int:
        return len(self._sources)

    @overload
    def __getitem__(self, index: int, /) -> Site: ...
    @overload
    def __getitem__(self, index: slice, /) -> Sequence[Site]: ...
    def __getitem__(self, index: int | slice, /) -> Site | Sequence[Site]:
        if isinstance(index, slice):
            return _LazySites(self._sources[index], self._query)
        # Stored, so that it is opened once.
        self._sources[index] = site = _open(self._sources[index], self._query)
        return site


def _run_site(task: _SiteTask) -> list[Run]:
    site = _open(task.site, task.query)
    training = _LazySites(task.training, task.query)
    wanted = len(set(site.wanted(task.goal).tolist()))
    if not len(site):
        raise SiteError(f"Site {site.name!r} has no pages.")

    def run(name: str, seed: int | None, pages: int | None, targets: int | None) -> Run:
        setup = Setup(site, task.goal, seed or 0, training)
        return _run(site, name, setup, seed, pages, targets)

    low = run(BASELINE, None, None, None)
    if not low.hits and task.query:
        return []
    if not low.hits:
        raise SiteError(
            f"None of the {wanted} targets of goal {task.goal!r} can be reached "
            f"from the seeds of site {site.name!r}."
            if wanted
            else f"Site {site.name!r} has no targets for goal {task.goal!r}."
        )
    high = run(CEILING, None, low.pages, low.targets)
    runs = [low, high]
    for name in task.spiders:
        if name not in (BASELINE, CEILING):
            runs += [run(name, seed, low.pages, low.targets) for seed in task.seeds]
    return runs


def _run(
    site: Site,
    name: str,
    setup: Setup,
    seed: int | None,
    pages: int | None,
    targets: int | None,
) -> Run:
    """Simulate one crawl.

    Breadth-first runs first and to the end, which counts the pages and targets within reach
    (`pages` and `targets` are None). The other spiders get that many pages as their budget; a
    run ends when all targets are found, but the policy does not know how many there are.
    """
    goal = Listed.of(site, setup.goal)
    began = time.perf_counter()
    policy = spider(name)(setup)
    hits: list[int] = []
    requests = 0
    reason = "all targets found"
    steps = simulate(site, policy, goal, Budget(pages=pages), random_seed=seed or 0)
    while len(hits) != targets:
        try:
            step = next(steps)
        except StopIteration as stop:
            reason = stop.value
            break
        requests = step.n
        if step.reward:
            hits.append(requests)
    seconds = time.perf_counter() - began
    _log.info(
        "%s on %s: %d targets in %d requests, %.1f s (%s)",
        name,
        site.name,
        len(hits),
        requests,
        seconds,
        reason,
    )
    return Run(
        site=site.name,
        goal=setup.goal,
        spider=name,
        seed=seed,
        pages=requests if pages is None else pages,
        targets=len(hits) if targets is None else targets,
        hits=tuple(hits),
        requests=requests,
        reason=reason,
        seconds=seconds,
    )
