r"""Topic classifier that learns from keywords and unlabelled documents (McCallum et al. 1999).

Keywords label some documents (`rule_list`); EM over naive Bayes with shrinkage and citations
labels all of them (`expectation_maximisation`), except those that fit nothing (`membership`);
hidden keywords calibrate the probabilities (`calibration`).

>>> from lycosa.topics.corpus import Corpus
>>> from lycosa.topics.hierarchy import Hierarchy
>>> tree = Hierarchy.parse("Birds: owl, feather\nFish: trout, fin")
>>> some = ["owl at night", "night feather", "trout in a river", "river fin", "night hunter"]
>>> model = Classifier(calibrated=False).fit(tree, Corpus.of(some))
>>> [placed[0].path for placed in model.topics()]
['Birds', 'Birds', 'Fish', 'Fish', 'Birds']
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Table
from lycosa.errors import UsageError
from lycosa.processes import single_threaded_blas
from lycosa.reporting.progress import report
from lycosa.topics.calibration import Calibration, HiddenKeywords, hide_keywords
from lycosa.topics.classes import TopicClasses
from lycosa.topics.corpus import Corpus
from lycosa.topics.expectation_maximisation import MIN_MOVED_SHARE, EMResult, learn
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.membership import learn_membership, probability_inside
from lycosa.topics.model import ModelSettings, TopicModel, has_evidence, project_counts
from lycosa.topics.naive_bayes import Floats
from lycosa.topics.neighbours import Neighbours, symmetric_links
from lycosa.topics.placement import Placement
from lycosa.topics.rule_list import RuleList

_log = logging.getLogger("lycosa.topics")

MAX_WORDS = 100_000
"""Size of a model's vocabulary: the words in most documents."""

MAX_CALIBRATION_DOCUMENTS = 20_000
"""Documents used for the calibration."""

CALIBRATION_FOLDS = 2
"""Folds of hidden keywords used for the calibration."""

DEFAULT = ModelSettings()


class NoKeywordError(UsageError):
    """No keyword occurs in any document, so that nothing can be learned."""


