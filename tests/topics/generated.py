"""Generated documents with known topics: words of a leaf, of its parent, and of all."""

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
"""Words of each topic, besides its keywords."""


def documents(
    count: int,
    *,
    seed: int = 0,
    length: int = 12,
    sizes: tuple[float, ...] | None = None,
    links: float = 0.0,
    above: float = 0.0,
    foreign: float = 0.0,
) -> tuple[Corpus, np.ndarray]:
    """Documents and their topics; `sizes` are the shares of the leaves.

    A document cites so many on average, four of five of its own topic. So many of them are
    of a topic above leaves without being of one of these, and so many of none: their topic is 0.
    """
    chance = np.random.default_rng(seed)
    leaves = TREE.leaves
    truth = chance.choice(leaves, count, p=sizes)
    if above or foreign:
        kinds = chance.random(count)
        truth = np.where(kinds < above, TREE.parents[truth], truth)
        truth[kinds >= 1 - foreign] = 0
    texts = []
    for topic in truth.tolist():
        leaf = topic in leaves
        top = TREE[topic].parent if leaf else topic
        said = []
        for kind in chance.random(length):
            if kind < 0.08 and topic:
                said.append(str(chance.choice(TREE[topic].keywords)))
            elif kind < 0.35 and leaf:
                said.append(f"leaf{topic}x{chance.integers(OWN)}")
            elif kind < 0.6:
                said.append(f"top{top}x{chance.integers(OWN)}")
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
