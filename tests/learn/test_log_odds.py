from collections import Counter
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.learn.log_odds import PRIOR, contrast

COUNTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 500), min_size=1).map(Counter)


def test_z_score_is_the_formula_of_the_paper():
    first, second = Counter(a=30, b=70), Counter(a=10, b=190)
    (word, _) = contrast(first, second)
    prior = PRIOR * 40 / 300
    mine = log((30 + prior) / (100 + PRIOR - 30 - prior))
    theirs = log((10 + prior) / (200 + PRIOR - 10 - prior))
    error = sqrt(1 / (30 + prior) + 1 / (10 + prior))
    assert (word.word, word.targets, word.others) == ("a", 30, 10)
    assert word.z == pytest.approx((mine - theirs) / error)


@given(COUNTS, COUNTS)
def test_swapping_collections_changes_all_signs(first, second):
    there = {word.word: word.z for word in contrast(first, second)}
    back = {word.word: word.z for word in contrast(second, first)}
    assert there.keys() == back.keys()
    assert all(there[word] == pytest.approx(-back[word]) for word in there)
    assert list(there.values()) == sorted(there.values(), reverse=True)


@given(COUNTS)
def test_equal_collections_have_scores_of_zero(counts):
    assert all(word.z == pytest.approx(0, abs=1e-9) for word in contrast(counts, counts))


def test_rare_word_ranks_below_a_frequent_one():
    words = contrast(Counter(often=50, once=1, the=500), Counter(often=5, the=500))
    assert words[0].word == "often"


def test_empty_or_single_word_collections_have_no_contrast():
    assert contrast(Counter(), Counter(a=1)) == []
    assert contrast(Counter(a=1), Counter(a=2)) == []


@given(COUNTS, COUNTS, st.integers(1, 600))
def test_rare_words_are_left_out_without_other_changes(first, second, least):
    every = contrast(first, second)
    assert contrast(first, second, least) == [w for w in every if w.targets + w.others >= least]
