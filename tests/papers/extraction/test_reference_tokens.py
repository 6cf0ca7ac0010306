"""Tokenisation of references."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.reference_tokens import reference_tokens, reference_words, split_word

PRINT = st.text("Aaz\u00e9\u7b2c12 .,;:()[]\"'\u201c\u201d\u00ab\u00bb/-@<>", max_size=60)


def words(text):
    return [word.text for word in reference_words(text)]


@given(PRINT | st.text(max_size=60))
def test_no_character_is_lost(text):
    assert "".join(words(text)) == "".join(text.split())


@given(PRINT)
def test_words_are_in_order_and_inside_the_line(text):
    spans = [(word.start, word.stop) for word in reference_words(text)]
    assert all(0 <= start < stop <= len(text) for start, stop in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))


@given(PRINT)
def test_parts_of_a_word_make_up_the_word(text):
    for word in text.split():
        assert "".join(split_word(word)) == word


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("267:L618", ["267:", "L", "618"]),
        ("12(3):45-67.", ["12", "(3):", "45-67."]),
        ("2009;8:484-5", ["2009;", "8:", "484-5"]),
        ("pp.107-108,", ["pp.", "107-108,"]),
        ("Phys.Rev.D71", ["Phys.", "Rev.", "D", "71"]),
        ("J.Smith", ["J.", "Smith"]),
        ("W.J.G.", ["W.J.G."]),
        ("Ph.D.", ["Ph.D."]),
        ("\uc81c23\uad8c,", ["\uc81c", "23", "\uad8c,"]),
        ("(2)(2016)", ["(2)", "(2016)"]),
        ("spidersNature", ["spiders", "Nature"]),
        ("McDonald", ["McDonald"]),
        ("https://x.org/a(1)b:2", ["https://x.org/a(1)b:2"]),
        ("doi:10.1000/x1(2019)", ["doi:10.1000/x1", "(2019)"]),
        ("<italic>Nature</italic>", ["<italic>", "Nature", "</italic>"]),
    ],
)
def test_splits_where_a_field_can_end(text, parts):
    assert words(text) == parts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Lee ,A .,1999", ["Lee,", "A.,", "1999"]),
        ("Lett. ( 1999 )12", ["Lett.", "(1999)", "12"]),
        ('Lee, "Web spiders ,"Nature', ["Lee,", '"Web', 'spiders,"', "Nature"]),
        ('Lee,"Webs." Nature', ["Lee,", '"Webs."', "Nature"]),
        ("\u00ab Toiles \u00bb, dans", ["\u00abToiles\u00bb,", "dans"]),
    ],
)
def test_marks_belong_to_the_word_that_they_close_or_open(text, found):
    assert words(text) == found


def test_tokens_have_the_number_of_their_line():
    tokens = reference_tokens("Lee. Web\nspiders. 12(3)")
    assert [(token.text, token.line) for token in tokens] == [
        ("Lee.", 0), ("Web", 0), ("spiders.", 1), ("12", 1), ("(3)", 1),
    ]  # fmt: skip


def test_long_words_are_split_in_linear_steps():
    assert len(words("a1" * 10_000)) > 10_000
    assert words("(" * 10_000) == ["(" * 10_000]
