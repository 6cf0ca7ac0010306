import sys

from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.search.analysis import Analysis, clean, plain
from lycosa.web.words import words
from portal.search import sample_works

ANALYSIS = Analysis()
ANY = (
    st.text() | st.text("aäßİΣσςéﬁ½学 .-’\u0301\u200d") | st.text(st.characters(min_codepoint=192))
)


def test_folds_accents_and_stems():
    assert ANALYSIS.exact("Größe, ŒUVRE & Łódź: 50%") == "grosse oeuvre lodz 50"
    assert ANALYSIS.exact("İstanbul ΟΔΟΣ οδος") == ANALYSIS.exact("istanbul οδος ΟΔΟΣ")
    assert ANALYSIS.exact("机器 learning") == "机 器 learning"
    assert ANALYSIS.exact(" \n ... ") == ""
    assert ANALYSIS.stems("Robots learned networks’ naïveté") == "robot learn network naivet"


@given(ANY)
def test_terms_spans_and_stems_agree(text):
    text = clean(text)
    terms = ANALYSIS.exact(text).split()
    assert terms == [ANALYSIS.term(word) for word in words(plain(text))]
    spans = list(ANALYSIS.spans(text))
    assert [term for term, _, _ in spans] == terms
    for term, start, end in spans:
        assert ANALYSIS.exact(text[start:end]) == term
    assert ANALYSIS.stems(text).split() == [ANALYSIS.stem(term) for term in terms]


@given(ANY)
def test_cleaning_is_idempotent_and_keeps_the_length(text):
    once = clean(text)
    assert clean(once) == once
    assert once.encode().decode() == once
    assert len(plain(once)) == len(once) == len(plain(once).lower())


def test_lower_case_keeps_the_length_of_every_character():
    every = (chr(code) for code in range(sys.maxunicode + 1))
    assert all(len(plain(letter).lower()) == 1 for letter in every)


@given(st.text("abcäöé ,."))
def test_terms_equal_those_of_a_naive_implementation(text):
    assert ANALYSIS.exact(text).split() == sample_works.terms(text)


def test_caches_are_bounded(monkeypatch):
    monkeypatch.setattr("lycosa.portal.search.analysis.CACHE_SIZE", 10)
    small = Analysis()
    for number in range(100):
        assert small.stems(f"é{number}") == f"e{number}"
    assert len(small._runs) <= 10
    assert len(small._folded) <= 10
