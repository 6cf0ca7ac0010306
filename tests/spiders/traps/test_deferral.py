from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.spiders.traps.deferral import deferred, not_deferred

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(FINITE, FINITE)
def test_deferred_scores_are_finite_and_below_all_others(one, two):
    low, high = deferred(np.array([one]))[0], not_deferred(np.array([two]))[0]
    assert np.isfinite(low)
    assert low < high


@given(FINITE, FINITE)
def test_deferred_links_keep_their_order(one, two):
    low, high = sorted((one, two))
    first, second = deferred(np.array([low, high]))
    assert first <= second
    if high - low > 1e-11 * max(1.0, abs(low), abs(high)):
        assert first < second


@given(st.floats(-1e300, 1e300))
def test_other_scores_are_unchanged(score):
    assert not_deferred(np.array([score]))[0] == score
