"""Topic classifier that learns from corrected topics as from keywords.

A corrected topic counts as a keyword of that topic that decides about the work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Table
from lycosa.topics.classifier import Classifier, vocabulary
from lycosa.topics.corpus import Corpus
from lycosa.topics.expectation_maximisation import EMResult
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.model import TopicModel
from lycosa.topics.naive_bayes import Floats
from lycosa.topics.rule_list import RuleList


@dataclass(frozen=True, slots=True)
class _CorrectedRules(RuleList):
    """Keyword rules, and documents whose topics were corrected."""

    corrected: Mapping[str, int]

    def labels(self, corpus: Corpus) -> NDArray[np.int32]:
        found = RuleList.labels(self, corpus)
        for document, name in enumerate(corpus.names):
            if name in self.corrected:
                found[document] = self.corrected[name]
        return found


@dataclass(frozen=True, slots=True)
class _CorrectedClassifier(Classifier):
    """A classifier that learns from corrected topics as from keywords."""

    corrected: Mapping[str, int] | None = None

    def learn(
        self,
        hierarchy: Hierarchy,
        rules: RuleList,
        corpus: Corpus,
        words: Table,
        inside: Floats | None = None,
    ) -> EMResult:
        corrected = self.corrected or {}
        rules = _CorrectedRules(rules.rules, corrected)
        if inside is not None and corrected:
            # A person has said that these works belong to the tree.
            known = [name in corrected for name in corpus.names]
            inside = np.where(known, np.float32(1), inside)
        return Classifier.learn(self, hierarchy, rules, corpus, words, inside)


def fit_corrected(
    tree: Hierarchy, corpus: Corpus, corrected: Mapping[str, int]
) -> TopicModel | None:
    """Fit a classifier; return None without any labelled work or any shared word."""
    if not len(corpus) or not len(vocabulary(corpus)):
        return None
    if not (_CorrectedRules(RuleList.of(tree).rules, corrected).labels(corpus) >= 0).any():
        return None
    return _CorrectedClassifier(corrected=corrected).fit(tree, corpus)
