"""Spherical k-means: converged, deterministic, no empty group."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.topics.spherical_k_means import group_sums, spherical_k_means


def rows_of(seed, size):
    rows = np.random.default_rng(seed).standard_normal((size, 3))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@given(st.integers(0, 1000), st.integers(1, 30), st.integers(1, 6))
def test_every_row_is_with_the_nearest_centre_and_no_group_is_empty(seed, size, count):
    rows = rows_of(seed, size)
    found = spherical_k_means(rows, count)
    assert set(found.groups.tolist()) == set(range(len(found.centres)))
    assert len(found.centres) <= min(count, size)
    near = rows @ found.centres.T
    own = near[np.arange(size), found.groups]
    assert np.allclose(own, near.max(axis=1))
    assert found.nearness == np.float64(own.sum()) or np.isclose(found.nearness, own.sum())
    again = spherical_k_means(rows, count)
    assert np.array_equal(found.groups, again.groups)


def test_equal_rows_make_one_group():
    found = spherical_k_means(np.tile([[0.6, 0.8]], (5, 1)), 3)
    assert found.groups.tolist() == [0] * 5


@given(st.integers(0, 1000))
def test_few_rows_are_grouped_optimally(seed):
    # All divisions of five rows into two groups; the best of three starts is rarely beaten by much.
    rows = rows_of(seed, 5)
    best = 0.0
    for code in range(1, 16):
        groups = np.array([code >> n & 1 for n in range(5)])
        best = max(best, np.linalg.norm(group_sums(groups, 2, rows), axis=1).sum())
    assert best * 0.75 <= spherical_k_means(rows, 2).nearness <= best + 1e-9
