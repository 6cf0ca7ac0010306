"""Pairs of a recorded site and a goal: crawls of all of them, also by an older version.

Every figure of the default policy is given beside that of the policy at `BEFORE`, whose
sources are taken from the history of the repository and run on the same pairs. A
spider that is trained learns from all other sites that list the goal, of any family,
except from large ones, which would take hours; where there are none it is not trained.

How pairs are averaged was decided before any was run. The integrals of a pair are means
over seeds. A row is a goal in a family; its gap closed is the ratio of the sums over its
sites, and the figure of a family, or of all, is the mean over rows. A row whose mean gap
between breadth-first and Optimal is below `MIN_GAP` is left out of that mean, and named:
there one target found some requests sooner or later is more than the whole gap.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.history import ROOT, source_at
from bench.page import SHARED
from lycosa.lab.measures import gap_closed, integral, requests_to
from lycosa.sites import find_sites

SITES = SHARED / "sites"
LOW, HIGH, HOUSE = "breadth-first", "optimal", "house"
BEFORE = "f95987e1d39521c3eab5608d86ffde4579a8c06e"
"""The commit whose policy is the one to compare with."""
BEFORE_NAME = "house before"
MAX_SMALL_BYTES = 8 * 2**20
"""Compressed bytes of a site that is trained on, some 10,000 URLs; larger ones are crawled only."""
MIN_GAP = 0.05
"""Mean gap of a row, as a share of the integral, below which it is left out of means."""
MAX_PROCESSES = 2

_WORKER = Path(__file__).with_name("pair_worker.py")
# The sources that decide what a compiled site contains: where they are alike, so is the cache.
_COMPILING = ("content.py", "web", "archive", "sites")


@dataclass(frozen=True)
class Pair:
    """A site and a goal, and the sites to train on."""

    site: Path
    goal: str
    training: tuple[Path, ...] = ()

    @property
    def family(self) -> str:
        """The family of the site."""
        return self.site.parent.name

    @property
    def row(self) -> tuple[str, str]:
        """The family and the goal."""
        return self.family, self.goal

    def __str__(self) -> str:
        return f"{self.goal}, {self.site.name}"


@dataclass(frozen=True)
class Crawls:
    """The crawls of one spider on one pair, one for each seed."""

    integrals: NDArray[np.float64]
    to_75: NDArray[np.float64]
    """Requests to 75 % of the targets; infinite if they were not found."""
    seconds: float
    """CPU time of all crawls, without training."""

    @property
    def integral(self) -> float:
        """The mean over seeds."""
        return float(self.integrals.mean())


class Outcomes:
    """The crawls of several spiders on many pairs, by pair and spider."""

    def __init__(self) -> None:
        self._crawls: dict[tuple[Pair, str], Crawls] = {}

    def add(self, pair: Pair, name: str, crawls: Crawls) -> None:
        """Add the crawls of a spider; it keeps those it has of a pair."""
        self._crawls.setdefault((pair, name), crawls)

    @property
    def pairs(self) -> list[Pair]:
        """All pairs, by family, goal and site."""
        found = {pair for pair, _ in self._crawls}
        return sorted(found, key=lambda pair: (*pair.row, pair.site.name))

    def __contains__(self, name: str) -> bool:
        return any(name == known for _, known in self._crawls)

    def of(self, pair: Pair, name: str) -> Crawls:
        """Return the crawls of a spider on a pair."""
        return self._crawls[pair, name]

    def gap(self, pair: Pair, name: str) -> float | None:
        """Return the gap that a spider closes on one pair; None if there is none."""
        return gap_closed(*(self.of(pair, each).integral for each in (name, LOW, HIGH)))

    def rows(self, pairs: Iterable[Pair]) -> dict[tuple[str, str], list[Pair]]:
        """Return the pairs of each row whose gap is not too small."""
        every = sorted(pairs, key=lambda pair: (*pair.row, pair.site.name))
        rows = {row: list(some) for row, some in groupby(every, lambda pair: pair.row)}
        return {row: some for row, some in rows.items() if self._mean_gap_size(some) >= MIN_GAP}

    def _mean_gap_size(self, pairs: Sequence[Pair]) -> float:
        gaps = [self.of(pair, HIGH).integral - self.of(pair, LOW).integral for pair in pairs]
        return float(np.mean(gaps))

    def mean_gap(self, pairs: Iterable[Pair], name: str) -> tuple[float, float]:
        """Return the mean over rows of the gap closed, and its spread over seeds."""
        rows = self.rows(pairs).values()
        seeds = min(len(self.of(pair, name).integrals) for some in rows for pair in some)
        by_seed = [
            np.mean([self._ratio(some, name, seed) for some in rows]) for seed in range(seeds)
        ]
        spread = float(np.std(by_seed, ddof=1)) if seeds > 1 else 0.0
        return float(np.mean(by_seed)), spread

    def _ratio(self, pairs: Sequence[Pair], name: str, seed: int) -> float:
        values = [self.of(pair, name).integrals[seed] for pair in pairs]
        ends = [[self.of(pair, end).integral for pair in pairs] for end in (LOW, HIGH)]
        return gap_closed(values, *ends) or 0.0

    def pooled_gap(self, pairs: Iterable[Pair], name: str) -> float:
        """Return the ratio of the sums over all pairs, also those with hardly a gap."""
        every = list(pairs)
        sums = [[self.of(pair, each).integral for pair in every] for each in (name, LOW, HIGH)]
        return gap_closed(*sums) or 0.0

    def mean_integral(self, pairs: Iterable[Pair], name: str) -> float:
        """Return the mean integral over pairs."""
        return float(np.mean([self.of(pair, name).integral for pair in pairs]))

    def ratio_to_75(self, pair: Pair, name: str) -> float:
        """Return the requests to 75 % of the targets as a multiple of Optimal's."""
        return float(self.of(pair, name).to_75.mean() / self.of(pair, HIGH).to_75[0])

    def loss(self, pair: Pair, name: str) -> float:
        """Return the share of breadth-first's integral that a spider loses; negative: a gain."""
        low = self.of(pair, LOW).integral
        return (low - self.of(pair, name).integral) / low


