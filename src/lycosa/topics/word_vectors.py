"""Words as vectors of the company they keep, and documents as sums of their words.

Two words are near each other if they stand in documents with the same other
words. The vectors are those of the matrix of positive pointwise mutual
information (Church & Hanks 1990; Levy & Goldberg 2014), cut to its leading
eigenvectors by subspace iteration (Halko, Martinsson & Tropp 2011). Short texts
need this: two titles on one subject often have no word in common.

Words such as "with" and "approach" stand beside anything. A word is weighed by
how much its company differs from the company words have on average, less what
chance alone would make of so few occurrences; no list of stop words is needed.

>>> from lycosa.topics.corpus import Corpus
>>> texts = ["the cat purrs", "the cat and kitten", "the kitten purrs", "the sun of noon",
...          "the noon and heat", "the heat of sun"] * 5
>>> vectors = WordVectors.of(Corpus.of(texts), size=2)
>>> words = list(vectors.corpus.words)
>>> near = vectors.documents @ vectors.documents[0]
>>> [bool(n > 0.9) for n in near[:6]]
[True, True, True, False, False, False]
>>> words[int(vectors.weights.argmin())]
'the'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import gammaln

from lycosa.topics.corpus import Corpus

DIMENSIONS = 100
"""How many numbers a vector has."""

MAX_WORDS = 5_000
"""The words that get a vector are the most frequent ones; a matrix of so many is quickly cut."""

MIN_DOCUMENTS = 3
"""A word in fewer documents is in no company yet."""

SUBSPACE_ITERATIONS = 6
PRIOR_COMPANIONS = 20.0
"""So many companions speak for a word being like any other, as many as must be outvoted."""

MIN_RELATIVE_WEIGHT = 0.5
"""A word that weighs less than this share of the mean is not worth naming."""

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WordVectors:
    """The vectors of a corpus.

    `weights` has a number for each word of the corpus: how telling it is, 0 for
    words that are too rare to have a vector. `kept` are the others, and
    `information[a, b]` says how much the a-th of them says about the b-th.
    """

    corpus: Corpus
    weights: Array
    kept: NDArray[np.int64]
    information: sparse.csr_matrix
    size: int = DIMENSIONS

    @classmethod
    def of(cls, corpus: Corpus, size: int = DIMENSIONS) -> WordVectors:
        """Count who stands beside whom."""
        present = presence(corpus)
        spread = np.bincount(present.indices, minlength=present.shape[1])
        kept: NDArray[np.int64] = np.flatnonzero(spread >= MIN_DOCUMENTS)
        kept = np.sort(kept[np.argsort(-spread[kept], kind="stable")[:MAX_WORDS]])
        weights = np.zeros(present.shape[1])
        if not len(kept):
            return cls(corpus, weights, kept, sparse.csr_matrix((0, 0)), size)
        chosen = present[:, kept].tocsr()
        company = (chosen.T @ chosen).tocsr()
        company.setdiag(0)
        company.eliminate_zeros()
        information, telling = _information(company)
        weights[kept] = np.log(len(corpus) / spread[kept]) * telling
        return cls(corpus, weights, kept, information, size)

    @cached_property
    def telling(self) -> NDArray[np.bool_]:
        """Which words of the corpus say what a text is about: half of the mean weight at least."""
        weighed = self.weights[self.corpus.tokens]
        mean = weighed.sum() / max(np.count_nonzero(weighed), 1)
        return np.asarray(self.weights > MIN_RELATIVE_WEIGHT * mean)

    @cached_property
    def documents(self) -> NDArray[np.float32]:
        """A row for each document, of length 1, or of zeros if none of its words is telling.

        Documents that cite each other are drawn together.
        """
        if not len(self.kept):
            return np.zeros((len(self.corpus), 1), np.float32)
        vectors = _normalise_rows(
            _leading_eigenvectors(self.information, min(self.size, len(self.kept)))
        )
        chosen = presence(self.corpus)[:, self.kept]
        rows = _normalise_rows(chosen @ (vectors * self.weights[self.kept][:, None]))
        return _smooth_by_citations(rows, self.corpus.citations).astype(np.float32)


def presence(corpus: Corpus) -> sparse.csr_matrix:
    """1 where a document, a row, has a word, a column."""
    found = corpus.counts.copy()
    found.data[:] = 1
    return found


def _information(company: sparse.csr_matrix) -> tuple[sparse.csr_matrix, Array]:
    """Positive mutual information of pairs, and for each word how telling its company is."""
    sums = np.asarray(company.sum(axis=1), np.float64).ravel()
    shares = np.maximum(sums, 1e-9) / max(sums.sum(), 1e-9)
    pairs = company.tocoo()
    lift = np.log(pairs.data / (sums[pairs.row] * shares[pairs.col]))
    divergence = np.bincount(pairs.row, pairs.data * lift, minlength=len(sums))
    telling = np.maximum(divergence - _expected_divergence(sums, shares), 0) / (
        sums + PRIOR_COMPANIONS
    )
    positive = sparse.csr_matrix((np.maximum(lift, 0), (pairs.row, pairs.col)), company.shape)
    return positive, telling


def _expected_divergence(sums: Array, shares: Array) -> Array:
    """The divergence that words would show whose companions are drawn at random.

    That is a sum over companions of E[n log(n / m)] for a Poisson number n with
    mean m, which is tabulated once; companions of like frequency are taken together.
    """
    means = np.geomspace(1e-7, 100, 200)
    n = np.arange(1, 300)[:, None]
    poisson = np.exp(n * np.log(means) - means - gammaln(n + 1))
    table = (poisson * n * np.log(n / means)).sum(axis=0)
    sizes, edges = np.histogram(np.log(shares), 200)
    middles = (edges[:-1] + edges[1:]) / 2
    # Above the table the value no longer changes: it is one half.
    logs = np.log(np.maximum(sums, 1e-9))[:, None] + middles
    return np.asarray(np.interp(logs, np.log(means), table) @ sizes)


def _leading_eigenvectors(matrix: sparse.csr_matrix, size: int) -> Array:
    """The leading eigenvectors of a symmetric matrix, each times the root of its eigenvalue."""
    if not matrix.data.any():
        return np.zeros((matrix.shape[0], 1))
    wide = min(size + 20, matrix.shape[0])
    basis = np.random.default_rng(0).standard_normal((matrix.shape[0], wide))
    for _ in range(SUBSPACE_ITERATIONS):
        basis = _orthogonal(matrix @ basis)
    values, turned = np.linalg.eigh(basis.T @ (matrix @ basis))
    first = np.argsort(-values, kind="stable")[:size]
    return np.asarray((basis @ turned[:, first]) * np.sqrt(np.maximum(values[first], 0)))


def _orthogonal(columns: Array) -> Array:
    """Columns of length 1 at right angles that span the same; several times faster than by QR."""
    values, turned = np.linalg.eigh(columns.T @ columns)
    kept = values > 1e-10 * values[-1]
    return np.asarray(columns @ (turned[:, kept] / np.sqrt(values[kept])))


def _smooth_by_citations(documents: Array, citations: sparse.csr_matrix) -> Array:
    """Documents moved towards the mean of those that they cite or that cite them, twice."""
    if not citations.nnz:
        return documents
    links = (citations + citations.T).tocsr()
    links.data[:] = 1
    shares = sparse.diags(1 / np.maximum(np.asarray(links.sum(axis=1)).ravel(), 1)) @ links
    for _ in range(2):
        documents = _normalise_rows(documents + shares @ documents)
    return documents


def _normalise_rows(rows: Array) -> Array:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9))
