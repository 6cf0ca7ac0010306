"""Measures of extracted fields."""

from functools import cache

import pytest
from bench.field_measures import FieldScores, agree, edit_distance, letters
from hypothesis import given
from hypothesis import strategies as st

TEXT = st.text(alphabet="abc\u00e9", max_size=9)


def brute_force(one, two):
    @cache
    def distance(i, j):
        if not i or not j:
            return i + j
        same = one[i - 1] != two[j - 1]
        return min(distance(i - 1, j) + 1, distance(i, j - 1) + 1, distance(i - 1, j - 1) + same)

    return distance(len(one), len(two))


@given(TEXT, TEXT)
def test_edit_distance_is_that_of_the_recursion(one, two):
    assert edit_distance(one, two) == brute_force(one, two)


@pytest.mark.parametrize(
    ("one", "two", "exact", "soft"),
    [
        ("Web  Spiders.", "web-spiders", True, True),
        ("M\u00fcller", "Mu\u0308ller", True, True),
        ("Web spiders", "Web spider", False, True),
        ("Web spiders", "Webs", False, False),
    ],
)
def test_texts_agree_by_their_letters(one, two, exact, soft):
    assert (agree(one, two, 1.0), agree(one, two)) == (exact, soft)
    assert letters(" .") == ""


def test_scores_count_wanted_and_found_fields():
    scores = FieldScores()
    for truth, found in (("Web", "web"), ("Web", ""), ("", "Lee"), ("", ""), ("abcdefg", "abcdef")):
        scores.add("title", truth, found)
    assert (scores.wanted["title"], scores.found["title"]) == (3, 3)
    assert (scores.exact["title"], scores.soft["title"]) == (1, 2)
    assert scores.f1("title", scores.soft) == pytest.approx(2 / 3)
    assert scores.f1("none", scores.soft) == 0
