"""Features of references."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.features import reference_features, word_features
from lycosa.papers.extraction.lexicons import lexicons_with

WORDS = st.lists(st.text(min_size=1, max_size=12).filter(lambda w: w.split() == [w]), max_size=30)


@given(WORDS)
def test_every_word_has_a_row_of_strings(words):
    rows = reference_features(words)
    assert len(rows) == len(words)
    assert all(isinstance(feature, str) for row in rows for feature in row)


@given(WORDS)
def test_the_same_words_have_the_same_features(words):
    assert reference_features(words) == reference_features(list(words))


def test_forms_of_words():
    forms = {
        "1994.": "year",
        "(1994a)": "year",
        "127-136,": "range",
        "12(3):": "volume",
        "J.": "initials",
        "J.-P.": "initials",
        "IEEE": "AA",
        "Smith,": "Aa",
        "spider": "aa",
        "joe@cs.x.edu": "email",
        "http://www.x.edu/": "web",
        "23rd": "ordinal",
        "CMU-CS-94-166": "code",
    }
    assert {word: word_features(word).form for word in forms} == forms


def test_features_include_the_lexicons_of_the_segment():
    words = "A. Lee. Spiders. In Proceedings of the Web, Paris, 1999.".split()
    rows = dict(zip(words, reference_features(words), strict=True))
    assert "seg:meeting" in rows["Web,"]
    assert "seg:meeting" not in rows["Spiders."]
    assert "seg+1:meeting" in rows["Spiders."]
    assert "seg-1:meeting" in rows["Paris,"]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("A. Lee. Spiders", True),
        ("Ann Lee. Spiders", True),
        ("J.-P. Ng. Spiders", True),
        ("in Vol. Three", False),
        ("Report No. Three", False),
    ],
)
def test_a_short_family_name_with_a_full_stop_ends_a_segment(text, ends):
    last = reference_features(text.split())[-1]
    assert ("in=0" in last) is ends


def test_quoted_words_are_marked_up_to_the_closing_quote():
    words = 'J. Roe, "A web of words," IEEE Computer, 1999.'.split()
    quoted = ["quoted=True" in row for row in reference_features(words)]
    assert quoted == [False, False, True, True, True, True, False, False, False]


def test_lexicons_ignore_case_and_outer_punctuation():
    assert lexicons_with("(BOSTON,") == lexicons_with("boston") == ("city",)
    assert "month" in lexicons_with("Sept.")
    assert lexicons_with("zzz") == ()
