from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.spiders.traps.deferral import deferred, honest

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(FINITE, FINITE)
def test_a_deferred_score_is_finite_and_below_every_honest_one(one, two):
    low, high = deferred(np.array([one]))[0], honest(np.array([two]))[0]
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
def test_an_honest_score_is_what_it_was(score):
    assert honest(np.array([score]))[0] == score
