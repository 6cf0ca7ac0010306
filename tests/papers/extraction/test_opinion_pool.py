"""Pools of conditional random fields."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crf import Crf, field_of
from lycosa.papers.extraction.crfsuite_file import Weights, read_weights, write_weights
from lycosa.papers.extraction.opinion_pool import pool

PLAIN = ["x", "y"]
MARKED = ["B-x", "I-x", "B-y", "I-y"]
WEIGHT = st.floats(-2, 2)


@st.composite
def experts(draw, labels: list[str]) -> Crf:
    """A CRF with any weights of some attributes."""
    attributes = draw(st.lists(st.sampled_from("abcd"), unique=True, min_size=1))
    states = {
        (a, k): draw(WEIGHT)
        for a, k in product(range(len(attributes)), range(len(labels)))
        if draw(st.booleans())
    }
    transitions = {pair: draw(WEIGHT) for pair in product(range(len(labels)), repeat=2)}
    return Crf(write_weights(Weights(labels, attributes, states, transitions)))


def score(field: Crf, rows: list[list[str]], states: tuple[str, ...]) -> float:
    """Return the sum of the weights of a label sequence."""
    weights = read_weights(field.model)
    numbers = [weights.labels.index(state) for state in states]
    names = {name: n for n, name in enumerate(weights.attributes)}
    total = sum(weights.transitions.get(pair, 0.0) for pair in pairwise(numbers))
    for row, number in zip(rows, numbers, strict=True):
        total += sum(weights.states.get((names.get(one, -1), number), 0.0) for one in row)
    return total


@settings(max_examples=30)
@given(
    experts(MARKED),
    experts(PLAIN),
    st.lists(st.lists(st.sampled_from("abcd"), unique=True), min_size=1, max_size=3),
)
def test_a_sequence_has_the_mean_of_the_scores_of_the_experts(marked, plain, rows):
    both = pool([marked, plain])
    for states in product(MARKED, repeat=len(rows)):
        fields = tuple(field_of(state) for state in states)
        mean = (score(marked, rows, states) + score(plain, rows, fields)) / 2
        assert score(both, rows, states) == pytest.approx(mean)


@given(experts(MARKED))
def test_a_pool_of_one_or_of_equal_experts_is_the_expert(expert):
    rows = [["a"], ["b", "c"], ["d"]]
    alone = [prediction.confidence for prediction in expert.tag(rows)]
    for given_experts in ([expert], [expert, expert]):
        found = pool(given_experts).tag(rows)
        assert [one.label for one in found] == [one.label for one in expert.tag(rows)]
        assert [one.confidence for one in found] == pytest.approx(alone)


def test_an_expert_decides_where_the_other_is_unsure():
    rows = [["sure"], ["unsure"]]
    first = crf.train([rows] * 3, [["x", "y"]] * 3)
    second = crf.train([[["sure"]]] * 3 + [[["unsure"]]] * 3, [["x"]] * 3 + [["x"], ["y"], ["y"]])
    assert [one.label for one in pool([first, second]).tag(rows)] == ["x", "y"]


def test_refuses_no_expert_and_experts_of_other_labels():
    plain = crf.train([[["a"]]], [["x"]])
    other = crf.train([[["a"]]], [["y"]])
    marked = crf.train([[["a"]]], [["B-x"]])
    with pytest.raises(UsageError, match="at least one expert"):
        pool([])
    for given_experts in ([plain, other], [plain, marked]):
        with pytest.raises(UsageError, match="different labels"):
            pool(given_experts)
