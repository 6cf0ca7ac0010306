import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.crawler.live.progress import Curve, Progress, Rate, RunTotals


@pytest.mark.parametrize("seconds", [0.5, 3.0, 200.0])
def test_a_steady_rate_is_right_from_the_start(seconds):
    now = 0.0
    rate = Rate(lambda: now)
    assert rate.value == 0.0
    for _ in range(int(seconds * 50)):
        now += 0.02
        rate.count()
    assert rate.value == pytest.approx(50, rel=0.02)


def test_a_rate_decays():
    now = 0.0
    rate = Rate(lambda: now)
    for _ in range(5000):
        now += 0.02
        rate.count()
    before = rate.value
    now += 10
    assert rate.value == pytest.approx(before / math.e, rel=0.01)
    now += 1000
    assert rate.value < 1e-9


@given(st.lists(st.booleans(), max_size=700))
def test_a_curve_has_true_evenly_spaced_points(hits):
    curve, found, truth = Curve(), 0, [(0, 0)]
    for page, hit in enumerate(hits, 1):
        found += hit
        curve.add(page, found)
        truth.append((page, found))
        assert len(curve.points) <= 64
    points = curve.points
    assert points[0] == (0, 0)
    assert points[-1] == truth[-1]
    assert set(points) <= set(truth)
    steps = {b[0] - a[0] for a, b in pairwise(points[:-1])}
    assert len(steps) <= 1
    assert len(points) >= min(len(truth), 32)


def test_requests_and_bytes_are_counted():
    progress = Progress()
    progress.count_request(10)
    progress.count_request(20)
    assert (progress.requests, progress.received) == (2, 30)
    assert progress.rate.value > 0


def test_the_totals_of_an_older_crawl_begin_with_its_last_run():
    assert RunTotals.of_note({"seconds": 2.0, "requests": 7}) == RunTotals(1, 2.0, 7, 0)
    assert RunTotals.of_note({}) == RunTotals.of_note(None) == RunTotals()
    assert RunTotals.of_note({"totals": {"runs": 3}, "requests": 7}) == RunTotals(3)


def test_a_notice_replaces_the_earlier_one_of_its_kind():
    progress = Progress()
    for words in ("one page", "two pages"):
        progress.notify("scripts", words)
    progress.notify("other", "more")
    assert list(progress.notices.values()) == [("scripts", "two pages"), ("other", "more")]
