"""Shrinkage: properties of the weights, and the shortcut against leave-one-out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from lycosa.topics.naive_bayes import word_sums
from lycosa.topics.shrinkage import MIN_UNIFORM_WEIGHT, Shrinkage
from topics.generated import TREE, documents

PARENTS = [-1, 0, 1, 1, 0, 4, 4]  # two topics with two leaves each
SUMS = st.lists(st.lists(st.integers(0, 9), min_size=5, max_size=5), min_size=4, max_size=4).map(
    lambda rows: np.array(rows, np.float64)
)


def estimate(counts, shares, tree=PARENTS):
    """Shrinkage from documents: rows of counts, rows of shares."""
    sums = np.asarray(word_sums(counts, shares))
    squares = np.asarray(word_sums(counts.power(2), shares * shares))
    lengths = np.asarray(counts.sum(axis=1)).ravel() ** 2 @ (shares * shares)
    return Shrinkage(tree).estimate(sums, squares, lengths)


@given(SUMS)
def test_words_of_every_leaf_are_a_distribution(sums):
    mixed = Shrinkage(PARENTS).estimate(sums, sums, np.full(4, 2.0))
    assert np.exp(mixed.logs.astype(np.float64)).sum(axis=1) == pytest.approx(1, abs=1e-4)
    for weights in mixed.weights:
        assert weights.sum() == pytest.approx(1)
        assert (weights >= 0).all()
        assert weights[-1] > 0


@given(SUMS)
def test_known_weights_give_the_same_words_again(sums):
    shrinkage = Shrinkage(PARENTS)
    mixed = shrinkage.estimate(sums, sums, np.full(4, 2.0))
    np.testing.assert_allclose(shrinkage.mixed(sums, mixed.weights), mixed.logs, atol=1e-5)


@settings(deadline=None)
@given(SUMS)
def test_more_steps_never_make_left_out_words_less_likely(sums):
    shrinkage = Shrinkage(PARENTS)
    last = shrinkage.estimate(sums, sums, np.full(4, 2.0))
    for _ in range(4):
        after = shrinkage.estimate(sums, sums, np.full(4, 2.0), last.weights)
        # It begins again with 1 % of all levels, and the uniform one has a floor.
        assert (after.likelihood >= last.likelihood - 0.012 * sums.sum(axis=1) - 1e-6).all()
        last = after
    assert (last.likelihood[sums.sum(axis=1) > 0] < 0).all()


def test_small_leaf_relies_on_its_ancestors():
    corpus, truth = documents(1500, sizes=(0.01, 0.495, 0.165, 0.165, 0.165), seed=1)
    shares = (truth[:, None] == TREE.leaves).astype(np.float32)
    weights = estimate(corpus.counts, shares, TREE.parents).weights
    few, many = weights[0], weights[1]
    assert few[0] < many[0] - 0.1
    assert few[1:].sum() > many[1:].sum() + 0.1


def test_with_more_documents_every_leaf_relies_on_itself_more():
    own = []
    for count in (60, 300, 3000):
        corpus, truth = documents(count, seed=2)
        shares = (truth[:, None] == TREE.leaves).astype(np.float32)
        own.append(np.mean([w[0] for w in estimate(corpus.counts, shares, TREE.parents).weights]))
    assert own[0] < own[1] < own[2]


def test_leaf_gets_all_weight_without_leaving_documents_out():
    corpus, truth = documents(60, seed=2)
    shares = (truth[:, None] == TREE.leaves).astype(np.float32)
    sums = word_sums(corpus.counts, shares)
    greedy = Shrinkage(TREE.parents).estimate(sums, np.zeros_like(sums), np.zeros(5))
    fair = estimate(corpus.counts, shares, TREE.parents)
    assert min(w[0] for w in greedy.weights) > 0.9
    assert max(w[0] for w in fair.weights) < 0.7


def test_shortcut_equals_leave_one_out_for_equal_contributions():
    # Two documents of one leaf, one word each twice: what is left is what the other has.
    counts = sparse.csr_matrix(np.array([[2, 2, 0], [2, 0, 2]], np.float32))
    shares = np.ones((2, 1), np.float32)
    sums = word_sums(counts, shares)
    squares = word_sums(counts.power(2), shares)
    total = float(sums.sum())
    lengths = float((np.array([4, 4]) ** 2).sum())
    rest = total - lengths / total
    left = np.maximum(sums - squares / sums, 0)[0] / rest
    brute = np.zeros(3)
    for held in range(2):
        other = counts[[1 - held]].toarray()[0] / 4
        mine = counts[[held]].toarray()[0]
        brute += mine * other
    brute /= np.asarray(sums)[0]
    np.testing.assert_allclose(left, brute)


def test_empty_leaf_uses_its_ancestors():
    sums = np.array([[0, 0, 0], [3, 1, 0], [0, 0, 4], [0, 0, 1]], np.float64)
    mixed = Shrinkage(PARENTS).estimate(sums, sums, np.full(4, 2.0))
    assert mixed.weights[0][0] == 0
    assert mixed.logs[0].argmax() == 0
    assert np.isfinite(mixed.logs).all()
    assert mixed.weights[1][-1] >= MIN_UNIFORM_WEIGHT / 2
