from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.learn.link_words import COLUMNS
from lycosa.learn.ridge import Ridge
from word_rows import rows_of

SMALL = 6
LISTS = st.lists(st.lists(st.integers(0, SMALL - 1), max_size=5), min_size=1, max_size=8)


def counted(lists: list[list[int]]) -> np.ndarray:
    return np.array([np.bincount(np.array(row, int), minlength=SMALL) for row in lists], float)


@settings(max_examples=30)
@given(LISTS, LISTS, st.sampled_from([0.5, 3.0, 10.0]), st.data())
def test_weights_equal_the_closed_form(lists, asked, penalty, data):
    size = len(lists)
    some = st.sampled_from([0.0, 0.25, 0.5, 1.0])
    values = np.array(data.draw(st.lists(some, min_size=size, max_size=size)))
    matrix = counted(lists)
    square = matrix.T @ matrix + penalty * np.eye(SMALL)
    weights = np.linalg.solve(square, matrix.T @ (values - values.mean()))
    linear = Ridge(penalty)
    linear.fit(rows_of(lists), values)
    expected = counted(asked) @ weights + values.mean()
    assert linear.predict(rows_of(asked)) == pytest.approx(expected, abs=0.01)


def test_learns_positive_and_negative_words():
    rng = np.random.default_rng(3)
    noise = [rng.integers(10, 3000, 6).tolist() for _ in range(600)]
    lists = [[n % 3, *words] for n, words in enumerate(noise)]
    values = np.array([(0.5, 1.0, 0.0)[n % 3] for n in range(len(lists))])
    linear = Ridge()
    linear.fit(rows_of(lists), values)
    assert linear.predict(rows_of([[0], [1], [2]])) == pytest.approx([0.5, 1.0, 0.0], abs=0.1)
    again = Ridge()
    again.fit(rows_of(lists), values)
    assert again.predict(rows_of(lists)).tolist() == linear.predict(rows_of(lists)).tolist()


def test_unknown_words_leave_the_mean():
    linear = Ridge()
    linear.fit(rows_of([[1], [2], []]), np.array([1.0, 0.0, 0.5]))
    assert linear.predict(rows_of([[], [COLUMNS - 1, 77]])).tolist() == [0.5, 0.5]


def test_constant_values_are_predicted():
    linear = Ridge()
    linear.fit(rows_of([[1], [1, 2], []]), np.full(3, 0.25))
    assert linear.predict(rows_of([[1], [2, 2], [9]])).tolist() == [0.25] * 3