@dataclass(frozen=True, slots=True)
class Classifier:
    """Trainer of topic models.

    * `rounds`: rounds of EM;
    * `shrinkage`: mix the words of leaves with those of their ancestors;
    * `citations`: use the topics of citing and cited documents;
    * `unplaced`: leave documents out of the tree that do not belong to it;
    * `calibrated`: calibrate the probabilities, which takes about as long as two more fits;
    * `settings`: weights of words, keywords and neighbours;
    * `still`: stop EM when a smaller share of the documents changes its topic.
    """

    rounds: int = 2
    shrinkage: bool = True
    citations: bool = True
    unplaced: bool = True
    calibrated: bool = True
    settings: ModelSettings = DEFAULT
    still: float = MIN_MOVED_SHARE

    @single_threaded_blas()
    def fit(self, hierarchy: Hierarchy, corpus: Corpus) -> TopicModel:
        """Train a model on unlabelled documents."""
        rules = RuleList.of(hierarchy)
        if not len(corpus):
            raise UsageError("There are no documents to learn from; give at least one.")
        words = vocabulary(corpus)
        _log.info(
            "fitting %d topics to %d documents with %d words",
            len(hierarchy) - 1,
            len(corpus),
            len(words),
        )
        self._report(len(corpus), 0)
        membership = inside = None
        if self.unplaced:
            membership, margins = learn_membership(rules, corpus)
            links = symmetric_links(corpus.citations) if self.citations else None
            inside = probability_inside(margins, links)
            self._report(len(corpus), 1)
        learned = self.learn(hierarchy, rules, corpus, words, inside)
        self._report(len(corpus), 1 + self.unplaced)
        calibration = Calibration.none(len(hierarchy.leaves))
        if self.calibrated:
            _log.info("calibrating by hidden keywords")
            calibration = self._calibration(hierarchy, corpus, words, inside)
        shares = calibration.apply(learned.shares, has_evidence(corpus, words, self.citations))
        return TopicModel(
            hierarchy=hierarchy,
            settings=self.settings,
            words=words,
            sums=learned.sums,
            prior=learned.prior,
            weights=None if learned.weights is None else tuple(learned.weights),
            affinity=learned.affinity,
            membership=membership and membership.for_words(words, corpus.words.find),
            calibration=calibration,
            documents=Placement.of(hierarchy, corpus, shares),
            history=tuple(learned.history),
        )

    def _report(self, documents: int, fits: int, folds: int = 0) -> None:
        """Report what is done, in fits to all documents; the membership counts as one."""
        fold = min(1.0, MAX_CALIBRATION_DOCUMENTS / documents)
        report(
            fits + folds * fold,
            1 + self.unplaced + self.calibrated * CALIBRATION_FOLDS * fold,
        )

    def learn(
        self,
        hierarchy: Hierarchy,
        rules: RuleList,
        corpus: Corpus,
        words: Table,
        inside: Floats | None = None,
    ) -> EMResult:
        """Run EM from the labels of keyword rules.

        `inside` are the probabilities of the documents to be in the tree, 1 if None.
        """
        classes = TopicClasses(hierarchy)
        marks = classes.marks(rules, corpus)
        if not marks.any():
            raise NoKeywordError("No keyword occurs in any document; run `lycosa topics check`.")
        if not len(words):
            raise UsageError("No word occurs in two documents; give more or longer documents.")
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
            inside=inside,
            still=self.still,
        )

    def learn_with_hidden(
        self,
        hierarchy: Hierarchy,
        corpus: Corpus,
        words: Table,
        parts: int = CALIBRATION_FOLDS,
        inside: Floats | None = None,
    ) -> Iterator[tuple[EMResult, HiddenKeywords]]:
        """Yield for each fold of hidden keywords the result of EM without them.

        A fold without which no document has a keyword is left out.
        """
        every = hide_keywords(RuleList.of(hierarchy), corpus, hierarchy.leaves)
        for part, _ in zip(every, range(parts), strict=False):
            if (part.topics >= 0).any():
                try:
                    learned = self.learn(hierarchy, part.rules, part.corpus, words, inside)
                except NoKeywordError as error:
                    _log.debug("a fold has all keywords that occur", exc_info=error)
                    continue
                yield learned, part

    def _calibration(
        self, hierarchy: Hierarchy, corpus: Corpus, words: Table, inside: Floats | None
    ) -> Calibration:
        documents = len(corpus)
        if documents > MAX_CALIBRATION_DOCUMENTS:
            chosen = np.sort(
                np.random.default_rng(0).choice(
                    len(corpus), MAX_CALIBRATION_DOCUMENTS, replace=False
                )
            )
            corpus = corpus.subset(chosen)
            inside = None if inside is None else inside[chosen]
        column = np.full(len(hierarchy), -1)
        column[hierarchy.leaves] = np.arange(len(hierarchy.leaves))
        leaves = len(hierarchy.leaves)
        shares = [np.zeros((0, leaves), np.float32)]
        truth = [np.zeros(0, np.int64)]
        hidden = self.learn_with_hidden(hierarchy, corpus, words, inside=inside)
        for n, (learned, part) in enumerate(hidden, 1):
            self._report(documents, 1 + self.unplaced, n)
            some = part.topics >= 0
            shares.append(learned.shares[some, :leaves])
            truth.append(column[part.topics[some]])
        return Calibration.of(np.concatenate(shares), np.concatenate(truth))


def vocabulary(corpus: Corpus) -> Table:
    """Return the words in two documents or more, at most `MAX_WORDS` of the most frequent."""
    documents = np.bincount(corpus.counts.indices, minlength=len(corpus.words))
    kept: NDArray[np.int64] = np.flatnonzero(documents > 1)
    if len(kept) > MAX_WORDS:
        kept = np.sort(kept[np.argsort(-documents[kept], kind="stable")[:MAX_WORDS]])
    return Table(corpus.words[number] for number in kept.tolist())
