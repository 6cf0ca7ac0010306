from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.learn.logistic import sigmoid
from lycosa.learn.model_averaging import averaged, averaged_few

ODDS = st.lists(st.tuples(st.floats(-20, 20), st.floats(-20, 20)), min_size=1)


@given(ODDS, st.floats(0, 1))
def test_the_probability_is_the_weighted_mean(pairs, share):
    first, second = np.array(pairs).T
    found = sigmoid(averaged(first, second, share, 1 - share))
    wanted = share * sigmoid(first) + (1 - share) * sigmoid(second)
    assert found == pytest.approx(wanted, abs=1e-12)


@given(ODDS, st.floats(0, 1))
def test_few_numbers_and_many_are_the_same(pairs, share):
    first, second = np.array(pairs).T
    few = averaged_few(first.tolist(), second.tolist(), share, 1 - share)
    assert averaged(first, second, share, 1 - share).tolist() == few


def test_certain_models_have_finite_log_odds():
    for odds in (-1e300, -800.0, 800.0, 1e300):
        (found,) = averaged_few([odds], [odds], 0.5, 0.5)
        assert np.isfinite(found)
        assert (found > 0) == (odds > 0)
