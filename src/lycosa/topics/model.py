"""Fitted topic model: classifies documents, and explains the result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.content import Table
from lycosa.errors import UsageError
from lycosa.learn.log_odds import z_scores
from lycosa.processes import single_threaded_blas
from lycosa.topics.calibration import Calibration
from lycosa.topics.classes import TopicClasses
from lycosa.topics.corpus import Corpus
from lycosa.topics.expectation_maximisation import EMRound
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.membership import Membership, margins_of, neighbour_margins, probability_inside
from lycosa.topics.naive_bayes import Floats, lidstone, normalise, scores
from lycosa.topics.neighbours import Affinity, Neighbours
from lycosa.topics.placement import PlacedTopic, Placement
from lycosa.topics.rule_list import RuleList
from lycosa.topics.shrinkage import Shrinkage

MEAN_FIELD_ROUNDS = 10
"""Mean-field rounds over citations when new documents are placed."""
MIN_Z, MIN_OCCURRENCES = 2.0, 2.0
"""Of a word that distinguishes a topic; less is chance."""
MAX_SPREAD = 0.5
"""How evenly a word that distinguishes a topic may be spread over it and other branches."""


class ModelSettings(NamedTuple):
    """Relative weights of the evidence.

    `discount` divides the log-probabilities of a document's words, because words are not
    independent. The keyword that labels a document adds `trust` to the score of its topic. The
    evidence of each of n neighbours is multiplied by `weight` and divided by the root of n.
    """

    discount: float = 2.0
    trust: float = 1.0
    weight: float = 3.0


class TopicWord(NamedTuple):
    """A word of a topic.

    `inside` and `outside` are its expected counts in the topic and in all others; `z` is the
    z-score of its weighted log-odds, positive if the word is typical of the topic. For the whole
    tree, `z` is the count.
    """

    word: str
    inside: float
    outside: float
    z: float


class PlacementReason(NamedTuple):
    """Evidence for a topic (against it, if the weight is negative).

    `kind` is word, keyword or neighbour; `what` is the word, keyword or the neighbour's title.
    """

    kind: str
    what: str
    weight: float


@dataclass(frozen=True, eq=False)
class TopicModel:
    """A fitted topic tree.

    * `hierarchy`: the tree with its keywords;
    * `settings`: the weights of the evidence that it was fitted with;
    * `words`: the vocabulary; other words of a document are not counted;
    * `sums[class, word]`: expected count of a word in a class;
    * `prior`: probability of each class;
    * `weights`: mixture weights of shrinkage by class, None without shrinkage;
    * `affinity`: topics of neighbours, None without citations;
    * `membership`: decides which documents are outside the tree, None if all are inside;
    * `calibration`: corrects the overconfidence of naive Bayes;
    * `documents`: the training documents and their topics;
    * `history`: the rounds of EM.
    """

    hierarchy: Hierarchy
    settings: ModelSettings
    words: Table
    sums: Floats
    prior: NDArray[np.float64]
    weights: tuple[NDArray[np.float64], ...] | None
    affinity: Affinity | None
    membership: Membership | None
    calibration: Calibration
    documents: Placement
    history: tuple[EMRound, ...] = ()

    @cached_property
    def shrinkage(self) -> Shrinkage:
        """Shrinkage over the topics of the tree."""
        return Shrinkage(self.hierarchy.parents)

    @cached_property
    def classes(self) -> TopicClasses:
        """Leaves, and inner topics that have a class."""
        return TopicClasses(self.hierarchy)

    @cached_property
    def logs(self) -> Floats:
        """Log-probability of each word in each class."""
        if self.weights is None:
            return lidstone(self.sums).astype(np.float32)
        return self.classes.shrinkage.mixed(self.sums, self.weights)

    def topics(
        self, placement: Placement | None = None, least: float = 0.2
    ) -> list[list[PlacedTopic]]:
        """Return the topics of each document with probability `least` or more, likeliest first.

        Without a placement, return those of the training documents.
        """
        found = self.documents if placement is None else placement
        return [found.topics(number, least) for number in range(len(found))]

    @single_threaded_blas()
    def place(self, corpus: Corpus, citations: Iterable[tuple[str, str]] = ()) -> Placement:
        """Classify documents without learning from them.

        `citations` are pairs of names, citing and cited; one of the two may be a training
        document.
        """
        own = self._scores(corpus)
        some = np.zeros(len(corpus), bool)
        shares = own.copy()
        normalise(shares)
        margins = self._margins(corpus)
        if self.affinity is not None:
            known, rows = self._known(corpus, citations)
            neighbours = Neighbours(
                corpus.citations, self.classes.kin, self.settings.weight, np.diff(known.indptr)
            )
            some |= np.diff(known.indptr) > 0
            margins += self._told_by_neighbours(neighbours, known, rows, margins)
            own += neighbours.link_weights * (known @ self._told_by_known(rows, self.affinity))
            shares = neighbours.settle(own, shares, self.affinity, MEAN_FIELD_ROUNDS)
        some |= has_evidence(corpus, self.words, self.affinity is not None)
        shares = self.calibration.apply(shares * probability_inside(margins)[:, None], some)
        return Placement.of(self.hierarchy, corpus, shares)

    def top_words(self, topic: int, most: int = 10) -> list[TopicWord]:
        """Return the words that distinguish a topic from the rest (weighted log-odds).

        Words that are frequent everywhere are left out: with many documents a small surplus is
        significant, with few documents any word may have a large one. For the whole tree, topic 0,
        return the most frequent words.
        """
        inside = self.classes.below[topic] @ self.sums
        outside = self.sums.sum(axis=0) - inside
        z = z_scores(inside, outside) if topic else inside
        order = np.argsort(-z, kind="stable")
        if topic:
            telling = (
                (z >= MIN_Z) & (inside >= MIN_OCCURRENCES) & (self._spread(topic) <= MAX_SPREAD)
            )
            order = order[telling[order]]
        return [
            TopicWord(self.words[n], float(inside[n]), float(outside[n]), float(z[n]))
            for n in order[:most].tolist()
        ]

    def _spread(self, topic: int) -> NDArray[np.float64]:
        """Return how evenly each word is spread over a topic and the other branches, 0 to 1.

        It is the perplexity of the word's rates, which is the effective number of branches that
        use the word, between one and all of them. Less than a document has no rates.
        """
        tree = self.hierarchy
        own = tree.ancestors(topic)[-2]
        others = [n for n in range(1, len(tree)) if tree[n].parent == 0 and n != own]
        groups = (self.classes.below[[topic, *others]] @ self.sums).astype(np.float64)
        lengths = groups.sum(axis=1)
        used = lengths >= max(lengths.sum() / max(len(self.documents), 1), 1e-9)
        if np.count_nonzero(used) < 2:
            return np.zeros(len(self.words))
        rates = groups[used] / lengths[used, None]
        shares = rates / np.maximum(rates.sum(axis=0), 1e-12)
        entropy = -(shares * np.log(np.maximum(shares, 1e-12))).sum(axis=0)
        spread: NDArray[np.float64] = (np.exp(entropy) - 1) / (np.count_nonzero(used) - 1)
        return spread

    def explain(
        self, corpus: Corpus, document: int = 0, topic: int | None = None
    ) -> list[PlacementReason]:
        """Return the evidence for a topic (by default the best) of a document, strongest first.

        A weight is the gain in the topic's log-odds, relative to the mean gain of all topics.
        """
        placement = self.place(corpus)
        if not 0 <= document < len(corpus):
            raise UsageError(
                f"There is no document {document}; the corpus has {len(corpus)}, counted from 0."
            )
        best = self.hierarchy.leaves[placement.shares[document].argmax()]
        chosen = best if topic is None else topic
        inside = self.classes.below[chosen] * self.prior
        inside /= inside.sum()
        against = inside - self.prior

        reasons = []
        counts = self._counts(corpus)[[document]]
        for number, count in zip(counts.indices.tolist(), counts.data.tolist(), strict=True):
            gain = count / self.settings.discount * float(against @ self.logs[:, number])
            reasons.append(PlacementReason("word", self.words[number], gain))
        rules = RuleList.of(self.hierarchy)
        first = int(rules.first(rules.matches(corpus))[document])
        if first >= 0:
            rule = rules.rules[first]
            gain = self.settings.trust * float(against @ self.classes.below[rule.topic])
            reasons.append(PlacementReason("keyword", rule.keyword, gain))
        if self.affinity is not None:
            neighbours = Neighbours(corpus.citations, self.classes.kin, self.settings.weight)
            for other in neighbours.links[[document]].indices.tolist():
                opinion = against @ self.affinity.logs @ placement.every[other]
                gain = float(neighbours.link_weights[document, 0] * opinion)
                reasons.append(PlacementReason("neighbour", corpus.titles[other], gain))
        return sorted(reasons, key=lambda reason: (-reason.weight, reason.what))

    def _counts(self, corpus: Corpus) -> sparse.csr_matrix:
        return project_counts(corpus, self.words)

    def _margins(self, corpus: Corpus) -> NDArray[np.float64]:
        if self.membership is None:
            return np.full(len(corpus), np.inf)
        return self.membership.margins(RuleList.of(self.hierarchy), corpus, self.words.find)

    def _told_by_neighbours(
        self,
        neighbours: Neighbours,
        known: sparse.csr_matrix,
        rows: list[int],
        margins: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return what new and known neighbours add to the margins of new documents."""
        old = margins_of(1 - self.documents.outside[rows])
        links = sparse.hstack([neighbours.links, known]).tocsr()
        return neighbour_margins(links, np.concatenate([margins, old]), np.diff(links.indptr))

    def _told_by_known(self, rows: list[int], affinity: Affinity) -> Floats:
        """Return what each of some training documents adds to the scores of a neighbour.

        One product for each: BLAS rounds those of a whole matrix differently by its size, and
        the topics of a document would depend on which others are placed with it.
        """
        found = np.empty((len(rows), len(affinity.logs)), np.float32)
        for row, shares in zip(found, self.documents.every[rows], strict=True):
            np.dot(affinity.logs, shares, out=row)
        return found

    def _scores(self, corpus: Corpus) -> Floats:
        own = scores(self._counts(corpus), self.logs / self.settings.discount, self.prior)
        own += self.settings.trust * self.classes.marks(RuleList.of(self.hierarchy), corpus)
        return own

    def _known(
        self, corpus: Corpus, citations: Iterable[tuple[str, str]]
    ) -> tuple[sparse.csr_matrix, list[int]]:
        """Return the links of new documents to training documents, and the latter's numbers."""
        new = {name: n for n, name in enumerate(corpus.names)}
        old = {name: n for n, name in enumerate(self.documents.names)}
        ends: dict[tuple[int, int], None] = {}
        for a, b in citations:
            for one, other in ((a, b), (b, a)):
                if one in new and other in old and other not in new:
                    ends[new[one], old[other]] = None
        rows = sorted({other for _, other in ends})
        column = {other: n for n, other in enumerate(rows)}
        places = np.array([(n, column[o]) for n, o in ends], np.int32).reshape(-1, 2).T
        ones = np.ones(places.shape[1], np.float32)
        return sparse.csr_matrix((ones, tuple(places)), (len(corpus), len(rows))), rows


def project_counts(corpus: Corpus, words: Table) -> sparse.csr_matrix:
    """Return the counts of a corpus, with the words of another table as columns."""
    ends = [(n, k) for k, word in enumerate(words) if (n := corpus.words.find(word)) is not None]
    rows, columns = np.array(ends, np.int32).reshape(-1, 2).T
    shape = len(corpus.words), len(words)
    choice = sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape)
    found = (corpus.counts @ choice).tocsr()
    found.sort_indices()  # the order of sums, and so their rounding, is the same in every corpus
    return found


def has_evidence(corpus: Corpus, words: Table, linked: bool) -> NDArray[np.bool_]:
    """Return which documents have a known word or, if `linked`, a neighbour."""
    some = np.diff(project_counts(corpus, words).indptr) > 0
    if linked:
        links = corpus.citations + corpus.citations.T
        some |= np.diff(links.tocsr().indptr) > 0
    return np.asarray(some)
