from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.spiders.traps.trap_statistics import CHAIN, PATIENCE, Doubts, Verdict, Why

BAD = [
    (Verdict.DUPLICATE, Why.DUPLICATES),
    (Verdict.SOFT_404, Why.SOFT_404),
    (Verdict.FAILED, Why.FAILURES),
]


def judged(doubts: Doubts, shape: int, times: int, verdict: Verdict = Verdict.NEW, **how) -> bool:
    return [doubts.judge(shape, verdict, **how) for _ in range(times)][-1]


@pytest.mark.parametrize(("verdict", "why"), BAD)
def test_a_shape_is_doubted_after_enough_bad_pages_in_a_row_and_named_after_them(verdict, why):
    doubts = Doubts()
    shape = doubts.number("a/*")
    assert not judged(doubts, shape, PATIENCE - 1, verdict)
    assert judged(doubts, shape, 1, verdict)
    assert doubts.why(shape) == why
    assert not judged(doubts, shape, 1, verdict)
    assert judged(doubts, shape, 1)
    assert doubts.why(shape) == Why.NOT


@given(st.lists(st.sampled_from(list(Verdict)), max_size=120))
def test_bad_pages_must_be_as_many_in_a_row_as_were_ever_good(verdicts):
    doubts = Doubts()
    shape = doubts.number("a/*")
    for n, verdict in enumerate(verdicts, 1):
        doubts.judge(shape, verdict)
        seen = verdicts[:n]
        row = next((k for k, one in enumerate(reversed(seen)) if one is Verdict.NEW), n)
        assert bool(doubts.why(shape)) == (row >= max(PATIENCE, seen.count(Verdict.NEW)))


def test_a_chain_that_brings_nothing_is_a_calendar():
    doubts = Doubts()
    shape, plain = doubts.number("cal/{n}.html"), doubts.number("cal/*.html")
    assert not judged(doubts, shape, CHAIN - 1, chained=True)
    assert not judged(doubts, shape, 5)  # found elsewhere, so no link of the chain
    assert judged(doubts, shape, 1, chained=True)
    assert doubts.why(shape) == Why.CALENDAR
    assert judged(doubts, shape, 1, chained=True, fruitful=True)
    assert not judged(doubts, plain, 2 * CHAIN, chained=True)


def test_a_path_without_end_is_trusted_when_a_trial_brings_something():
    doubts = Doubts()
    shape = doubts.number("a/...")
    assert doubts.looks(shape) == Why.ENDLESS_PATH
    assert not judged(doubts, shape, 1, fruitful=True)
    assert not judged(doubts, shape, 1, on_trial=True)
    assert judged(doubts, shape, 1, on_trial=True, fruitful=True)
    assert doubts.looks(shape) == Why.NOT


def test_a_session_id_is_trusted_when_a_trial_shows_another_page():
    doubts = Doubts()
    shape = doubts.number("a?{session}")
    assert doubts.looks(shape) == Why.SESSION_ID
    assert not judged(doubts, shape, 1, Verdict.DUPLICATE, on_trial=True, fruitful=True)
    assert judged(doubts, shape, 1, on_trial=True)
    assert doubts.looks(shape) == Why.NOT


def test_people_see_what_is_doubted_the_largest_first():
    doubts = Doubts()
    few, many, none = (doubts.number(name) for name in ("few/*", "many/*", "none/*"))
    for shape, seen in ((few, 10), (many, 90), (none, 99)):
        doubts.seen[shape] += seen
    judged(doubts, few, 8, Verdict.FAILED)
    judged(doubts, many, 9, Verdict.DUPLICATE)
    judged(doubts, none, 9)
    assert list(map(str, doubts)) == [
        "many/*: duplicates; 9 asked for, 0 new, 81 wait",
        "few/*: failures; 8 asked for, 0 new, 2 wait",
    ]
