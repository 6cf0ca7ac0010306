"""Forms of words: plurals, numbers at the end, and what begins with a long word."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.goals.word_forms import MIN_START, WordForms, stem

WORDS = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("goal", "form"),
    [
        ("tutorials", "tutorial"),
        ("tutorial", "tutorials"),
        ("tutorial", "tutorial5"),
        ("howto", "howtocorrupt"),
        ("classes", "class"),
        ("libraries", "library"),
        ("library", "libraries"),
        ("lab", "labs"),
        ("jobs", "job"),
        ("robot", "robotics"),
        ("key", "keys"),
        ("ties", "tie"),
        ("fly", "flies"),
        ("paketverwaltung", "paketverwaltungen"),
    ],
)
def test_forms_of_a_word_are_found(goal, form):
    assert WordForms([goal]).has(form)


@pytest.mark.parametrize(
    ("goal", "other"),
    [("news", "new"), ("map", "mapping"), ("status", "statu"), ("tutorial", "tutor"), ("ps", "p")],
)
def test_other_words_are_not(goal, other):
    assert not WordForms([goal]).has(other)


def test_a_prefix_finds_what_begins_with_it_however_short():
    assert WordForms(["net"], prefixes=["net"]).has("networks")
    assert not WordForms(["net"]).has("networks")


@given(WORDS)
def test_a_word_is_a_form_of_itself(word):
    assert WordForms([word]).has(word)


@given(WORDS.filter(lambda word: stem(word) == word and len(word) >= MIN_START), WORDS)
def test_what_begins_with_a_long_stem_is_a_form(word, rest):
    assert WordForms([word]).has(word + rest)


@given(st.lists(WORDS, max_size=4), WORDS)
def test_several_words_find_what_each_finds(words, word):
    assert WordForms(words).has(word) == any(WordForms([one]).has(word) for one in words)


SHORT = st.text("abspiey1", max_size=6)


@given(st.lists(SHORT, max_size=3), st.lists(SHORT, max_size=2), SHORT)
def test_has_exactly_the_words_of_the_definition(words, prefixes, word):
    stems = {stem(each) for each in words}
    starts = (*(each for each in stems if len(each) >= MIN_START), *prefixes)
    assert WordForms(words, prefixes).has(word) == (word.startswith(starts) or stem(word) in stems)
