"""Made-up documents whose topics are known: words of a leaf, of what is above it, and of all."""

from __future__ import annotations

import numpy as np

from lycosa.topics.corpus import Corpus
from lycosa.topics.hierarchy import Hierarchy

TREE = Hierarchy.parse(
    """
Animals: animal
  Birds: owl, feather
  Fish: trout, gill
  Cats: cat, whisker
Machines: machine
  Cars: car, wheel
  Ships: ship, anchor
"""
)
OWN = 12
"""Words that each topic prefers, beside its keywords."""


def documents(
    count: int,
    *,
    seed: int = 0,
    length: int = 12,
    sizes: tuple[float, ...] | None = None,
    links: float = 0.0,
) -> tuple[Corpus, np.ndarray]:
    """Documents and their leaves; `sizes` are the shares of the leaves.

    A document cites so many on average, four of five of its own leaf.
    """
    chance = np.random.default_rng(seed)
    leaves = TREE.leaves
    truth = chance.choice(leaves, count, p=sizes)
    texts = []
    for leaf in truth.tolist():
        said = []
        for kind in chance.random(length):
            if kind < 0.08:
                said.append(str(chance.choice(TREE[leaf].keywords)))
            elif kind < 0.35:
                said.append(f"leaf{leaf}x{chance.integers(OWN)}")
            elif kind < 0.6:
                said.append(f"top{TREE[leaf].parent}x{chance.integers(OWN)}")
            else:
                said.append(f"any{chance.integers(5 * OWN)}x")
        texts.append(" ".join(said))
    pairs = []
    for n in range(count):
        same = np.flatnonzero(truth == truth[n])
        for _ in range(chance.poisson(links)):
            other = chance.choice(same) if chance.random() < 0.8 else chance.integers(count)
            pairs.append((str(n), str(other)))
    return Corpus.of(texts, citations=pairs), truth
