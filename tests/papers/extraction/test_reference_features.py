"""Features of references."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.lexicons import lexicons_with
from lycosa.papers.extraction.reference_features import reference_features, reference_word

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
        "12": "number2",
        "034005,": "number5",
        "J.": "initials",
        "J.-P.": "initials",
        "\u00c9.": "initials",
        "IEEE": "AA",
        "KE": "JJ",
        "Phys.": "Abb",
        "Smith,": "Aa",
        "spider": "aa",
        "joe@cs.x.edu": "email",
        "http://www.x.edu/": "web",
        "doi:10.1000/x1": "doi",
        "1706.01234": "arxiv",
        "23rd": "ordinal",
        "\uc81c": "hangul",
        "\u7b2c": "han",
        "--": "mark",
    }
    assert {word: reference_word(word).form for word in forms} == forms


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


@pytest.mark.parametrize(
    "title", ['"A web of words,"', "\u201cA web of words,\u201d", "\u00abA web of words\u00bb,"]
)
def test_quoted_words_are_marked_up_to_the_closing_quote(title):
    words = f"J. Roe, {title} IEEE Computer, 1999.".split()
    found = [next(f for f in row if f.startswith("quoted=")) for row in reference_features(words)]
    inside = f"quoted={title[0]}"
    assert found == ["quoted="] * 2 + [inside] * 4 + ["quoted=closed"] * 3


def test_words_see_the_numbers_around_them():
    words = "A. Lee, Phys. Lett. 12 (1999) 345.".split()
    rows = dict(zip(words, reference_features(words), strict=True))
    assert "num=none|number2|(year)" in rows["12"]
    assert "num=(year)|number3.|none" in rows["345."]
    assert "n+gap=number2|1" in rows["Lett."]
    assert "years=0|1" in rows["12"]
    assert "years=1|0" in rows["345."]


def test_a_reference_begins_with_names_until_another_word():
    words = "Ann Lee and Bob Roe. 1999. On Webs".split()
    assert ["names" in row for row in reference_features(words)] == [True] * 5 + [False] * 3


def test_lexicons_ignore_case_and_outer_punctuation():
    assert lexicons_with("(BOSTON,") == lexicons_with("boston") == ("city",)
    assert "month" in lexicons_with("Sept.")
    assert lexicons_with("zzz") == ()
