"""Background class: foreign documents are assigned to it, others are not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from lycosa.topics.background import CORPUS_WORDS, OUTSIDE_PRIOR, Background, probability_inside
from lycosa.topics.classifier import Classifier
from lycosa.topics.naive_bayes import SMOOTHING
from topics.generated import TREE, documents

COUNTS = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=6).map(
    lambda rows: sparse.csr_matrix(np.array(rows, np.float32))
)
PLAIN = Classifier(calibrated=False)


@given(COUNTS, st.floats(0, 1))
def test_background_words_are_a_distribution(counts, share):
    background = Background.of(counts, np.full(counts.shape[0], share))
    assert np.exp(background.logs.astype(np.float64)).sum() == pytest.approx(1, abs=1e-5)


@given(COUNTS, st.integers(0, 9))
def test_likelihood_leaves_the_document_out(counts, seed):
    shares = np.random.default_rng(seed).random(counts.shape[0])
    told = Background.of(counts, shares).others(counts)
    rows = counts.toarray().astype(np.float64)
    base = (rows + SMOOTHING / len(rows)).sum()
    for number, row in enumerate(rows):
        rest = np.delete(np.arange(len(rows)), number)
        sums = shares[rest] @ rows[rest]
        words = sums + CORPUS_WORDS * (rows[rest].sum(axis=0) + SMOOTHING) / base
        slow = row @ np.log(words / (sums.sum() + CORPUS_WORDS))
        assert told[number] == pytest.approx(slow, abs=1e-4)


@given(st.floats(-40, 0), st.floats(-40, 0), st.sampled_from([1.0, 2.0]))
def test_probability_inside_follows_bayes_rule(there, outside, discount):
    found = probability_inside(np.array([there]), np.array([outside]), discount)
    near, far = (1 - OUTSIDE_PRIOR) * np.exp(there), OUTSIDE_PRIOR * np.exp(outside / discount)
    assert found[0] == pytest.approx(near / (near + far), abs=1e-4)


@pytest.mark.parametrize("length", [7, 30])
@pytest.mark.parametrize("foreign", [0.03, 0.3])
def test_foreign_documents_are_placed_outside_and_no_others(length, foreign):
    corpus, truth = documents(1000, seed=8, length=length, foreign=foreign)
    placed = Classifier().fit(TREE, corpus).documents
    out = placed.leaves() < 0
    assert out[truth == 0].mean() > 0.85
    assert (truth[out] == 0).mean() > 0.98
    assert (placed.resting()[out] == 0).all()


@pytest.mark.parametrize("length", [7, 60])
def test_no_document_is_outside_without_foreign_ones(length):
    corpus, _ = documents(1000, seed=9, length=length)
    placed = PLAIN.fit(TREE, corpus).documents
    assert (placed.leaves() >= 0).all()
    assert placed.outside.mean() < 0.01


def test_new_foreign_document_is_placed_outside():
    corpus, truth = documents(1000, seed=8, foreign=0.1)
    model = PLAIN.fit(TREE, corpus)
    again = model.place(corpus.subset(np.flatnonzero(truth == 0)))
    assert (again.leaves() < 0).mean() > 0.9
    assert (again.outside > 0.5).mean() > 0.9


def test_no_background_class_without_shrinkage():
    corpus, _ = documents(300, seed=8, foreign=0.1)
    model = Classifier(shrinkage=False, calibrated=False).fit(TREE, corpus)
    assert model.background is None
    assert (model.documents.leaves() >= 0).all()
