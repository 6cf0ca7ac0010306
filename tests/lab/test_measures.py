import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.lab.measures import gap_closed, integral, interval, links_followed, requests_to


@st.composite
def curves(draw):
    """The hits of a crawl that may have found only some of the targets."""
    pages = draw(st.integers(1, 200))
    targets = draw(st.integers(1, pages))
    hits = draw(st.sets(st.integers(1, pages), max_size=targets))
    return sorted(hits), targets, pages


@given(curves())
def test_integral_is_the_area_under_the_recall_curve(case):
    hits, targets, pages = case
    # Recall after request n holds until request n + 1; request n begins at n - 1.
    recall = [sum(hit <= n for hit in hits) / targets for n in range(1, pages + 1)]
    assert integral(hits, targets, pages) == pytest.approx(sum(recall) / pages)


@given(curves())
def test_integral_is_between_0_and_the_maximum(case):
    hits, targets, pages = case
    best = integral(range(1, targets + 1), targets, pages)
    assert 0 <= integral(hits, targets, pages) <= best <= 1


@given(curves(), st.sampled_from([25, 50, 75, 90]))
def test_requests_to_is_the_first_request_with_that_recall(case, percent):
    hits, targets, pages = case
    expected = next(
        (n for n in range(pages + 1) if sum(hit <= n for hit in hits) * 100 >= percent * targets),
        None,
    )
    assert requests_to(percent, hits, targets) == expected


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(1, n), st.just(n))))
def test_links_followed_on_a_site_with_one_target(case):
    hit, pages = case
    assert links_followed([hit], pages) == pytest.approx(1 - integral([hit], 1, pages))


def test_gap_closed():
    assert gap_closed(0.3, 0.3, 0.9) == 0
    assert gap_closed(0.9, 0.3, 0.9) == 1
    assert gap_closed(0.2, 0.3, 0.9) < 0
    assert gap_closed(0.5, 0.5, 0.5) is None


def test_gap_closed_of_a_set_is_the_ratio_of_sums():
    # The second site has hardly a gap; a mean of ratios would be (0.5 - 9) / 2.
    assert gap_closed([0.6, 0.90], [0.4, 0.99], [0.8, 1.0]) == pytest.approx(0.11 / 0.41)
    assert gap_closed([0.6, 0.7], [0.5, 0.7], [0.5, 0.7]) is None


def test_interval_has_about_its_nominal_coverage():
    rng = np.random.default_rng(7)
    inside = 0
    for trial in range(200):
        low = rng.uniform(0.2, 0.6, 30)
        gap = rng.uniform(0.1, 0.3, 30)
        gain = gap * rng.normal(0.5, 0.2, 30)
        lo, hi = interval(low + gain, low, low + gap, seed=trial)
        assert lo <= gap_closed(low + gain, low, low + gap) <= hi
        inside += lo <= 0.5 <= hi
    assert 0.88 <= inside / 200 <= 0.99


def test_interval_is_paired():
    # Integrals differ between sites, but the gap closed is one half everywhere.
    low, high = np.array([0.1, 0.5, 0.9]), np.array([0.9, 0.6, 0.98])
    assert interval((low + high) / 2, low, high) == pytest.approx((0.5, 0.5))


def test_interval_of_one_site_is_a_point_and_none_without_a_gap():
    assert interval([0.6], [0.4], [0.8]) == pytest.approx((0.5, 0.5))
    assert interval([0.6, 0.5], [0.6, 0.5], [0.6, 0.5]) is None
