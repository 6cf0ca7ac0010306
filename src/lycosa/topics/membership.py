r"""Membership: whether a document belongs to the tree at all, learned from keywords alone.

Learning from positive and unlabelled documents (Liu, Dai, Li, Lee & Yu 2003; Elkan & Noto 2008).
Keywords are dense in documents of the tree and rare, by accident, in others, so the words beside
keywords are those of the tree. A word's evidence is the log-odds that a document with it is
dense in keywords; keywords themselves do not count. The score of a document is the sum of the
evidence of its words over the root of their number, each learned from the other documents. The
scores correct the labels, for `ROUNDS` rounds (self-training).

The threshold needs no label either. Documents weighted by their keywords give the centre and the
scale of the scores of the tree, by quantiles that a minority of foreign documents cannot move (an
empirical null, Efron 2004). Few documents of a tree are below `LOOSE`; if there are twice
as many, foreign documents are among them and all below are outside. Otherwise only those below
`STRICT` are.

>>> from lycosa.topics.corpus import Corpus
>>> from lycosa.topics.hierarchy import Hierarchy
>>> rules = RuleList.of(Hierarchy.parse("Birds: owl, nest\nFish: trout, fin"))
>>> birds = [f"owl at its nest, dusk{n % 60}, forest{n % 47}" for n in range(180)]
>>> taxes = [f"a tax on property{n % 9}, form{n % 7}" for n in range(20)]
>>> corpus = Corpus.of([*birds, *taxes])
>>> found, margins = learn_membership(rules, corpus)
>>> (margins < 0).tolist() == [False] * 180 + [True] * 20
True
>>> new = Corpus.of(["owl, forest3", "property3, form3"])
>>> (found.margins(rules, new, corpus.words.find) < 0).tolist()
[False, True]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.content import Table
from lycosa.learn.logistic import sigmoid
from lycosa.topics.corpus import Corpus
from lycosa.topics.naive_bayes import BATCH_DOCUMENTS, Floats
from lycosa.topics.rule_list import RuleList

LOOSE, STRICT = 3.9, 5.5
"""Thresholds below the centre, in units of the scale: with and without foreign documents."""

MIN_FOREIGN_SHARE = 0.05
"""Share of documents below the loose threshold from which on there are foreign documents.

Twice what is below it in corpora without any."""

ROUNDS = 3
"""Rounds of self-training."""

MIN_LABELLED_DOCUMENTS = 30
"""With fewer documents that hold a keyword the scale is not known, and all are inside."""

MIN_WORDS = 100
"""With fewer words the scores have too few values for a scale, and all documents are inside."""

MIN_SCALE = 0.2
"""Least scale of the scores, for documents that are all alike."""

STEEPNESS = 2.0
"""Log-odds of being inside for each unit of margin."""

MAX_NEIGHBOUR_MARGIN = 3.0
"""Limit on the evidence of one neighbour."""

MAX_SCALE_RATIO = 1.75
"""The scale below the centre is at most so many times that above it.

It is about 1.5 times in corpora without foreign documents, which are all below."""

PRIOR_DOCUMENTS = 1.0
"""Pseudo-count of the documents with a word, at the rate of words that are as frequent."""

MAX_SHARE = 0.95
"""Limit on the share of a word's documents that are examples: none proves that a text belongs."""

FREQUENCY_BANDS = 7
"""Bands of word frequency, each twice the one before; rare words are more often foreign."""

NORMAL_20, NORMAL_90 = 0.8416, 1.2816
"""Distances of the quantiles 0.2 and 0.9 of a normal distribution from its centre."""


