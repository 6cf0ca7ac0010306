"""Citation evidence: the matrix of topics, and documents without words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from lycosa.topics.neighbours import Neighbours

PRIOR = np.array([0.5, 0.3, 0.2])
KIN = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]], bool)


def graph(pairs, size):
    rows, columns = np.array(pairs, np.int32).reshape(-1, 2).T
    return sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), (size, size))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=20), st.integers(0, 99))
def test_every_row_of_the_matrix_is_a_distribution(pairs, seed):
    shares = np.random.default_rng(seed).dirichlet(np.ones(3), 6).astype(np.float32)
    affinity = Neighbours(graph(pairs, 6), KIN).affinity(shares, PRIOR)
    rows = np.exp(affinity.logs.astype(np.float64)) * PRIOR
    assert rows.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert affinity.weights.sum() == pytest.approx(1)


def test_the_direction_of_a_citation_does_not_matter():
    shares = np.eye(3, dtype=np.float32)[[0, 1, 2, 0]]
    there = Neighbours(graph([(0, 3), (1, 2)], 4), KIN).affinity(shares, PRIOR)
    back = Neighbours(graph([(3, 0), (2, 1)], 4), KIN).affinity(shares, PRIOR)
    np.testing.assert_allclose(there.logs, back.logs)


def test_citations_within_topics_give_weight_to_the_same_topic():
    chance = np.random.default_rng(0)
    topics = chance.choice(3, 300, p=PRIOR)
    shares = np.eye(3, dtype=np.float32)[topics]
    like = [(n, int(chance.choice(np.flatnonzero(topics == topics[n])))) for n in range(300)]
    any_ = [(n, int(chance.integers(300))) for n in range(300)]
    own = Neighbours(graph(like, 300), KIN).affinity(shares, PRIOR).weights
    none = Neighbours(graph(any_, 300), KIN).affinity(shares, PRIOR).weights
    assert own[0] > 0.9
    assert none[0] < 0.2


def test_paper_without_words_gets_the_topic_of_its_neighbours():
    shares = np.array([[1, 0, 0], [1, 0, 0], [0, 0, 1], [1 / 3, 1 / 3, 1 / 3]], np.float32)
    neighbours = Neighbours(graph([(3, 0), (1, 3), (0, 1)], 4), KIN, 3.0)
    affinity = neighbours.affinity(shares, PRIOR)
    own = np.log(np.maximum(shares, 1e-6)).astype(np.float32)
    settled = neighbours.settle(own, shares, affinity, 5)
    assert settled[3].argmax() == 0
    assert settled[2].argmax() == 2


def test_neighbours_count_by_the_root_of_their_number():
    star = graph([(0, n) for n in range(1, 10)], 10)
    voices = Neighbours(star, KIN, 3.0).link_weights
    assert voices[:2, 0].tolist() == [1.0, 3.0]
    assert Neighbours(star, KIN, 3.0, np.full(10, 7)).link_weights[0, 0] == 0.75
