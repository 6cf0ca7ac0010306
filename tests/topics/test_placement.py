"""Placement: topics of documents, and where they rest."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.topics.placement import Placement
from topics.generated import TREE

ROWS = st.lists(st.integers(0, 20), min_size=5, max_size=5).filter(any)


def placement(rows):
    shares = np.array(rows, np.float32)
    shares /= shares.sum(axis=1, keepdims=True)
    names = [str(n) for n in range(len(rows))]
    return Placement(TREE, names, names, shares)


@given(st.lists(ROWS, min_size=1, max_size=5), st.floats(0.05, 0.95))
def test_a_document_rests_at_the_deepest_topic_that_is_probable_enough(rows, least):
    placed = placement(rows)
    for document, topic in enumerate(placed.resting(least).tolist()):
        row = placed.nodes[document]
        expected = 0
        while True:  # step down to the likeliest child while one is probable enough
            below = [child for child in TREE.children(expected) if row[child] >= least]
            if not below:
                break
            expected = max(below, key=lambda child: (row[child], -child))
        assert topic == expected


@given(ROWS)
def test_topic_probability_is_the_sum_below_it(row):
    nodes = placement([row]).nodes[0]
    for topic in range(len(TREE)):
        if children := TREE.children(topic):
            assert abs(nodes[topic] - nodes[children].sum()) < 1e-5


def test_missing_probability_is_outside_and_documents_rest_at_inner_topics():
    shares = np.array([[0.1, 0.1, 0, 0, 0], [0.3, 0, 0, 0.2, 0.3]], np.float32)
    here = np.array([[0.7, 0.0], [0.0, 0.1]], np.float32)
    placed = Placement(TREE, ("a", "b"), ("A", "B"), shares, here)
    np.testing.assert_allclose(placed.outside, [0.1, 0.1], atol=1e-6)
    assert [TREE.path(topic) for topic in placed.resting()] == ["Animals", "Machines"]
    far = Placement(TREE, ("a",), ("A",), 0.4 * shares[1:], 0.4 * here[1:])
    assert far.leaves().tolist() == [-1]
    assert far.resting().tolist() == [0]


def test_a_document_may_have_several_topics():
    placed = placement([[10, 9, 0, 1, 0]])
    found = [(each.path, round(each.probability, 2)) for each in placed.topics(0, 0.3)]
    assert found == [("Animals", 0.95), ("Animals/Birds", 0.5), ("Animals/Fish", 0.45)]
