r"""Placement: the probability of each topic for each document.

The probability of a topic is the sum over the classes below it. A document may have several
probable leaves; where no topic below is probable enough, the document rests at the inner topic.
1 minus the sum of a document's shares is the probability that it is outside the tree; a document
without any evidence has shares of 0.

>>> tree = Hierarchy.parse("Pets\n  Cats: cat\n  Dogs: dog\nFish: fish")
>>> shares = np.array([[0.9, 0.1, 0.0], [0.4, 0.5, 0.1], [0.3, 0.3, 0.4]], np.float32)
>>> placement = Placement(tree, ("a", "b", "c"), ("A", "B", "C"), shares)
>>> [tree.path(topic) for topic in placement.resting(0.6)]
['Pets/Cats', 'Pets', 'Pets']
>>> [tree.path(topic) for topic in placement.resting(0.8)]
['Pets/Cats', 'Pets', '']
>>> [f"{placed.path} {placed.probability:.1f}" for placed in placement.topics(1)]
['Pets 0.9', 'Pets/Dogs 0.5', 'Pets/Cats 0.4']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.topics.classes import TopicClasses
from lycosa.topics.corpus import Corpus
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.naive_bayes import Floats


class PlacedTopic(NamedTuple):
    """A topic of a document: its number, path and probability."""

    topic: int
    path: str
    probability: float


@dataclass(frozen=True, eq=False)
class Placement:
    """Topic probabilities of documents in the tree `hierarchy`.

    `names` and `titles` are those of the documents, in the order of the rows. `shares` has a row
    for each document and a column for each leaf; `here` a column for each inner topic with
    keywords: the probability that the document belongs to the topic and to none below it. None
    stands for probabilities of 0.
    """

    hierarchy: Hierarchy
    names: Sequence[str]
    titles: Sequence[str]
    shares: Floats
    here: Floats | None = None

    @classmethod
    def of(cls, hierarchy: Hierarchy, corpus: Corpus, every: Floats) -> Placement:
        """Return the placement of documents with these shares of all classes."""
        leaves = len(hierarchy.leaves)
        shares, here = every[:, :leaves], every[:, leaves:]
        return cls(hierarchy, corpus.names, corpus.titles, shares, here)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def nodes(self) -> Floats:
        """Probability of every topic for each document."""
        below = TopicClasses(self.hierarchy).below
        return np.asarray(self.every @ below[:, : self.every.shape[1]].T, np.float32)

    @cached_property
    def every(self) -> Floats:
        """Shares of all classes: leaves, then inner topics."""
        return self.shares if self.here is None else np.hstack([self.shares, self.here])

    @cached_property
    def outside(self) -> Floats:
        """Probability of each document to be outside the tree."""
        return np.asarray(np.clip(1 - self.every.sum(axis=1), 0, 1), np.float32)

    def leaves(self) -> NDArray[np.int32]:
        """Return the most probable leaf of each document, -1 if it is probably outside the tree."""
        best = self.hierarchy.leaves[self.shares.argmax(axis=1)]
        return np.where(self.outside > 0.5, -1, best).astype(np.int32)

    def topics(self, document: int, least: float = 0.2) -> list[PlacedTopic]:
        """Return the topics of a document with probability `least` or more, likeliest first.

        Of equally probable ones the deeper comes first.
        """
        row = self.nodes[document]
        found = (1 + np.flatnonzero(row[1:] >= least)).tolist()
        found.sort(
            key=lambda number: (-round(float(row[number]), 6), -self.hierarchy[number].depth)
        )
        return [PlacedTopic(n, self.hierarchy.path(n), float(row[n])) for n in found]

    def resting(self, least: float = 0.5) -> NDArray[np.int32]:
        """Return the deepest topic of each document with probability `least`, 0 without any."""
        resting = np.zeros(len(self), np.int32)
        for number in range(len(self.hierarchy)):  # each after its parent
            children = np.array(self.hierarchy.children(number), np.int32)
            here = np.flatnonzero(resting == number)
            if len(children) and len(here):
                rows = self.nodes[np.ix_(here, children)]
                deeper = rows.max(axis=1) >= least
                resting[here[deeper]] = children[rows.argmax(axis=1)][deeper]
        return resting
