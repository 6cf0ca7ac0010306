"""Word vectors from co-occurrence, and document vectors as weighted sums of them.

Two words are near each other if they occur in documents with the same other words. The vectors
come from the matrix of positive pointwise mutual information (Church & Hanks 1990; Levy &
Goldberg 2014), reduced to its leading eigenvectors by subspace iteration (Halko, Martinsson &
Tropp 2011). Short texts need this: two titles on one subject often have no word in common.

Words such as "with" and "approach" co-occur with anything. The weight of a word is the divergence
of its companions from the average, less the divergence that chance alone gives so few
occurrences. So no list of stop words is needed.

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
"""Dimensions of the vectors."""

MAX_WORDS = 5_000
"""Words with a vector, the most frequent ones, which bounds the time of the reduction."""

MIN_DOCUMENTS = 3
"""Documents that must contain a word with a vector."""

SUBSPACE_ITERATIONS = 6
PRIOR_COMPANIONS = 20.0
"""Pseudo-count of average companions, which lowers the weight of rare words."""

MIN_RELATIVE_WEIGHT = 0.5
"""Least weight of an informative word, relative to the mean."""

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors of a corpus.

    `weights` has the weight of each word of the corpus, 0 for words too rare for a vector. `kept`
    are the words with a vector, `information[a, b]` is the positive mutual information of the
    a-th and the b-th of them, and `size` the dimension of the vectors.
    """

    corpus: Corpus
    weights: Array
    kept: NDArray[np.int64]
    information: sparse.csr_matrix
    size: int = DIMENSIONS

    @classmethod
    def of(cls, corpus: Corpus, size: int = DIMENSIONS) -> WordVectors:
        """Count co-occurrences and return the vectors."""
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
        """Informative words of the corpus: those with at least half of the mean weight."""
        weighed = self.weights[self.corpus.tokens]
        mean = weighed.sum() / max(np.count_nonzero(weighed), 1)
        return np.asarray(self.weights > MIN_RELATIVE_WEIGHT * mean)

    @cached_property
    def documents(self) -> NDArray[np.float32]:
        """Unit vector of each document, zeros if none of its words has a weight.

        Smoothing moves documents that cite each other towards each other.
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
    """Return a matrix of documents by words: 1 where the document contains the word."""
    found = corpus.counts.copy()
    found.data[:] = 1
    return found


def _information(company: sparse.csr_matrix) -> tuple[sparse.csr_matrix, Array]:
    """Return the positive mutual information of pairs, and the divergence of each word."""
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
    """Return the divergence of words whose companions are drawn at random.

    It is a sum over companions of E[n log(n / m)] for a Poisson number n with mean m, which is
    tabulated once; companions of similar frequency are summed together.
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
    """Return the leading eigenvectors, each times the square root of its eigenvalue."""
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
    """Return an orthonormal basis of the columns; several times faster than by QR."""
    values, turned = np.linalg.eigh(columns.T @ columns)
    kept = values > 1e-10 * values[-1]
    return np.asarray(columns @ (turned[:, kept] / np.sqrt(values[kept])))


def _smooth_by_citations(documents: Array, citations: sparse.csr_matrix) -> Array:
    """Move documents towards the mean of their citation neighbours, twice."""
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