def find_pairs(root: Path = SITES, *, small: bool = False) -> list[Pair]:
    """Return all pairs below a folder; `small` leaves out large sites."""
    goals: dict[str, list[Path]] = {}
    for path in find_sites([root]):
        if small and not is_small(path):
            continue
        for file in sorted(path.glob("targets-*.txt")):
            goals.setdefault(file.stem.removeprefix("targets-"), []).append(path)
    return [
        Pair(site, goal, tuple(other for other in sites if other != site and is_small(other)))
        for goal, sites in goals.items()
        for site in sites
    ]


def is_small(path: Path) -> bool:
    """Return whether a site is small enough to train on, without opening it."""
    return _size(path) <= MAX_SMALL_BYTES


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.glob("pages.warc*"))


def crawl_pairs(
    pairs: Sequence[Pair],
    names: Sequence[str],
    seeds: Sequence[int],
    *,
    trained: bool,
    before: bool = True,
    outcomes: Outcomes | None = None,
) -> Outcomes:
    """Crawl all pairs with the ends of the scale, the spiders and, if asked, the policy `before`.

    Crawls are added to `outcomes`, if given; a spider that is trained has its name
    followed by "trained" there.
    """
    found = Outcomes() if outcomes is None else outcomes
    _run(pairs, (HIGH, *names), seeds, trained, {}, found, {})
    if before and (source := source_before()) is not None:
        _run(pairs, (HOUSE,), seeds, trained, _environment(source), found, {HOUSE: BEFORE_NAME})
    return found


def trained_name(name: str) -> str:
    """Return the name of a trained spider in results."""
    return f"{name}, trained"


def _run(
    pairs: Sequence[Pair],
    names: Sequence[str],
    seeds: Sequence[int],
    trained: bool,
    environment: dict[str, str],
    outcomes: Outcomes,
    titles: dict[str, str],
) -> None:
    by_site: dict[Path, list[Pair]] = {}
    for pair in pairs:
        by_site.setdefault(pair.site, []).append(pair)

    def work(some: list[Pair]) -> None:
        tasks = [
            {
                "site": str(pair.site),
                "goal": pair.goal,
                "training": [str(path) for path in pair.training] if trained else [],
                "spiders": list(names),
                "seeds": list(seeds),
            }
            for pair in some
        ]
        every = _work(tasks, environment)
        for pair, runs in zip(some, every, strict=True):
            for name, crawls in _crawls(runs).items():
                title = titles.get(name, name)
                is_end = name in (LOW, HIGH)
                outcomes.add(pair, trained_name(title) if trained and not is_end else title, crawls)
        print(f"  {some[0].site.name}: {', '.join(pair.goal for pair in some)}", flush=True)

    # The slowest first, so that none is left alone at the end.
    order = sorted(by_site.values(), key=lambda some: -_size(some[0].site) * len(some))
    with ThreadPoolExecutor(MAX_PROCESSES) as pool:
        list(pool.map(work, order))


def _work(tasks: list[dict[str, Any]], environment: dict[str, str]) -> list[list[dict[str, Any]]]:
    """Run the tasks of one site in a process of their own."""
    own = {"PYTHONPATH": str(ROOT / "src"), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-P", _WORKER],
        input="".join(json.dumps(task) + "\n" for task in tasks),
        env=os.environ | own | environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def _crawls(runs: list[dict[str, Any]]) -> dict[str, Crawls]:
    """Return the measures of runs by spider; the first is that of breadth-first."""
    pages, targets = runs[0]["requests"], len(runs[0]["hits"])
    found: dict[str, list[dict[str, Any]]] = {}
    for run in runs:
        found.setdefault(run["spider"], []).append(run)
    return {
        name: Crawls(
            np.array([integral(run["hits"], targets, pages) for run in some]),
            np.array([requests_to(75, run["hits"], targets) or np.inf for run in some]),
            sum(run["seconds"] for run in some),
        )
        for name, some in found.items()
    }


def source_before() -> Path | None:
    """Return a folder with the sources of the policy to compare with; None without history."""
    return source_at(BEFORE)


def _environment(source: Path) -> dict[str, str]:
    """Return the environment of the policy before, with a cache of its own if it needs one.

    A site has one compiled form, and versions that compile differently would take turns.
    """
    environment = {"PYTHONPATH": str(source / "src")}
    paths = [f"src/lycosa/{name}" for name in _COMPILING]
    command = ["git", "-C", str(ROOT), "diff", "--quiet", BEFORE, "--", *paths]
    if subprocess.run(command, check=False).returncode:
        environment["LYCOSA_CACHE"] = str(source / "cache")
    return environment
