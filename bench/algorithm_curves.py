"""The recall curves on the pages of docs/explanation, one figure for each algorithm.

Every spider runs once on the four WebKB sites for papers, trained on the other
three where it learns; a figure shows the mean over the sites. The figure of trap
detection is made on a generated department with traps. One run takes a few
minutes on two cores.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from bench.curves import POINTS, draw, mean_recall
from bench.seeds import DEPARTMENTS, WEBKB
from bench.trapped import Trapped
from bench.traps import BUDGET, PAGES, crawl, plain
from lycosa.lab import Run, experiment
from lycosa.sites.generated import World
from lycosa.spiders.traps import Wary

GOAL = "papers"
BOUNDS = ("breadth-first", "optimal")
TWO_MODELS = "change-policy(rl(svm, related, immediate), rl(nb, related, future), at={0})"

FIGURES: Mapping[str, tuple[str, Sequence[str]]] = {
    "house": (
        "The default policy, trained and untrained",
        ("house", "house(without=taught)", "keywords", "rl-future", *BOUNDS),
    ),
    "baselines": ("The reference policies", ("random", "depth-first", *BOUNDS)),
    "rl": (
        "Reinforcement learning",
        ("rl-immediate", "rl-future", "rl-distance", "immediate-and-future(nb)", *BOUNDS),
    ),
    "value-criteria": (
        "Naive Bayes trained with different value criteria",
        tuple(
            f"rl(nb, related, {name})"
            for name in ("immediate", "future", "distance", "future-three", "parallel", "cutoff")
        ),
    ),
    "neighbourhoods": (
        "Naive Bayes on different neighbourhoods of a link",
        tuple(
            f"rl(nb, {name}, future)"
            for name in ("near", "related", "placed", "full", "full-page", "relative")
        ),
    ),
    "naive-bayes": (
        "Naive Bayes with two to five bins",
        ("rl-immediate", "rl-future", "rl-future(bins=4)", "rl-future(bins=5)", *BOUNDS),
    ),
    "svm": (
        "Support vector machines and naive Bayes",
        (
            "rl(svm, related, immediate)",
            "rl(svm, placed, future)",
            "rl(nb, related, immediate)",
            *BOUNDS,
        ),
    ),
    "change-policy": (
        "A change of policy, and its two policies alone",
        (
            TWO_MODELS.format("auto"),
            TWO_MODELS.format("0.3"),
            "rl(svm, related, immediate)",
            "rl(nb, related, future)",
        ),
    ),
    "yield": (
        "Yield learned during the crawl",
        ("yield(combined)", "yield(generalised, ridge)", "yield(partial)", "keywords", *BOUNDS),
    ),
    "published-policies-text": (
        "Published policies that read, beside the default",
        ("best-first", "shark-search", "qmin", "infospiders", "context-graph", "house", BOUNDS[0]),
    ),
    "published-policies-links": (
        "Published policies that go by links, URLs and rewards, beside the default",
        ("opic", "pagerank", "sleeping-bandit", "double-q", "house", BOUNDS[0]),
    ),
}
"""By figure: its title, and the spiders it compares."""

TRAPPED = ("breadth-first", "keywords", "yield(combined)")


def main() -> None:
    """Run every spider and write docs/images/curve-FIGURE.svg for each figure."""
    if not DEPARTMENTS.is_dir():
        sys.exit(f"These curves need the recorded sites at {DEPARTMENTS}, which is not there.")
    names = list(dict.fromkeys(name for _, spiders in FIGURES.values() for name in spiders))
    runs: dict[str, list[Run]] = defaultdict(list)
    for run in experiment(WEBKB, GOAL, names, jobs=2).runs:
        runs[run.spider].append(run)
    for figure, (title, spiders) in FIGURES.items():
        print(draw(f"curve-{figure}", {name: mean_recall(runs[name]) for name in spiders}, title))
    axes = f"requests, as a share of {BUDGET:,}; upwards the share of the targets found"
    title = "Policies with and without trap detection on a site with traps"
    print(draw("curve-traps", _trapped(), title, axes=axes))


def _trapped() -> dict[str, np.ndarray]:
    """Return the recall curves with and without trap detection on a generated site."""
    department = World(seed=11, departments=1, pages=PAGES).department(0)
    curves = {}
    for name in TRAPPED:
        for wary in (False, True):
            site = Trapped(department)
            policy = Wary(plain(site, name)) if wary else plain(site, name)
            hits = np.array(crawl(site, policy, BUDGET).hits)
            found = np.searchsorted(hits, POINTS * BUDGET, side="right")
            curves[policy.name] = found / len(site.wanted(GOAL))
    return curves


if __name__ == "__main__":
    main()
