r"""Documents in a tree of topics: how probable each topic is for each.

A document is in a topic as much as it is in all leaves below it. It may be in
several leaves, and where none below a topic is probable enough it rests at the
topic itself. What its shares lack to 1 is how probable it is outside the tree; those
of a document that nothing is known of are all 0.

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
    """A topic of a document, and how probable it is."""

    topic: int
    path: str
    probability: float


@dataclass(frozen=True, eq=False)
class Placement:
    """Documents and their shares: a row for each, a column for each leaf.

    `here` has a column for each topic above leaves that has keywords: how probable
    it is that the document belongs to the topic and to none below it.
    """

    hierarchy: Hierarchy
    names: Sequence[str]
    titles: Sequence[str]
    shares: Floats
    here: Floats | None = None

    @classmethod
    def of(cls, hierarchy: Hierarchy, corpus: Corpus, every: Floats) -> Placement:
        """Place documents by the shares of all classes of a tree."""
        leaves = len(hierarchy.leaves)
        shares, here = every[:, :leaves], every[:, leaves:]
        return cls(hierarchy, corpus.names, corpus.titles, shares, here)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def nodes(self) -> Floats:
        """The probability of every topic for each document."""
        below = TopicClasses(self.hierarchy).below
        return np.asarray(self.every @ below[:, : self.every.shape[1]].T, np.float32)

    @cached_property
    def every(self) -> Floats:
        """The shares of all classes: leaves, then topics above them."""
        return self.shares if self.here is None else np.hstack([self.shares, self.here])

    @cached_property
    def outside(self) -> Floats:
        """How probable it is that each document is outside the tree."""
        return np.asarray(np.clip(1 - self.every.sum(axis=1), 0, 1), np.float32)

    def leaves(self) -> NDArray[np.int32]:
        """The most probable leaf of each document, or -1 if it is outside, more likely than not."""
        best = self.hierarchy.leaves[self.shares.argmax(axis=1)]
        return np.where(self.outside > 0.5, -1, best).astype(np.int32)

    def topics(self, document: int, least: float = 0.2) -> list[PlacedTopic]:
        """The topics of a document below the root that are so probable, the likeliest first.

        Of equally probable ones the deeper comes first.
        """
        row = self.nodes[document]
        found = (1 + np.flatnonzero(row[1:] >= least)).tolist()
        found.sort(
            key=lambda number: (-round(float(row[number]), 6), -self.hierarchy[number].depth)
        )
        return [PlacedTopic(n, self.hierarchy.path(n), float(row[n])) for n in found]

    def resting(self, least: float = 0.5) -> NDArray[np.int32]:
        """The deepest topic of each document that is so probable; 0 if it is outside the tree."""
        resting = np.zeros(len(self), np.int32)
        for number in range(len(self.hierarchy)):  # each after its parent
            children = np.array(self.hierarchy.children(number), np.int32)
            here = np.flatnonzero(resting == number)
            if len(children) and len(here):
                rows = self.nodes[np.ix_(here, children)]
                deeper = rows.max(axis=1) >= least
                resting[here[deeper]] = children[rows.argmax(axis=1)][deeper]
        return resting
