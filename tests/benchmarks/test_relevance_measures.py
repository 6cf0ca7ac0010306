"""Measures of rankings, and intervals of their means."""

from itertools import permutations
from math import log2

import numpy as np
import pytest
from bench.relevance_measures import (
    average_precision,
    compare,
    measure,
    ndcg,
    reciprocal_rank,
)
from hypothesis import given
from hypothesis import strategies as st

IDS = "abcdefgh"
GRADES = st.dictionaries(st.sampled_from(IDS), st.integers(1, 4).map(float), min_size=1)
RANKINGS = st.lists(st.sampled_from(IDS), unique=True)


@given(RANKINGS, GRADES)
def test_measures_are_between_0_and_1(ranking, grades):
    assert all(0 <= value <= 1 + 1e-12 for value in measure(ranking, grades))


@given(GRADES)
def test_the_ideal_ranking_measures_1(grades):
    ideal = sorted(grades, key=lambda each: -grades[each])
    assert measure(ideal, grades) == pytest.approx((1, 1, 1))


def test_ndcg_equals_the_definition_on_every_order_of_a_small_collection():
    grades = {"a": 3.0, "b": 1.0, "c": 2.0}
    best = 7 / 1 + 3 / log2(3) + 1 / log2(4)
    for ranking in permutations("abcx"):
        gain = sum((2 ** grades.get(each, 0) - 1) / log2(2 + k) for k, each in enumerate(ranking))
        assert ndcg(ranking, grades) == pytest.approx(gain / best)


def test_ndcg_ignores_what_follows_the_tenth():
    assert ndcg([*"0123456789", "a"], {"a": 1.0}) == 0
    assert ndcg([*"012345678", "a"], {"a": 1.0}) == pytest.approx(1 / log2(11))


def test_average_precision_and_rank_look_at_a_hundred():
    far = [str(k) for k in range(100)]
    assert average_precision([*far, "a"], {"a": 1.0}) == 0
    assert reciprocal_rank([*far, "a"], "a") == 0
    assert reciprocal_rank([*far[:99], "a"], "a") == 0.01


def test_a_system_equals_itself():
    values = [0.1, 0.5, 0.9]
    assert compare([values], [values]) == ((0, 0, 0), (1, 1, 1))


def test_intervals_contain_the_value_and_shrink_with_questions():
    chance = np.random.default_rng(1)
    few, many = (chance.random((2, count)) for count in (20, 2000))
    wide, narrow = compare([few[0]], [few[1]]), compare([many[0]], [many[1]])
    for value, low, high in (*wide, *narrow):
        assert low <= value <= high
    assert narrow.ratio[2] - narrow.ratio[1] < (wide.ratio[2] - wide.ratio[1]) / 4


def test_an_interval_covers_what_the_normal_approximation_says():
    values = np.random.default_rng(2).random((2, 400))
    (value, low, high), _ = compare([values[0]], [values[1]])
    error = 1.96 * (values[0] - values[1]).std() / 20
    assert (low, high) == pytest.approx((value - error, value + error), abs=error / 10)


def test_collections_count_alike_whatever_their_size():
    found = compare([[1.0] * 10, [0.0]], [[0.5] * 10, [0.5]])
    assert found.difference[0] == 0
    assert found.ratio[0] == 1


def test_a_reference_that_finds_nothing_has_no_infinite_ratio():
    assert np.isfinite(compare([[0.5]], [[0.0]]).ratio).all()
