"""EM: properties of the theory, and equality with a slow version on tiny cases."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from lycosa.topics.expectation_maximisation import learn
from lycosa.topics.naive_bayes import SMOOTHING, lidstone, normalise, prior, scores
from lycosa.topics.neighbours import Neighbours
from lycosa.topics.shrinkage import Shrinkage
from topics.generated import TREE, documents

COUNTS = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=8).map(
    lambda rows: np.array(rows, np.float32)
)


def start(count, classes=2, seed=0):
    shares = np.zeros((count, classes), np.float32)
    known = np.random.default_rng(seed).integers(0, classes, count // 2 + 1)
    shares[np.arange(len(known)), known] = 1
    return shares


def penalised(learned, counts):
    """Return the posterior that this EM increases: the smoothing is a prior."""
    found = learned.history[-1].likelihood * max(counts.sum(), 1)
    return found + SMOOTHING * learned.logs.sum() + np.log(learned.prior).sum()


@settings(deadline=None)
@given(COUNTS, st.integers(0, 3))
def test_the_likelihood_never_falls_without_shrinkage(counts, seed):
    matrix = sparse.csr_matrix(counts)
    likelihood = [
        penalised(learn(matrix, start(len(counts), seed=seed), rounds=n, still=-1.0), counts)
        for n in range(1, 6)
    ]
    # The first estimate knows only some of the documents; from then on it is EM of all.
    assert all(b >= a - 1e-3 for a, b in pairwise(likelihood))


@settings(deadline=None)
@given(COUNTS, st.sampled_from([1.0, 2.0]))
def test_one_round_equals_bayes_rule(counts, discount):
    begin = start(len(counts))
    learned = learn(sparse.csr_matrix(counts), begin, rounds=0, discount=discount)
    sums = begin.T @ counts
    words = (sums + SMOOTHING) / (sums + SMOOTHING).sum(axis=1, keepdims=True)
    classes = (begin.sum(axis=0) + 1) / (begin.sum() + 2)
    slow = np.array(
        [[classes[c] * np.prod(words[c] ** (d / discount)) for c in range(2)] for d in counts]
    )
    expected = slow / slow.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(learned.shares, expected, atol=1e-4)


@settings(deadline=None)
@given(COUNTS, st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_documents_does_not_matter(counts, chance, linked):
    begin = start(len(counts))
    order = list(range(len(counts)))
    chance.shuffle(order)
    links = sparse.csr_matrix(np.triu(np.ones((len(counts), len(counts))), 1) * (counts.sum() % 2))

    def run(rows):
        graph = links[rows][:, rows]
        neighbours = Neighbours(graph, np.eye(2)) if linked else None
        tree = Shrinkage([-1, 0, 0])
        matrix = sparse.csr_matrix(counts[rows])
        return learn(matrix, begin[rows], rounds=2, shrinkage=tree, neighbours=neighbours, still=-1)

    one, other = run(list(range(len(counts)))), run(order)
    np.testing.assert_allclose(one.shares[order], other.shares, atol=2e-3)
    assert one.shares.sum(axis=1) == pytest.approx(1, abs=1e-4)


def test_shares_sum_to_one_in_batches(monkeypatch):
    some = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)
    whole, parts = some.copy(), some.copy()
    first = normalise(whole)
    monkeypatch.setattr("lycosa.topics.naive_bayes.BATCH_DOCUMENTS", 7)
    second = normalise(parts)
    np.testing.assert_allclose(whole, parts)
    np.testing.assert_allclose(first, second)
    np.testing.assert_allclose(first, np.log(np.exp(some).sum(axis=1)), rtol=1e-5)


def test_naive_bayes_scores_are_sums_of_logarithms():
    counts = sparse.csr_matrix(np.array([[1, 2], [0, 0]], np.float32))
    logs = lidstone(np.array([[3.0, 1.0], [0.0, 4.0]]), 1.0)
    share = prior(np.array([[1, 0], [1, 0]], np.float32))
    found = scores(counts, logs, share)
    expected = np.log(3 / 4) + np.log(4 / 6) + 2 * np.log(2 / 6)
    assert found[0, 0] == pytest.approx(expected)
    assert found[1].tolist() == pytest.approx(np.log(share).tolist())


def test_rounds_end_when_no_document_moves():
    corpus, truth = documents(200, seed=3)
    shares = (truth[:, None] == TREE.leaves).astype(np.float32)
    learned = learn(corpus.counts, shares, rounds=50, shrinkage=Shrinkage(TREE.parents))
    assert len(learned.history) < 20
    assert learned.history[-1].moved < 0.001


def test_evidence_changes_the_shares():
    counts = sparse.csr_matrix(np.array([[1, 0], [0, 1], [1, 1]], np.float32))
    begin = np.array([[1, 0], [0, 1], [0, 0]], np.float32)
    for side in range(2):
        evidence = np.zeros((3, 2), np.float32)
        evidence[2, side] = 5
        assert learn(counts, begin, rounds=2, evidence=evidence).shares[2].argmax() == side
