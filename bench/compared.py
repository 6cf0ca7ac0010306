"""Comparisons of spiders on rows: a goal, its sites, and the sites to train on.

A random spider runs with five seeds, and a site counts with their mean. Sites run
in two processes; on a row of one site the spiders do.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget
from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.lab import Run, experiment
from lycosa.lab.experiments import Train
from lycosa.lab.measures import gap_closed, interval
from lycosa.sites import open_site
from lycosa.spiders import Setup, spider
from lycosa.spiders.names import parse

LOW, HIGH = "breadth-first", "optimal"
RANDOM = frozenset({"random", "sleeping-bandit", "double-q", "infospiders"})
SEEDS = 5
MAX_CRAWL_SECONDS = 120.0  # where a row is one large site
SLOW = "too slow"
_THREADS = "OPENBLAS_NUM_THREADS"


@dataclass(frozen=True)
class Row:
    """A goal and its sites; `training` are the sites to train on, by default the others."""

    title: str
    goal: str
    sites: tuple[Path, ...]
    training: tuple[Path, ...] = ()

    @property
    def is_there(self) -> bool:
        """Whether all its sites are on this machine."""
        return bool(self.sites) and all(path.is_dir() for path in (*self.sites, *self.training))


@dataclass(frozen=True)
class Figure:
    """A number over sites, and its 95 % interval by a paired bootstrap."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, gains: NDArray[np.float64], gaps: NDArray[np.float64]) -> Figure:
        """Return the ratio of the sums of gains and gaps."""
        none = [0.0] * len(gains)
        low, high = interval(gains.tolist(), none, gaps.tolist()) or (np.nan, np.nan)
        value = gap_closed(gains, none, gaps)
        return cls(np.nan if value is None else value, low, high)

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.2f} to {self.high:.2f})"


class Comparison:
    """The runs of some spiders on the sites of a row."""

    def __init__(self, row: Row, runs: Sequence[Run]) -> None:
        slow = {run.spider for run in runs if run.reason == SLOW}
        self.row = row
        self.runs = [run for run in runs if run.spider not in slow]
        self.slow = tuple(sorted(slow))
        self.spiders = tuple(dict.fromkeys(run.spider for run in self.runs))
        self.sites = tuple(dict.fromkeys(run.site for run in self.runs))

    @cached_property
    def _ends(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self.integrals(LOW), self.integrals(HIGH)

    def integrals(self, name: str) -> NDArray[np.float64]:
        """Return the integral of a spider on each site."""
        return self._by_site(name, "integral")

    def followed(self, name: str) -> NDArray[np.float64]:
        """Return the share of links followed before the first target, on each site."""
        return self._by_site(name, "links_followed")

    def gap(self, name: str) -> Figure:
        """Return the share of the gap between breadth-first and Optimal that it closes."""
        low, high = self._ends
        return Figure.of(self.integrals(name) - low, high - low)

    def ahead(self, name: str, other: str) -> Figure:
        """Return by how much more of the gap a spider closes than another."""
        low, high = self._ends
        return Figure.of(self.integrals(name) - self.integrals(other), high - low)

    def best(self, names: Sequence[str]) -> str:
        """Return the spider that closes most of the gap."""
        known = [name for name in names if name in self.spiders]
        return max(known, key=lambda name: self.gap(name).value)

    def _by_site(self, name: str, measure: str) -> NDArray[np.float64]:
        values = [
            [getattr(run, measure) for run in self.runs if (run.site, run.spider) == (site, name)]
            for site in self.sites
        ]
        return np.array([np.mean(runs) for runs in values])


def run_row(row: Row, *groups: tuple[Sequence[str], Train]) -> Comparison:
    """Run groups of spiders, each with its training, on the sites of a row.

    A group that ran before does not run again.
    """
    runs = list(_runs(row, (LOW, HIGH), "none", 1))
    for names, train in groups:
        titles = [str(parse(name)) for name in names]
        for is_random, seeds in ((False, 1), (True, SEEDS)):
            group = tuple(name for name in titles if (name in RANDOM) == is_random)
            runs += _runs(row, group, train, seeds) if group else ()
    return Comparison(row, runs)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Limit BLAS to one thread in processes started now, so that each has one core."""
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        del os.environ[_THREADS]
        if before is not None:
            os.environ[_THREADS] = before


@cache
def _runs(row: Row, names: tuple[str, ...], train: Train, seeds: int) -> tuple[Run, ...]:
    if len(row.sites) > 1:
        with _one_thread_each():
            some = experiment(row.sites, row.goal, names, train=train, seeds=range(seeds), jobs=2)
        return tuple(some.runs)
    low = _crawl(_Task(row, LOW))
    tasks = [
        _Task(row, name, seed, train == "others", low.pages, low.targets)
        for name in names
        if name != LOW
        for seed in range(seeds)
    ]
    with _one_thread_each(), ProcessPoolExecutor(2, get_context("spawn")) as pool:
        rest = list(pool.map(_crawl, tasks))
    return (low, *rest) if LOW in names else tuple(rest)


@dataclass(frozen=True)
class _Task:
    """One crawl of a row's only site."""

    row: Row
    name: str
    seed: int = 0
    trained: bool = False
    pages: int | None = None
    targets: int | None = None


def _crawl(task: _Task) -> Run:
    """Run one crawl as the lab does, but stop it after `MAX_CRAWL_SECONDS`."""
    row = task.row
    site = open_site(row.sites[0])
    training = [open_site(path) for path in row.training] if task.trained else []
    policy = spider(task.name)(Setup(site, row.goal, task.seed, training))
    began, n, hits, reason = time.process_time(), 0, [], "no more links"
    for step in simulate(site, policy, Listed.of(site, row.goal), Budget(pages=task.pages)):
        n = step.n
        if step.reward > 0:
            hits.append(n)
        if len(hits) == task.targets:
            reason = "all targets found"
            break
        if (
            task.pages
            and time.process_time() - began > MAX_CRAWL_SECONDS
            and not task.name.startswith("house")
        ):
            reason = SLOW
            break
    seconds = time.process_time() - began
    print(f"  {row.title}: {task.name}, {seconds:.0f} s, {reason}", flush=True)
    return Run(
        site=site.name,
        goal=row.goal,
        spider=task.name,
        seed=None if task.pages is None else task.seed,
        pages=task.pages or n,
        targets=len(hits) if task.targets is None else task.targets,
        hits=tuple(hits),
        requests=n,
        reason=reason,
        seconds=seconds,
    )
