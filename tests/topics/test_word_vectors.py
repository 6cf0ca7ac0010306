"""Word vectors from co-occurrence."""

import numpy as np
from scipy.stats import poisson

from lycosa.topics.corpus import Corpus
from lycosa.topics.word_vectors import WordVectors, _expected_divergence, _leading_eigenvectors
from subject_documents import COMMON, documents, subject_words


def test_words_of_a_subject_weigh_more_than_general_words():
    corpus, _ = documents(4)
    vectors = WordVectors.of(corpus)
    weight = {word: vectors.weights[corpus.words.find(word)] for word in corpus.words}
    own = [weight[word] for subject in range(4) for word in subject_words(subject)]
    assert min(own) > max(weight[word] for word in COMMON)
    telling = {corpus.words[n] for n in np.flatnonzero(vectors.telling).tolist()}
    assert telling.isdisjoint(COMMON)


def test_documents_of_a_subject_are_near_each_other():
    corpus, truth = documents(4)
    rows = WordVectors.of(corpus).documents
    near = rows @ rows.T
    same = truth[:, None] == truth
    assert near[same].mean() > 0.8
    assert near[~same].mean() < 0.3


def test_expected_divergence_is_exact():
    shares = np.array([0.5, 0.3, 0.2])
    sums = np.array([4.0, 40.0])
    n = np.arange(1, 400)
    wanted = [
        sum((poisson.pmf(n, total * s) * n * np.log(n / (total * s))).sum() for s in shares)
        for total in sums
    ]
    assert np.allclose(_expected_divergence(sums, shares), wanted, rtol=0.02)


def test_the_leading_eigenvectors_are_those_of_the_whole_matrix():
    from scipy import sparse

    chance = np.random.default_rng(0)
    parts = chance.standard_normal((40, 4)) * [9, 7, 5, 4]
    matrix = parts @ parts.T
    found = _leading_eigenvectors(sparse.csr_matrix(matrix), 4)
    assert np.allclose(found @ found.T, matrix, atol=1e-6)


def test_rare_words_and_empty_documents_have_no_vector():
    corpus = Corpus.of(["once", "", "owl night", "owl night", "owl night rain"])
    vectors = WordVectors.of(corpus)
    assert vectors.weights[corpus.words.find("once")] == 0
    assert not vectors.documents[:2].any()
