"""Experiments: any spiders on any sites for one goal."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, overload

from lycosa.core import Budget, Site
from lycosa.crawl import simulate
from lycosa.errors import LycosaError, SiteError, UnknownName, UsageError
from lycosa.goals import Listed
from lycosa.lab.results import Results, Run
from lycosa.sites import open_site
from lycosa.spiders import Setup, spider
from lycosa.spiders.names import parse

Train: TypeAlias = Literal["others", "none"]
Source: TypeAlias = Path | Site
"""A site, or the folder of one, which every process opens for itself."""


class Watcher:
    """Somebody who wants to see an experiment go on; this one looks away."""

    def reading(self, done: int, total: int) -> None:
        """So many bytes of a site's archive were read: it is being compiled."""

    def opened(self, site: Site) -> None:
        """A site was opened."""

    def crawled(self, done: int, total: int) -> None:
        """So many runs are done."""


NOBODY = Watcher()
LOW, HIGH = "breadth-first", "optimal"


@dataclass(frozen=True, slots=True)
class _Task:
    """All runs on one site: what a process is given."""

    site: Source
    size: int
    training: tuple[Source, ...]
    goal: str
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
    watcher: Watcher = NOBODY,
) -> Results:
    """Let every spider loose on every site that knows the goal.

    With `train="others"` a spider may learn from the other sites of the
    family. Breadth-first and Optimal always run, because the measures need
    them. Sites run in parallel in `jobs` processes; the results do not depend
    on how many. With more than one, a script must be safe to import, as
    Python's multiprocessing wants it.
    """
    names = tuple(dict.fromkeys(str(parse(name)) for name in spiders))
    for name in names:
        spider(name)  # a wrong name is an error now, not after an hour
    if not names or not seeds:
        raise UsageError("An experiment needs at least one spider and one seed.")
    tasks = _tasks(sources, goal, train, names, tuple(dict.fromkeys(seeds)), jobs, watcher)
    each = 2 + len(set(names) - {LOW, HIGH}) * len(set(seeds))
    found: dict[int, list[Run]] = {}
    watcher.crawled(0, each * len(tasks))
    for index, runs in _in_parallel(tasks, jobs):
        found[index] = runs
        watcher.crawled(each * len(found), each * len(tasks))
    return Results([run for index in range(len(tasks)) for run in found[index]], names)


def _tasks(
    sources: Sequence[Source],
    goal: str,
    train: Train,
    names: tuple[str, ...],
    seeds: tuple[int, ...],
    jobs: int,
    watcher: Watcher,
) -> list[_Task]:
    known: set[str] = set()
    families: list[tuple[Source, str, int]] = []
    titles: set[str] = set()
    for source in sources:
        # Here a site is compiled if need be; the processes then find it ready.
        site = open_site(source, watcher.reading, jobs) if isinstance(source, Path) else source
        watcher.opened(site)
        known.update(site.goals)
        if goal not in site.goals:
            continue
        if site.name in titles:
            raise UsageError(f"Two sites are called {site.name!r}; give each its own name.")
        titles.add(site.name)
        families.append((source, site.family, len(site)))
    if not families:
        raise UnknownName("goal", goal, known)
    return [
        _Task(
            source,
            size,
            tuple(s for s, f, _ in families if f == family and s is not source)
            if train == "others"
            else (),
            goal,
            names,
            seeds,
        )
        for source, family, size in families
    ]


def _in_parallel(tasks: list[_Task], jobs: int) -> Iterator[tuple[int, list[Run]]]:
    jobs = min(jobs, len(tasks))
    if jobs <= 1:
        for index, task in enumerate(tasks):
            yield index, _run_site(task)
        return
    # Fresh processes, because threads (a progress bar) and fork do not mix.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _end_quietly) as pool:
        # The largest first, so that none is left alone at the end.
        order = sorted(range(len(tasks)), key=lambda index: -tasks[index].size)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            futures = {pool.submit(_run_site, tasks[index]): index for index in order}
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BrokenProcessPool:
            raise LycosaError(
                "A process was killed while it ran a site, perhaps for want of memory; "
                "let fewer run at once (--jobs 1)."
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _end_quietly() -> None:
    """Let Ctrl-C end a process without a word, for its parent speaks.

    Until here it was blocked, by inheritance, so that no start is interrupted.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _open(source: Source) -> Site:
    return open_site(source) if isinstance(source, Path) else source


class _Lazy(Sequence[Site]):
    """Sites that are opened when somebody looks, which most spiders do not."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = list(sources)

    def __len__(self) -> int:
        return len(self._sources)

    @overload
    def __getitem__(self, index: int, /) -> Site: ...
    @overload
    def __getitem__(self, index: slice, /) -> Sequence[Site]: ...
    def __getitem__(self, index: int | slice, /) -> Site | Sequence[Site]:
        if isinstance(index, slice):
            return _Lazy(self._sources[index])
        self._sources[index] = site = _open(self._sources[index])  # so that it is opened once
        return site


def _run_site(task: _Task) -> list[Run]:
    site = _open(task.site)
    training = _Lazy(task.training)
    wanted = len(set(site.wanted(task.goal).tolist()))
    if not len(site):
        raise SiteError(f"Site {site.name!r} has no pages.")

    def run(name: str, seed: int | None, pages: int | None, targets: int | None) -> Run:
        setup = Setup(site, task.goal, seed or 0, training)
        return _run(name, setup, seed, pages, targets)

    low = run(LOW, None, None, None)
    if not low.hits:
        raise SiteError(
            f"None of the {wanted} targets of goal {task.goal!r} can be reached "
            f"from the seeds of site {site.name!r}."
            if wanted
            else f"Site {site.name!r} has no targets for goal {task.goal!r}."
        )
    high = run(HIGH, None, low.pages, low.targets)
    runs = [low, high]
    for name in task.spiders:
        if name not in (LOW, HIGH):
            runs += [run(name, seed, low.pages, low.targets) for seed in task.seeds]
    return runs


def _run(name: str, setup: Setup, seed: int | None, pages: int | None, targets: int | None) -> Run:
    """One crawl. Breadth-first goes first, to the end, and so measures the site.

    The others get that many pages as their budget. They are stopped when they
    have found everything, but not told how much that is.
    """
    site = setup.site
    goal = Listed.of(site, setup.goal)
    began = time.perf_counter()
    policy = spider(name)(setup)
    hits: list[int] = []
    requests = 0
    reason = "all targets found"
    steps = simulate(site, policy, goal, Budget(pages=pages))
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
