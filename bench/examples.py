"""Evaluation of goals by example (`lycosa.goals.Examples`) on unseen pages.

On the four universities of WebKB, each goal is learned from a few random pages
and tried on all the others with words. `python -m bench.examples` prints it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from bench.page import SHARED, table
from lycosa.core import Page
from lycosa.goals import Examples
from lycosa.sites import open_site

SITES = ("cornell", "texas", "washington", "wisconsin")
GOALS = ("courses", "faculty", "projects")
SIZES = (10, 30, 100)
SEEDS = range(4)
OTHERS = 3  # negative examples for each positive one


@dataclass(frozen=True)
class Labelled:
    """Distinct pages, and the targets of each goal among them.

    Pages with the same words as another are left out: they would be tried on
    what was learned from their twins.
    """

    pages: Sequence[Page]
    sites: NDArray[np.int64]
    wanted: dict[str, NDArray[np.bool_]]

    @classmethod
    def read(cls) -> Labelled:
        """Return the pages of all sites."""
        pages: list[Page] = []
        sites: list[int] = []
        seen = {""}
        marks: dict[str, list[bool]] = {goal: [] for goal in GOALS}
        for number, name in enumerate(SITES):
            site = open_site(SHARED / "sites" / "departments" / f"webkb-{name}")
            targets = {goal: set(site.wanted(goal).tolist()) for goal in GOALS}
            for page in map(site.page, range(len(site))):
                if page.text not in seen:
                    seen.add(page.text)
                    pages.append(page)
                    sites.append(number)
                    for goal in GOALS:
                        marks[goal].append(page.number in targets[goal])
        return cls(pages, np.array(sites), {goal: np.array(mark) for goal, mark in marks.items()})


@dataclass(frozen=True)
class Trial:
    """Probabilities that a goal gives pages outside its examples."""

    said: NDArray[np.float64]
    wanted: NDArray[np.bool_]
    weights: NDArray[np.float64]
    """Weight of each page: equal, or such that the mix is that of the examples."""

    def right(self, least: float) -> float:
        """Return the precision at a threshold of the probability."""
        chosen = self.weights * (self.said >= least)
        return float(chosen @ self.wanted / chosen.sum()) if chosen.any() else float("nan")

    def found(self, least: float) -> float:
        """Return the recall at a threshold of the probability."""
        return float((self.said[self.wanted] >= least).mean())

    def brier(self) -> float:
        """Return the Brier score."""
        return float(self.weights @ (self.said - self.wanted) ** 2 / self.weights.sum())


def trial(data: Labelled, goal: str, size: int, seed: int, kind: str) -> Trial:
    """Evaluate a goal by random examples: `mix`, `share` (given), `alone` or `away`."""
    rng = np.random.default_rng(seed)
    wanted = data.wanted[goal]
    away = data.sites == seed % len(SITES) if kind == "away" else np.zeros(len(wanted), bool)
    positive = rng.permutation(np.flatnonzero(wanted & ~away))[: min(size, wanted.sum() // 2)]
    negative = rng.permutation(np.flatnonzero(~wanted & ~away))[: OTHERS * len(positive)]
    rest = np.setdiff1d(np.arange(len(wanted)), np.concatenate((positive, negative)))
    if kind == "away":
        rest = np.flatnonzero(away)
    labels = wanted[rest]
    share = float(labels.mean())
    examples = Examples.of(
        [data.pages[n] for n in positive],
        [] if kind == "alone" else [data.pages[n] for n in negative],
        share=share if kind == "share" else None,
    )
    said = np.array([examples.probability(data.pages[n]) for n in rest])
    mix = 1 / (1 + OTHERS)
    weights = np.where(labels, mix / share, (1 - mix) / (1 - share))
    return Trial(said, labels, weights if kind in ("mix", "away") else np.ones(len(rest)))


def rows(data: Labelled, kind: str) -> list[list[str]]:
    """Return a row for each number of examples, over all goals and seeds."""
    lines = []
    for size in SIZES:
        trials = [trial(data, goal, size, seed, kind) for goal in GOALS for seed in SEEDS]
        every = Trial(*map(np.concatenate, zip(*map(astuple, trials), strict=True)))
        shares = (every.right(0.5), every.found(0.5), every.right(0.9), every.found(0.9))
        lines.append([str(size), *(f"{share:.2f}" for share in shares), f"{every.brier():.3f}"])
    return lines


def main() -> None:
    """Print a table for each use of examples."""
    data = Labelled.read()
    head = ["examples", "right at 0.5", "found at 0.5", "right at 0.9", "found at 0.9", "Brier"]
    titles = {
        "mix": f"{OTHERS} negative examples for each, wanted pages as frequent as among them",
        "away": "The same, with examples of three universities tried on the fourth",
        "share": "The first, on all other pages, where the share of wanted pages was told",
        "alone": "No negative examples, on all other pages",
    }
    shares = ", ".join(f"{goal} {data.wanted[goal].mean():.1%}" for goal in GOALS)
    print(f"{len(data.pages):,} pages; {shares}\n")
    for kind, title in titles.items():
        print(f"{title}:\n\n{table(head, rows(data, kind))}\n", flush=True)


if __name__ == "__main__":
    main()
