from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.spiders.traps.trap_statistics import (
    MIN_BAD_PAGES,
    MIN_CHAIN_PAGES,
    DeferralReason,
    PageVerdict,
    TrapStatistics,
)

BAD = [
    (PageVerdict.DUPLICATE, DeferralReason.DUPLICATES),
    (PageVerdict.SOFT_404, DeferralReason.SOFT_404),
    (PageVerdict.FAILED, DeferralReason.FAILURES),
]


def judged(
    statistics: TrapStatistics,
    shape: int,
    times: int,
    verdict: PageVerdict = PageVerdict.NEW,
    **how,
) -> bool:
    return [statistics.judge(shape, verdict, **how) for _ in range(times)][-1]


@pytest.mark.parametrize(("verdict", "reason"), BAD)
def test_shape_is_deferred_after_consecutive_bad_pages_with_their_reason(verdict, reason):
    statistics = TrapStatistics()
    shape = statistics.number("a/*")
    assert not judged(statistics, shape, MIN_BAD_PAGES - 1, verdict)
    assert judged(statistics, shape, 1, verdict)
    assert statistics.reason(shape) == reason
    assert not judged(statistics, shape, 1, verdict)
    assert judged(statistics, shape, 1)
    assert statistics.reason(shape) == DeferralReason.NOT


@given(st.lists(st.sampled_from(list(PageVerdict)), max_size=120))
def test_consecutive_bad_pages_must_outnumber_all_good_ones(verdicts):
    statistics = TrapStatistics()
    shape = statistics.number("a/*")
    for n, verdict in enumerate(verdicts, 1):
        statistics.judge(shape, verdict)
        seen = verdicts[:n]
        row = next((k for k, one in enumerate(reversed(seen)) if one is PageVerdict.NEW), n)
        assert bool(statistics.reason(shape)) == (
            row >= max(MIN_BAD_PAGES, seen.count(PageVerdict.NEW))
        )


def test_fruitless_chain_is_a_calendar():
    statistics = TrapStatistics()
    shape, plain = statistics.number("cal/{n}.html"), statistics.number("cal/*.html")
    assert not judged(statistics, shape, MIN_CHAIN_PAGES - 1, chained=True)
    assert not judged(statistics, shape, 5)  # found elsewhere, so no link of the chain
    assert judged(statistics, shape, 1, chained=True)
    assert statistics.reason(shape) == DeferralReason.CALENDAR
    assert judged(statistics, shape, 1, chained=True, fruitful=True)
    assert not judged(statistics, plain, 2 * MIN_CHAIN_PAGES, chained=True)


def test_fruitful_trial_page_clears_an_endless_path():
    statistics = TrapStatistics()
    shape = statistics.number("a/...")
    assert statistics.reason_on_sight(shape) == DeferralReason.ENDLESS_PATH
    assert not judged(statistics, shape, 1, fruitful=True)
    assert not judged(statistics, shape, 1, on_trial=True)
    assert judged(statistics, shape, 1, on_trial=True, fruitful=True)
    assert statistics.reason_on_sight(shape) == DeferralReason.NOT


def test_new_trial_page_clears_a_session_id():
    statistics = TrapStatistics()
    shape = statistics.number("a?{session}")
    assert statistics.reason_on_sight(shape) == DeferralReason.SESSION_ID
    assert not judged(statistics, shape, 1, PageVerdict.DUPLICATE, on_trial=True, fruitful=True)
    assert judged(statistics, shape, 1, on_trial=True)
    assert statistics.reason_on_sight(shape) == DeferralReason.NOT


def test_reports_deferred_shapes_largest_first():
    statistics = TrapStatistics()
    few, many, none = (statistics.number(name) for name in ("few/*", "many/*", "none/*"))
    for shape, seen in ((few, 10), (many, 90), (none, 99)):
        statistics.seen[shape] += seen
    judged(statistics, few, 8, PageVerdict.FAILED)
    judged(statistics, many, 9, PageVerdict.DUPLICATE)
    judged(statistics, none, 9)
    assert list(map(str, statistics)) == [
        "many/*: duplicates; 9 fetched, 0 new, 81 waiting",
        "few/*: failures; 8 fetched, 0 new, 2 waiting",
    ]
