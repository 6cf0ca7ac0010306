"""Greedy choice of keywords."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.topics.topic_names import cover


@given(st.integers(0, 10_000), st.integers(1, 4))
def test_cover_is_greedy(seed, most):
    chance = np.random.default_rng(seed)
    present = chance.random((12, 6)) < 0.3
    wanted = chance.random(12) < 0.5
    left = np.ones(12, bool)
    expected = []
    for _ in range(most):
        gains = [
            (present[left & wanted, c]).sum() - 0.5 * (present[left & ~wanted, c]).sum()
            for c in range(6)
        ]
        best = int(np.argmax(gains))
        if gains[best] < 2:
            break
        expected.append(best)
        left &= ~present[:, best]
    assert cover(present, wanted, most) == expected


def test_no_candidates_give_no_keywords():
    assert cover(np.zeros((3, 0), bool), np.ones(3, bool), 5) == []
