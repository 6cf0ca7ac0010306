"""Membership: foreign documents are outside the tree, and few others."""

import numpy as np
import pytest
from bench.relevance_collection import read_documents
from bench.topics import CORA
from bench.topics_foreign import without_missing
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from lycosa.topics.classifier import Classifier
from lycosa.topics.corpus import Corpus
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.membership import (
    MIN_LABELLED_DOCUMENTS,
    STEEPNESS,
    _Texts,
    _weighted_quantiles,
    _WordEvidence,
    learn_membership,
    margins_of,
    neighbour_margins,
    probability_inside,
)
from lycosa.topics.rule_list import RuleList
from lycosa.topics.template import read_template
from recorded_sites import realdata
from topics.generated import TREE, documents

PLAIN = Classifier(calibrated=False)
RULES = RuleList.of(TREE)
TABLES = st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=2, max_size=6).map(
    lambda rows: sparse.csr_matrix(np.array(rows, np.float64))
)


@given(TABLES, st.integers(0, 9))
def test_evidence_of_a_document_is_learned_from_the_others(words, seed):
    labels = np.random.default_rng(seed).random(words.shape[0])
    learned = _WordEvidence(words, labels)
    told = learned.left_out(words, labels)
    rows = words.toarray()
    for number, row in enumerate(rows):
        rest = np.delete(np.arange(len(rows)), number)
        counts, inside = rows[rest].sum(axis=0), labels[rest] @ rows[rest]
        assert told[number] == pytest.approx(row @ learned.of(counts, inside), abs=1e-9)


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 5)), min_size=1, max_size=20),
    st.floats(0.05, 0.95),
)
def test_weighted_quantile_is_that_of_repeated_values(pairs, share):
    values, weights = np.array(pairs, np.float64).T
    (found,) = _weighted_quantiles(values, weights, (share,))
    below = weights[values < found].sum() / weights.sum()
    upto = weights[values <= found].sum() / weights.sum()
    assert below <= share + 1e-9
    assert upto >= share - 1e-9


def test_words_of_keywords_are_not_counted():
    tree = Hierarchy.parse("Learning: neural network\nFish: trout")
    corpus = Corpus.of(["a neural network learns", "network of trout", "neural tissue"])
    texts = _Texts.of(RuleList.of(tree), corpus)
    kept = [[corpus.words[k] for k in texts.words[d].indices] for d in range(3)]
    assert kept == [["a", "learn"], ["network", "of"], ["neural", "tissue"]]
    np.testing.assert_allclose(texts.density, [1 / 4, 1 / 3, 0])


@given(st.lists(st.floats(-6, 6), min_size=1, max_size=8))
def test_margins_are_recovered_from_probabilities(margins):
    inside = probability_inside(np.array(margins))
    np.testing.assert_allclose(margins_of(inside), margins, atol=0.2)
    assert ((inside > 0.5) == (np.array(margins) > 0))[np.abs(margins) > 1e-6].all()


def test_evidence_of_neighbours_is_limited_and_shared():
    links = sparse.csr_matrix(np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], np.float32))
    told = neighbour_margins(links, np.array([1.0, 50.0, -50.0]), np.diff(links.indptr))
    np.testing.assert_allclose(told, [0, 1, 1])
    inside = probability_inside(np.array([1.0, 0.0, 0.0]), links)
    assert inside[1] == pytest.approx(1 / (1 + np.exp(-STEEPNESS)), abs=1e-6)


@pytest.mark.parametrize("length", [7, 30])
@pytest.mark.parametrize("foreign", [0.03, 0.1, 0.3])
def test_foreign_documents_are_outside_and_few_others(length, foreign):
    corpus, truth = documents(1000, seed=8, length=length, foreign=foreign)
    placed = Classifier().fit(TREE, corpus).documents
    out = placed.leaves() < 0
    assert out[truth == 0].mean() > 0.8
    assert out[truth != 0].mean() < 0.05
    assert (placed.resting()[out] == 0).all()


@pytest.mark.parametrize("length", [7, 60])
@pytest.mark.parametrize("seed", [9, 10])
def test_hardly_a_document_is_outside_without_foreign_ones(length, seed):
    corpus, _ = documents(1000, seed=seed, length=length)
    placed = PLAIN.fit(TREE, corpus).documents
    assert (placed.leaves() < 0).mean() < 0.01
    assert placed.outside.mean() < 0.01


def test_new_foreign_documents_are_outside_too():
    corpus, truth = documents(1000, seed=8, foreign=0.1)
    model = PLAIN.fit(TREE, corpus)
    foreign = model.place(corpus.subset(np.flatnonzero(truth == 0)))
    assert (foreign.leaves() < 0).mean() > 0.8
    others = model.place(corpus.subset(np.flatnonzero(truth != 0)))
    assert (others.leaves() < 0).mean() < 0.05


def test_citations_bring_a_new_document_in():
    corpus, _ = documents(1000, seed=8, foreign=0.1, links=3.0)
    model = PLAIN.fit(TREE, corpus)
    new = Corpus.of(["top0x1 any3x any4x any5x any6x"], ["new"])  # a word of foreign documents
    assert model.place(new).leaves().tolist() == [-1]
    inside = np.flatnonzero(model.documents.leaves() >= 0)[:16]
    assert model.place(new, [("new", corpus.names[d]) for d in inside]).leaves()[0] >= 0


def test_citations_among_foreign_documents_do_not_bring_them_in():
    corpus, truth = documents(1000, seed=8, foreign=0.1, links=2.0)
    out = PLAIN.fit(TREE, corpus).documents.leaves() < 0
    assert out[truth == 0].mean() > 0.8
    assert out[truth != 0].mean() < 0.05


def test_all_are_inside_with_few_keywords():
    corpus, _ = documents(1000, seed=8, foreign=0.3)
    some = corpus.subset(np.arange(MIN_LABELLED_DOCUMENTS))
    found, margins = learn_membership(RULES, some)
    assert found is None
    assert (margins > 0).all()


def test_all_are_inside_if_nothing_shall_be_unplaced():
    corpus, _ = documents(300, seed=8, foreign=0.1)
    model = Classifier(unplaced=False, calibrated=False).fit(TREE, corpus)
    assert model.membership is None
    assert (model.documents.leaves() >= 0).all()


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 99), st.floats(0, 0.6), st.sampled_from([3, 12]))
def test_margins_are_finite_whatever_the_share_of_foreign_documents(seed, foreign, length):
    corpus, _ = documents(80, seed=seed, foreign=foreign, length=length)
    _, margins = learn_membership(RULES, corpus)
    assert np.isfinite(margins).all()


@realdata
@pytest.mark.skipif(not CORA.is_dir(), reason=f"the papers are not at {CORA}")
def test_titles_of_aerodynamics_are_outside_computer_science():
    papers = Corpus.read(CORA / "papers.tsv").titles
    collection = CORA.parent / "retrieval" / "cranfield" / "cran.all.1400"
    foreign = [without_missing(each.title) for each in read_documents(collection)][:1300]
    corpus = Corpus.of([*papers, *foreign], ordered=False)
    _, margins = learn_membership(RuleList.of(read_template("computer-science")), corpus)
    assert (margins[len(papers) :] < 0).mean() > 0.95
    assert (margins[: len(papers)] < 0).mean() < 0.05
    _, margins = learn_membership(
        RuleList.of(read_template("computer-science")), Corpus.of(papers, ordered=False)
    )
    assert (margins < 0).mean() < 0.01
