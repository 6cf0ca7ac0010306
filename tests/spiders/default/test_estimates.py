"""Estimates: one regression, or the mixture of two by what they told."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.learn.hashed_model import HashedModel
from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import sigmoid
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders.default.estimates import TRAINED_SHARE, Estimates
from lycosa.spiders.default.features import COLUMNS
from lycosa.spiders.default.house import UNTRAINED

TRAINED = HashedModel(np.zeros(COLUMNS), 0.0, 1.0, 1.0, -3.0)
INPUTS = st.tuples(*[st.floats(-5, 5)] * 4)


def rows(*columns: list[int]) -> Rows:
    starts = np.cumsum([0, *map(len, columns)])
    return Rows(starts, np.array([column for row in columns for column in row], np.int32))


def by_hand(weights: np.ndarray, row: list[int], inputs: tuple[float, ...]) -> float:
    return weights[row].sum() + weights[COLUMNS:-1] @ inputs + weights[-1]


@given(st.lists(INPUTS, min_size=1, max_size=5))
def test_few_links_and_many_have_the_same_log_odds(inputs):
    for estimates in (Estimates(UNTRAINED), Estimates(TRAINED, UNTRAINED)):
        estimates.weights[:, :10] = np.arange(10) / 10
        columns = [[k, k + 1] for k in range(len(inputs))]
        few = estimates.log_odds(columns, inputs)
        many = estimates.log_odds_of_rows(rows(*columns), np.array(inputs))
        assert few == pytest.approx(many.tolist(), abs=1e-6)


@given(INPUTS)
def test_a_mixture_is_the_weighted_mean_of_probabilities(inputs):
    estimates = Estimates(TRAINED, UNTRAINED)
    one, two = (sigmoid(by_hand(weights, [3], inputs)) for weights in estimates.weights)
    (mixed,) = estimates.log_odds([[3]], [inputs])
    assert sigmoid(mixed) == pytest.approx(TRAINED_SHARE * one + (1 - TRAINED_SHARE) * two)


def test_the_second_estimate_ignores_the_training():
    estimates = Estimates(TRAINED, UNTRAINED)
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(50, 4))
    rates = (inputs[:, 0] > 0).astype(float)
    estimates.fit(rows(*[[1]] * 50), inputs, rates)
    assert estimates.weights[1, COLUMNS] == 0
    assert estimates.weights[0, COLUMNS] > 1


@pytest.mark.parametrize("helps", [True, False])
def test_the_estimate_that_told_better_gets_the_larger_share(helps):
    estimates = Estimates(TRAINED, UNTRAINED)
    rng = np.random.default_rng(2)
    for _ in range(6):
        inputs = np.zeros((40, 4))
        rates = (rng.random(40) < 0.3).astype(float)
        inputs[:, 0] = 6 * (rates - 0.5) if helps else 6 * (rng.random(40) - 0.5)
        estimates.share(rows(*[[1]] * 40), inputs, rates)
        estimates.fit(rows(*[[1]] * 40), inputs, rates)
    trained, untrained = estimates.shares
    assert trained > 0.9 if helps else untrained > 0.5


def test_goes_on_from_a_saved_state():
    whole, resumed = Estimates(TRAINED, UNTRAINED), Estimates(TRAINED, UNTRAINED)
    rng = np.random.default_rng(3)
    inputs, rates = rng.normal(size=(20, 4)), rng.random(20)
    whole.share(rows(*[[1]] * 20), inputs, rates)
    whole.fit(rows(*[[1]] * 20), inputs, rates)
    state = StateWriter()
    whole.save(state)
    resumed.restore(StateReader.of(state))
    for each in (whole, resumed):
        each.share(rows([1]), inputs[:1], rates[:1])
        each.fit(rows([1]), inputs[:1], rates[:1])
    assert resumed.shares.tolist() == whole.shares.tolist()
    assert (resumed.weights == whole.weights).all()
