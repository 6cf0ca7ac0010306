"""Coverage of a corpus by keywords: unused, overruled and shared keywords, thin leaves.

>>> from lycosa.topics.corpus import Corpus
>>> from lycosa.topics.hierarchy import Hierarchy
>>> tree = Hierarchy.parse('''
... Birds: owl, eagle
... Night: owl, moon, night owl
... ''')
>>> coverage = Coverage.of(tree, Corpus.of(["An owl", "Two owls", "The moon", "Rain"]))
>>> coverage.share, coverage.idle
(0.75, ['Night: night owl', 'Birds: eagle'])
>>> coverage.uses[0]
KeywordUse(keyword='night owl', topic=2, documents=0, decides=0)
>>> shared_keywords(tree)
{'owl': [1, 2]}
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.topics.corpus import Corpus, terms
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.rule_list import RuleList

MIN_LEAF_DOCUMENTS = 10
"""A leaf with fewer documents is thin: it has too few to learn from."""


class KeywordUse(NamedTuple):
    """How many documents contain a keyword of a topic, and how many it labels.

    `topic` is the topic's number in the tree. `documents` contain the keyword; it labels those
    of them, `decides`, in which no keyword that is tried earlier occurs.
    """

    keyword: str
    topic: int
    documents: int
    decides: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """Matches of the keywords of the tree `hierarchy` in a corpus.

    `documents` is the size of the corpus, `uses` are in the order in which keywords are tried,
    and `topics` has for each topic the number of documents that its own keywords label.
    """

    hierarchy: Hierarchy
    documents: int
    uses: tuple[KeywordUse, ...]
    topics: NDArray[np.int64]

    @classmethod
    def of(cls, hierarchy: Hierarchy, corpus: Corpus) -> Coverage:
        """Match all keywords with all documents."""
        rules = RuleList.of(hierarchy)
        matches = rules.matches(corpus)
        first = rules.first(matches)
        size = len(rules.rules)
        documents = np.bincount(matches.indices, minlength=size).tolist()
        decides = np.bincount(first[first >= 0], minlength=size)
        topics = np.zeros(len(hierarchy), np.int64)
        np.add.at(topics, [rule.topic for rule in rules.rules], decides)
        uses = [
            KeywordUse(rule.keyword, rule.topic, *counts)
            for rule, *counts in zip(rules.rules, documents, decides.tolist(), strict=True)
        ]
        return cls(hierarchy, len(corpus), tuple(uses), topics)

    @property
    def share(self) -> float:
        """Share of the documents that contain a keyword."""
        return int(self.topics.sum()) / self.documents if self.documents else 0.0

    @property
    def idle(self) -> list[str]:
        """Keywords in no document, each after its topic's name."""
        return [self._named(use) for use in self.uses if not use.documents]

    @property
    def overruled(self) -> list[str]:
        """Keywords that label no document, because another keyword always comes first."""
        return [self._named(use) for use in self.uses if use.documents and not use.decides]

    def thin(self, fewer: int = MIN_LEAF_DOCUMENTS) -> list[int]:
        """Return the leaves with fewer labelled documents than this."""
        return [leaf for leaf in self.hierarchy.leaves.tolist() if self.topics[leaf] < fewer]

    def _named(self, use: KeywordUse) -> str:
        return f"{self.hierarchy[use.topic].name}: {use.keyword}"


def shared_keywords(hierarchy: Hierarchy) -> dict[str, list[int]]:
    """Return keywords of several topics, plural or not, with these topics; the first gets all."""
    holders: defaultdict[tuple[str, ...], dict[int, str]] = defaultdict(dict)
    for number, topic in enumerate(hierarchy):
        for keyword in topic.keywords:
            holders[tuple(terms(keyword))].setdefault(number, keyword)
    several = [held for held in holders.values() if len(held) > 1]
    return {next(iter(held.values())): list(held) for held in several}
