from collections import Counter
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.learn.log_odds import PRIOR, contrast

COUNTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 500), min_size=1).map(Counter)


def test_it_is_the_formula_of_the_paper():
    first, second = Counter(a=30, b=70), Counter(a=10, b=190)
    (word, _) = contrast(first, second)
    prior = PRIOR * 40 / 300
    mine = log((30 + prior) / (100 + PRIOR - 30 - prior))
    theirs = log((10 + prior) / (200 + PRIOR - 10 - prior))
    error = sqrt(1 / (30 + prior) + 1 / (10 + prior))
    assert (word.word, word.targets, word.others) == ("a", 30, 10)
    assert word.z == pytest.approx((mine - theirs) / error)


@given(COUNTS, COUNTS)
def test_the_other_way_round_all_signs_change(first, second):
    there = {word.word: word.z for word in contrast(first, second)}
    back = {word.word: word.z for word in contrast(second, first)}
    assert there.keys() == back.keys()
    assert all(there[word] == pytest.approx(-back[word]) for word in there)
    assert list(there.values()) == sorted(there.values(), reverse=True)


@given(COUNTS)
def test_what_is_the_same_is_not_apart(counts):
    assert all(word.z == pytest.approx(0, abs=1e-9) for word in contrast(counts, counts))


def test_a_rare_word_does_not_beat_a_frequent_one():
    words = contrast(Counter(often=50, once=1, the=500), Counter(often=5, the=500))
    assert words[0].word == "often"


def test_there_may_be_nothing_to_compare():
    assert contrast(Counter(), Counter(a=1)) == []
    assert contrast(Counter(a=1), Counter(a=2)) == []


@given(COUNTS, COUNTS, st.integers(1, 600))
def test_what_is_rare_is_left_out_and_nothing_else_changes(first, second, least):
    every = contrast(first, second)
    assert contrast(first, second, least) == [w for w in every if w.targets + w.others >= least]
