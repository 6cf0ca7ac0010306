"""Tokens and their normal forms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.tagged import Token, read_headers
from lycosa.papers.extraction.tokens import (
    INTRO,
    PAGE,
    collapse_regions,
    ends_line,
    final_punctuation,
    header_tokens,
    normalise_word,
    tokenise,
    word_shape,
)
from realdata import CORPORA
from recorded_sites import realdata

HEADERS = CORPORA / "cora-headers" / "tagged_headers.txt"


@given(st.text(max_size=40))
def test_tokens_are_the_words_of_a_text_in_order(text):
    tokens = tokenise(text)
    assert [token.text for token in tokens] == text.split()
    assert [token.line for token in tokens] == sorted(token.line for token in tokens)


@given(st.text(max_size=20))
def test_every_word_has_a_normal_form_a_shape_and_a_final_mark(text):
    assert (
        normalise_word(text).startswith("+") or normalise_word(text) == normalise_word(text).lower()
    )
    assert bool(normalise_word(text)) == any(c.isalnum() for c in text)
    assert word_shape(text) in {"digits", "initial", "capitals", "capital", "mixed", "small"}
    assert final_punctuation(text) in {"", ".", ",", ";", ":", ")"}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Spiders,", "spiders"),
        ("Multi-Hop", "multihop"),
        ("joe@cs.x.edu,", "+EMAIL+"),
        ("http://www.x.edu/~joe", "+WEB+"),
        ("www.x.edu", "+WEB+"),
        ("(1992).", "+YEAR+"),
        ("30332-0280", "+ZIP+"),
        ("43210", "+ZIP+"),
        ("(614)-292-5199,", "+PHONE+"),
        ("(512)", "+PHONE+"),
        ("322-9951", "+PHONE+"),
        ("+44", "+PHONE+"),
        ("12", "+NUMBER2+"),
        ("127-136,", "+NUMBER4+"),
        ("GIT-CC-92/28", "+MIXED+"),
        ("Universität", "universität"),
        (":", ""),
        (PAGE, PAGE),
    ],
)
def test_special_words_are_recognised(text, form):
    assert normalise_word(text) == form


def test_a_header_ends_at_the_introduction_or_with_the_page():
    assert [t.text for t in header_tokens("A b\n1 INTRODUCTION\nc\fd")] == ["A", "b", INTRO]
    assert [t.text for t in header_tokens("A b\nc\fIntroduction\nd")] == ["A", "b", "c", PAGE]
    spoken = "An introduction\nIntroduction to the theory of very large spiders in webs\n"
    assert header_tokens(spoken)[-1] == Token(PAGE, "", 2)
    assert header_tokens("") == [Token(PAGE, "", 0)]


def test_abstract_introduction_and_page_collapse_into_a_word_each():
    parts = ["A/title", "We/abstract", "crawl/abstract", "B/note", "1/intro", "In/intro", "+P/page"]
    tokens = [Token(*part.split("/"), line) for line, part in enumerate(parts)]
    assert collapse_regions(tokens) == [
        Token("A", "title", 0),
        Token("+ABSTRACT+", "abstract", 2),
        Token("B", "note", 3),
        Token("+INTRO+", "intro", 5),
        Token("+PAGE+", "page", 6),
    ]
    assert collapse_regions(tokens, ("page",)) == [*tokens[:-1], Token("+PAGE+", "page", 6)]


def test_finds_the_last_token_of_a_line():
    tokens = tokenise("a b\nc")
    assert [ends_line(tokens, n) for n in range(3)] == [False, True, True]


@realdata
@pytest.mark.skipif(not HEADERS.is_file(), reason=f"no tagged headers at {HEADERS}")
def test_number_of_training_words_equals_that_of_the_publication():
    headers = [collapse_regions(item) for item in read_headers(HEADERS)]
    sizes = [sum(bool(t.label and normalise_word(t.text)) for t in item) for item in headers]
    assert sum(sizes[:500]) == 23557