class Membership(NamedTuple):
    """What decides whether a document belongs to the tree.

    * `evidence`: log-odds of each word of the vocabulary; `novel`: of any other word;
    * `centre`, `scale`: of the scores of documents in the tree;
    * `threshold`: `LOOSE` or `STRICT`;
    * `density`: keywords a word from which on a document is a full example;
    * `typical`: how much of a full example a document of the tree is.
    """

    evidence: Floats
    novel: float
    centre: float
    scale: float
    threshold: float
    density: float
    typical: float

    def margins(
        self, rules: RuleList, corpus: Corpus, number: Callable[[str], int | None]
    ) -> NDArray[np.float64]:
        """Return the margins of new documents; those below 0 are outside the tree.

        `number` gives the place of a word in `evidence`, or None.
        """
        texts = _Texts.of(rules, corpus)
        places = [number(word) for word in corpus.words]
        found = [self.novel if place is None else self.evidence[place] for place in places]
        return self._margins(texts, texts.words @ np.array(found, np.float64))

    def for_words(self, words: Table, number: Callable[[str], int | None]) -> Membership:
        """Return this for a vocabulary; `number` gives the present place of its words."""
        places = [number(word) for word in words]
        found = [self.novel if place is None else self.evidence[place] for place in places]
        return self._replace(evidence=np.array(found, np.float32))

    def _margins(self, texts: _Texts, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        own = np.minimum(texts.density / self.density, 1) - self.typical
        score = sums / np.sqrt(texts.lengths)
        return np.asarray((score - self.centre) / self.scale + own + self.threshold)


def learn_membership(
    rules: RuleList, corpus: Corpus
) -> tuple[Membership | None, NDArray[np.float64]]:
    """Learn from a corpus; return the membership and the margins of its documents.

    The evidence is that of the words of the corpus. Without enough keywords or words there
    is no membership, and all documents are inside.
    """
    texts = _Texts.of(rules, corpus)
    labelled = np.count_nonzero(texts.density)
    if labelled < MIN_LABELLED_DOCUMENTS or len(corpus.words) < MIN_WORDS:
        return None, np.full(len(corpus), STRICT)
    found, margins = _train(texts, LOOSE)
    if (margins < 0).mean() < MIN_FOREIGN_SHARE:
        found, margins = _train(texts, STRICT)
    return found, margins


def probability_inside(
    margins: NDArray[np.float64], links: sparse.csr_matrix | None = None
) -> Floats:
    """Return the probability of documents to be in the tree.

    `links` joins citing and cited documents, in rows and columns. As for topics, the evidence of
    n neighbours is divided by the root of n.

    >>> joined = sparse.csr_matrix(np.array([[0, 1], [1, 0]]))
    >>> probability_inside(np.array([-1.0, 4.0]), joined) > 0.9
    array([ True,  True])
    """
    if links is not None:
        margins = margins + neighbour_margins(links, margins, np.diff(links.indptr))
    return np.asarray(sigmoid(STEEPNESS * margins), np.float32)


def margins_of(inside: Floats) -> NDArray[np.float64]:
    """Return the margins of documents that are in the tree with these probabilities.

    >>> margins_of(probability_inside(np.array([-1.0, 2.0]))).round(2).tolist()
    [-1.0, 2.0]
    """
    kept = np.clip(inside.astype(np.float64), 1e-6, 1 - 1e-6)
    return np.asarray(np.log(kept / (1 - kept)) / STEEPNESS)


def neighbour_margins(
    links: sparse.csr_matrix, margins: NDArray[np.float64], degrees: NDArray[Any]
) -> NDArray[np.float64]:
    """Return what neighbours add to margins; `degrees` counts all neighbours of a document."""
    told = links @ np.clip(margins, -MAX_NEIGHBOUR_MARGIN, MAX_NEIGHBOUR_MARGIN)
    return np.asarray(told / np.sqrt(np.maximum(degrees, 1)))


class _Texts(NamedTuple):
    """Words of documents without those of their keywords, and keywords for each word.

    `lengths` counts the different words, and is 1 for a document without any.
    """

    words: sparse.csr_matrix
    lengths: NDArray[np.int64]
    density: NDArray[np.float64]

    @classmethod
    def of(cls, rules: RuleList, corpus: Corpus) -> _Texts:
        matches = rules.matches(corpus)
        every = corpus.counts.astype(bool)
        keywords = (matches @ rules.words(corpus)).astype(bool)
        words = (every > keywords).astype(np.float64).tocsr()
        words.eliminate_zeros()
        density = np.diff(matches.indptr) / np.maximum(np.diff(every.indptr), 1)
        return cls(words, np.maximum(np.diff(words.indptr), 1), density)


def _train(texts: _Texts, threshold: float) -> tuple[Membership, NDArray[np.float64]]:
    # A tenth of the documents are full examples; others are in part, by their keywords.
    density = float(np.quantile(texts.density, 0.9)) or float(texts.density.max())
    dense = np.minimum(texts.density / density, 1)
    (typical,) = _weighted_quantiles(dense, dense, (0.5,))
    labels = weights = dense
    for _ in range(ROUNDS):
        words = _WordEvidence(texts.words, labels)
        sums = words.left_out(texts.words, labels)
        low, centre, high = _weighted_quantiles(
            sums / np.sqrt(texts.lengths), weights, (0.2, 0.5, 0.9)
        )
        above = (high - centre) / NORMAL_90
        scale = min((centre - low) / NORMAL_20, MAX_SCALE_RATIO * above)
        found = Membership(
            evidence=words.every(),
            novel=float(words.of(np.zeros(1), np.zeros(1))[0]),
            centre=centre,
            scale=max(scale, MIN_SCALE),
            threshold=threshold,
            density=density,
            typical=typical,
        )
        margins = found._margins(texts, sums)
        inside = sigmoid(STEEPNESS * margins)
        labels = (dense + inside) / 2
        weights = dense * inside
    return found, margins


class _WordEvidence:
    """Log-odds of words for probabilistic labels of the documents that contain them."""

    def __init__(self, words: sparse.csr_matrix, labels: NDArray[np.float64]) -> None:
        self.documents = np.bincount(words.indices, minlength=words.shape[1]).astype(np.float64)
        self.positive = np.asarray(words.T @ labels)
        mean = float(np.clip(labels.mean(), 1e-3, 1 - 1e-3))
        self.base = np.log(mean / (1 - mean))
        bands = self._bands(np.maximum(self.documents - 1, 0))
        total = np.bincount(bands, self.documents, FREQUENCY_BANDS)
        inside = np.bincount(bands, self.positive, FREQUENCY_BANDS)
        self.rates = np.clip((inside + 5 * mean) / (total + 5), 0.02, 0.98)

    @staticmethod
    def _bands(documents: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.minimum(np.log2(documents + 1), FREQUENCY_BANDS - 1).astype(np.int64)

    def of(
        self, documents: NDArray[np.float64], positive: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the evidence of words in so many documents, so many of them in the tree."""
        prior = PRIOR_DOCUMENTS * self.rates[self._bands(documents)]
        share = (np.maximum(positive, 0) + prior) / (documents + PRIOR_DOCUMENTS)
        share = np.minimum(share, MAX_SHARE)
        return np.asarray(np.log(share / (1 - share)) - self.base)

    def every(self) -> Floats:
        """Return the evidence of each word, for new documents."""
        return self.of(self.documents, self.positive).astype(np.float32)

    def left_out(
        self, words: sparse.csr_matrix, labels: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the summed evidence of each document, learned from the other documents."""
        found = np.empty(words.shape[0])
        for begin in range(0, len(found), BATCH_DOCUMENTS):
            batch = words[begin : begin + BATCH_DOCUMENTS]
            rows = np.repeat(np.arange(batch.shape[0]), np.diff(batch.indptr))
            one = self.of(
                self.documents[batch.indices] - 1,
                self.positive[batch.indices] - labels[begin + rows],
            )
            found[begin : begin + BATCH_DOCUMENTS] = np.bincount(rows, one, batch.shape[0])
        return found


def _weighted_quantiles(
    values: NDArray[np.float64], weights: NDArray[np.float64], shares: Sequence[float]
) -> list[float]:
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    places = np.searchsorted(sums, np.array(shares) * sums[-1])
    return [float(value) for value in values[order][np.minimum(places, len(values) - 1)]]
