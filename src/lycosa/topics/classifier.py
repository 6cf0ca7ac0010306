r"""A tree of topics with keywords, and documents: a model that places documents in the tree.

>>> from lycosa.topics.corpus import Corpus
>>> from lycosa.topics.hierarchy import Hierarchy
>>> tree = Hierarchy.parse("Birds: owl, feather\nFish: trout, fin")
>>> some = ["owl at night", "night feather", "trout in a river", "river fin", "night hunter"]
>>> model = Classifier(calibrated=False).fit(tree, Corpus.of(some))
>>> [placed[0].path for placed in model.topics()]
['Birds', 'Birds', 'Fish', 'Fish', 'Birds']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Table
from lycosa.errors import UsageError
from lycosa.topics.calibration import Calibration, HiddenKeywords, hide_keywords
from lycosa.topics.classes import TopicClasses
from lycosa.topics.corpus import Corpus
from lycosa.topics.expectation_maximisation import MIN_MOVED_SHARE, EMResult, learn
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.model import ModelSettings, TopicModel, has_evidence, project_counts
from lycosa.topics.neighbours import Neighbours
from lycosa.topics.placement import Placement
from lycosa.topics.rule_list import RuleList

MAX_WORDS = 100_000
"""How many words a model knows: the most frequent ones."""

MAX_CALIBRATION_DOCUMENTS = 20_000
"""How many documents the calibration is found with, at most."""

CALIBRATION_FOLDS = 2
"""How many parts of the keywords are hidden, one after the other, to find it."""

DEFAULT = ModelSettings()


@dataclass(frozen=True, slots=True)
class Classifier:
    """Keywords, then naive Bayes, then EM with shrinkage and citations; parts can be left out."""

    rounds: int = 2
    shrinkage: bool = True
    citations: bool = True
    calibrated: bool = True
    settings: ModelSettings = DEFAULT
    still: float = MIN_MOVED_SHARE

    def fit(self, hierarchy: Hierarchy, corpus: Corpus) -> TopicModel:
        """Learn from documents that nobody has labelled."""
        rules = RuleList.of(hierarchy)
        if not len(corpus):
            raise UsageError("There are no documents to learn from; give some.")
        words = vocabulary(corpus)
        learned = self.learn(hierarchy, rules, corpus, words)
        calibration = Calibration.none(len(hierarchy.leaves))
        if self.calibrated:
            calibration = self._calibration(hierarchy, corpus, words)
        shares = calibration.applied(learned.shares, has_evidence(corpus, words, self.citations))
        return TopicModel(
            hierarchy=hierarchy,
            settings=self.settings,
            words=words,
            sums=learned.sums,
            prior=learned.prior,
            weights=None if learned.weights is None else tuple(learned.weights),
            affinity=learned.affinity,
            background=learned.background,
            calibration=calibration,
            documents=Placement.of(hierarchy, corpus, shares),
            history=tuple(learned.history),
        )

    def learn(
        self, hierarchy: Hierarchy, rules: RuleList, corpus: Corpus, words: Table
    ) -> EMResult:
        """Run EM from what some rules say."""
        classes = TopicClasses(hierarchy)
        marks = classes.marks(rules, corpus)
        if not marks.any():
            raise UsageError("No keyword stands in any document; see `lycosa topics check`.")
        linked = self.citations and corpus.citations.nnz > 0
        weight = self.settings.weight
        return learn(
            project_counts(corpus, words),
            marks / np.maximum(marks.sum(axis=1, keepdims=True), 1),
            rounds=self.rounds,
            shrinkage=classes.shrinkage if self.shrinkage else None,
            neighbours=Neighbours(corpus.citations, classes.kin, weight) if linked else None,
            discount=self.settings.discount,
            evidence=self.settings.trust * marks,
            # A leaf without shrinkage gives words it has not seen less than they have anywhere.
            outside=self.shrinkage,
            still=self.still,
        )

    def hiding(
        self, hierarchy: Hierarchy, corpus: Corpus, words: Table, parts: int = CALIBRATION_FOLDS
    ) -> Iterator[tuple[EMResult, HiddenKeywords]]:
        """What is learned while keywords are hidden, one part of them after the other."""
        every = hide_keywords(RuleList.of(hierarchy), corpus, hierarchy.leaves)
        for part, _ in zip(every, range(parts), strict=False):
            if (part.topics >= 0).any():
                yield self.learn(hierarchy, part.rules, part.corpus, words), part

    def _calibration(self, hierarchy: Hierarchy, corpus: Corpus, words: Table) -> Calibration:
        if len(corpus) > MAX_CALIBRATION_DOCUMENTS:
            chosen = np.random.default_rng(0).choice(
                len(corpus), MAX_CALIBRATION_DOCUMENTS, replace=False
            )
            corpus = corpus.part(np.sort(chosen))
        column = np.full(len(hierarchy), -1)
        column[hierarchy.leaves] = np.arange(len(hierarchy.leaves))
        leaves = len(hierarchy.leaves)
        shares = [np.zeros((0, leaves), np.float32)]
        truth = [np.zeros(0, np.int64)]
        for learned, part in self.hiding(hierarchy, corpus, words):
            some = part.topics >= 0
            shares.append(learned.shares[some, :leaves])
            truth.append(column[part.topics[some]])
        return Calibration.of(np.concatenate(shares), np.concatenate(truth))


def vocabulary(corpus: Corpus) -> Table:
    """The words that stand in two documents at least, the most frequent ones if there are many."""
    documents = np.bincount(corpus.counts.indices, minlength=len(corpus.words))
    kept: NDArray[np.int64] = np.flatnonzero(documents > 1)
    if len(kept) > MAX_WORDS:
        kept = np.sort(kept[np.argsort(-documents[kept], kind="stable")[:MAX_WORDS]])
    return Table(corpus.words[number] for number in kept.tolist())
