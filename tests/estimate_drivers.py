"""Drivers for single yield estimates, without a policy around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from lycosa.content import Ints
from lycosa.core import Budget, Step
from lycosa.search import PartialYield
from lycosa.spiders.yields import Estimate
from small_sites import GraphSite


def drive_estimate(
    part: Estimate, steps: Iterable[Step]
) -> Iterator[tuple[Step, PartialYield, Ints]]:
    """Show an estimate the steps of a crawl; yield each with the counters and rescored links."""
    tree = PartialYield(2, level=2)
    part.start(Budget(), tree)
    for step in steps:
        changed = tree.add(step.page.number, step.reward, step.page.targets)
        yield step, tree, part.observe(step, tree.fresh, changed)


def random_tree_site(seed: int, size: int = 400) -> GraphSite:
    """Return a tree-shaped site without words in which some subtrees have many papers."""
    rng = np.random.default_rng(seed)
    parents = [int(n * rng.random() ** 2) for n in range(1, size)]
    heads = np.argsort(parents, kind="stable") + 1
    offsets = np.concatenate(([0], np.bincount(parents, minlength=size).cumsum()))
    good = rng.random(size) < 0.2
    chance = np.where(good[[0, *parents]], 0.8, 0.05)
    return GraphSite(offsets, heads, np.flatnonzero(rng.random(size) < chance))
