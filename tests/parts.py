"""Parts of yield spiders on their own, for tests: what a spider would show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from lycosa.content import Ints
from lycosa.core import Budget, Step
from lycosa.search import PartialYield
from lycosa.spiders.yields import Part
from tiny import Arrays


def driven(part: Part, steps: Iterable[Step]) -> Iterator[tuple[Step, PartialYield, Ints]]:
    """Show a part the steps of a crawl; after each, the counters and what it returned."""
    tree = PartialYield(2, level=2)
    part.start(Budget(), tree)
    for step in steps:
        changed = tree.add(step.page.number, step.reward, step.page.targets)
        yield step, tree, part.observe(step, tree.fresh, changed)


def grown(seed: int, size: int = 400) -> Arrays:
    """A site without words in which one link leads to every page; below some are many papers."""
    rng = np.random.default_rng(seed)
    parents = [int(n * rng.random() ** 2) for n in range(1, size)]
    heads = np.argsort(parents, kind="stable") + 1
    offsets = np.concatenate(([0], np.bincount(parents, minlength=size).cumsum()))
    good = rng.random(size) < 0.2
    chance = np.where(good[[0, *parents]], 0.8, 0.05)
    return Arrays(offsets, heads, np.flatnonzero(rng.random(size) < chance))
