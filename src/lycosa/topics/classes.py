r"""Classes of a topic tree: its leaves, and the inner topics that have keywords.

A document may be about animals in general. It differs from a document of a leaf only by the
words it lacks, so an inner topic needs training documents: those that its own keywords match.
Such a topic gets a class beside the leaves below it, like one more leaf. Its keywords count for
that class and for the leaves.

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
    """The classes of the tree `hierarchy`: `topics[k]` is the topic of class k, leaves first.

    `own` are the inner topics that have a class. Row t, column k of `below` is 1 if class k
    belongs to topic t or to one below it; `kin[j, k]` is whether two classes have an ancestor in
    common below the root.
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
        """Return 1 for each class of the topic whose keyword labels the document, else 0."""
        nothing = np.zeros((1, len(self)), np.float32)
        return np.asarray(np.vstack([self.below, nothing])[rules.labels(corpus)])
