from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from lycosa.learn.logistic import fit, sigmoid
from word_rows import rows_of

SMALL = 4
LISTS = st.lists(st.lists(st.integers(0, SMALL - 1), max_size=5), min_size=1, max_size=8)
SHARES = st.sampled_from([0.0, 0.2, 0.5, 1.0])
VALUES = st.sampled_from([0.3, 0.7, 2.0])
WEIGHTS = st.lists(st.sampled_from([-2.0, -0.5, 0.0, 1.0, 3.0]), min_size=6, max_size=6)


class Case:
    """A few rows, two dense columns, and a prior."""

    def __init__(self, lists, labels, dense, stiffness, start, centre, values=None) -> None:
        self.rows = rows_of(lists)
        self.labels = np.array(labels)
        self.dense = np.array(dense, float).reshape(-1, 2)
        self.stiffness = np.array(stiffness)
        self.start = np.array(start)
        self.centre = np.array(centre)
        self.values = None if values is None else np.array(values, float)
        counts = np.ones(len(self.rows.words)) if values is None else self.values
        sparse = np.zeros((len(lists), SMALL))
        np.add.at(sparse, (self.rows.owners, self.rows.words), counts)
        self.matrix = np.column_stack((sparse, self.dense))

    def fit(self, steps: int = 60, turns: int = 30) -> np.ndarray:
        return fit(
            self.rows, self.dense, self.labels, self.stiffness, self.start, self.centre,
            steps=steps, turns=turns, values=self.values,
        )  # fmt: skip

    def loss(self, weights: np.ndarray) -> float:
        odds = self.matrix @ weights
        fault = np.logaddexp(0, odds) - self.labels * odds
        return float(fault.sum() + self.stiffness @ (weights - self.centre) ** 2 / 2)

    def least(self) -> float:
        return float(minimize(self.loss, self.centre, tol=1e-9).fun)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    lists = draw(LISTS)
    size, words = len(lists), sum(map(len, lists))
    return Case(
        lists,
        draw(st.lists(SHARES, min_size=size, max_size=size)),
        draw(
            st.lists(st.sampled_from([-1.0, 0.0, 0.3, 2.0]), min_size=2 * size, max_size=2 * size)
        ),
        draw(st.lists(st.sampled_from([0.05, 1.0, 5.0]), min_size=6, max_size=6)),
        draw(WEIGHTS),
        draw(WEIGHTS),
        draw(
            st.none() | st.lists(st.sampled_from([0.3, 0.7, 2.0]), min_size=words, max_size=words)
        ),
    )


@settings(max_examples=40)
@given(cases())
def test_fit_minimises_the_loss(case):
    assert case.loss(case.fit()) <= 1.001 * case.least() + 1e-6


@settings(max_examples=60)
@given(cases(), st.integers(0, 3), st.integers(0, 3))
def test_no_step_increases_the_loss(case, steps, turns):
    assert case.loss(case.fit(steps, turns)) <= case.loss(case.start) + 1e-9


@settings(max_examples=20)
@given(cases())
def test_arguments_are_not_modified(case):
    before = case.start.tolist(), case.centre.tolist(), case.labels.tolist()
    case.fit()
    assert (case.start.tolist(), case.centre.tolist(), case.labels.tolist()) == before


def alone(labels: list[float], stiffness: float, centre: float, start: float = 0.0) -> float:
    """The weight of the only column, which all rows have."""
    weights = fit(
        rows_of([[0]] * len(labels)),
        np.zeros((len(labels), 0)),
        np.array(labels),
        np.array([stiffness]),
        np.array([start]),
        np.array([centre]),
        steps=50,
        turns=9,
    )
    return float(weights[0])


def test_fractional_labels_are_fitted():
    assert float(sigmoid(np.array(alone([0.3] * 5, 1e-6, 0.0)))) == pytest.approx(0.3, abs=1e-3)
    assert alone([0.3] * 10, 1.0, 0.0) == pytest.approx(alone([1.0] * 3 + [0.0] * 7, 1.0, 0.0))


def test_stiffer_weights_stay_nearer_to_their_centre():
    found = [alone([1.0] * 6, stiffness, -1.0) for stiffness in (0.1, 1.0, 10.0, 1000.0)]
    assert found == sorted(found, reverse=True)
    assert found[-1] == pytest.approx(-1.0, abs=0.01)
    assert found[0] > 1


def test_without_centre_weights_shrink_to_zero():
    rows, labels = rows_of([[0], [1]]), np.array([0.5, 1.0])
    start = np.array([2.0, 0.0, -3.0])  # nobody has the last column
    found = fit(rows, np.zeros((2, 0)), labels, np.ones(3), start, steps=50, turns=9)
    assert found[0] == pytest.approx(0, abs=0.01)
    assert found[1] > 0.2
    assert found[2] == pytest.approx(0, abs=0.01)


def test_rows_without_words_fit_dense_columns_only():
    found = fit(
        rows_of([[], [], []]), np.ones((3, 1)), np.array([1.0, 1.0, 0.0]),
        np.array([1.0, 1e-6]), np.zeros(2), steps=50, turns=9,
    )  # fmt: skip
    assert found.tolist() == pytest.approx([0.0, np.log(2)], abs=0.01)


def test_without_examples_weights_equal_their_centre():
    centre = np.array([1.0, -2.0])
    found = fit(
        rows_of([]), np.zeros((0, 1)), np.zeros(0), np.ones(2), np.zeros(2), centre,
        steps=9, turns=9,
    )  # fmt: skip
    assert found == pytest.approx(centre)


@pytest.mark.parametrize("size", [50.0, 1e4, 1e8])
def test_converges_from_a_distant_start(size):
    case = Case([[0], [1], []], [1.0, 0.0, 0.5], [[1, 0]] * 3, [1.0] * 6, [size] * 6, [0.0] * 6)
    found = case.fit()
    assert np.isfinite(found).all()
    assert case.loss(found) <= 1.01 * case.least()


def test_extreme_log_odds_do_not_warn():
    assert sigmoid(np.array([-1e300, -800.0, 0.0, 800.0, 1e300])).tolist() == pytest.approx(
        [0.0, 0.0, 0.5, 1.0, 1.0]
    )


def test_sample_weights_equal_repeated_examples():
    lists, times = [[0], [1], [0, 1], [2]], np.array([3, 1, 2, 1])
    labels, stiffness = np.array([1.0, 0.0, 0.3, 1.0]), np.full(SMALL + 1, 0.5)
    start, options = np.zeros(SMALL + 1), {"steps": 60, "turns": 30}
    weighted = fit(
        rows_of(lists), np.ones((4, 1)), labels, stiffness, start,
        sample_weights=times.astype(float), **options,
    )  # fmt: skip
    every = np.repeat(np.arange(4), times)
    repeated = fit(
        rows_of([lists[n] for n in every]), np.ones((len(every), 1)), labels[every],
        stiffness, start, **options,
    )  # fmt: skip
    assert weighted == pytest.approx(repeated, abs=1e-3)
