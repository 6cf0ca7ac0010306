r"""What documents are told apart by: the leaves of a tree, and topics above them with keywords.

A document may speak of animals and of none in particular. Nothing sets it apart from one
of a leaf but what it does not say, so a topic above others needs documents to learn from:
those that its own keywords reach. Such a topic has a class of its own beside the leaves below
it, as if one leaf more stood under it. Its keywords speak for that class and for the leaves.

>>> tree = Hierarchy.parse("Pets: pet\n  Cats: cat\n  Dogs: dog\nFish: fish")
>>> classes = TopicClasses(tree)
>>> [tree.path(topic) for topic in classes.topics]
['Pets/Cats', 'Pets/Dogs', 'Fish', 'Pets']
>>> classes.below[1].astype(int).tolist()
[1, 1, 0, 1]
"""

from __future__ import annotations

import numpy as np

from lycosa.topics.corpus import Corpus
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.naive_bayes import Floats
from lycosa.topics.rule_list import RuleList
from lycosa.topics.shrinkage import Shrinkage


class TopicClasses:
    """The classes of a tree: `topics[k]` is the topic of class k, leaves first.

    `own` are the topics above leaves that have a class. Row t, column k of `below` is 1 if
    class k belongs to topic t or to one below it; `kin` says which classes have a topic in common.
    """

    def __init__(self, hierarchy: Hierarchy) -> None:
        parents, leaves = hierarchy.parents, set(hierarchy.leaves.tolist())
        named = [n for n in range(1, len(hierarchy)) if hierarchy[n].keywords and n not in leaves]
        self.own = np.array(named, np.int32)
        self.topics = np.concatenate([hierarchy.leaves, self.own])
        self.shrinkage = Shrinkage(np.concatenate([parents, self.own]))
        self.below = self.shrinkage.below[: len(parents)]
        self.kin = self.below[1:].T @ self.below[1:] > 0

    def __len__(self) -> int:
        return len(self.topics)

    def marks(self, rules: RuleList, corpus: Corpus) -> Floats:
        """1 for each class that the keyword speaks for which decides about a document."""
        nothing = np.zeros((1, len(self)), np.float32)
        return np.asarray(np.vstack([self.below, nothing])[rules.labels(corpus)])
