from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.search.wordpiece import (
    BEGINNING,
    END,
    MAX_CHARACTERS,
    MAX_WORD_CHARACTERS,
    UNKNOWN,
    WordPiece,
    words,
)

PIECES = [UNKNOWN, BEGINNING, END, "a", "ab", "abc", "##a", "##b", "##bc", "##ca", "c", ".", "北"]
WORDS = st.text("abc", min_size=1, max_size=12)


def spelled(numbers: list[int]) -> list[str]:
    return [PIECES[number] for number in numbers]


def cut_by_hand(word: str) -> list[str]:
    """Cut a word by trying all of its beginnings."""
    found: list[str] = []
    rest = word
    while rest:
        mark = "##" if found else ""
        known = [n for n in range(1, len(rest) + 1) if mark + rest[:n] in PIECES]
        if not known:
            return [UNKNOWN]
        found.append(mark + rest[: max(known)])
        rest = rest[max(known) :]
    return found


@given(st.lists(WORDS, max_size=8))
def test_words_are_cut_at_the_longest_piece(typed: list[str]) -> None:
    expected = [piece for word in typed for piece in cut_by_hand(word)]
    found = spelled(WordPiece(PIECES).numbers(" ".join(typed)))
    assert found == [BEGINNING, *expected, END]


@given(st.text(max_size=300), st.integers(2, 40))
def test_any_text_has_a_beginning_an_end_and_at_most_the_limit(text: str, limit: int) -> None:
    found = WordPiece(PIECES).numbers(text, limit)
    assert len(found) <= limit
    assert spelled(found)[0] == BEGINNING
    assert spelled(found)[-1] == END
    assert not {BEGINNING, END} & set(spelled(found)[1:-1])


@given(st.text(max_size=300))
def test_a_limit_only_cuts(text: str) -> None:
    pieces = WordPiece(PIECES)
    whole = pieces.numbers(text, 1000)
    assert pieces.numbers(text, 7)[:-1] == whole[:-1][:6]


@given(st.text(max_size=200))
def test_words_have_no_capitals_no_accents_and_no_spaces(text: str) -> None:
    for word in words(text):
        assert word == word.strip() != ""
        assert not any(unicodedata.category(each) == "Mn" for each in word)
        assert not any(each.isupper() and each.lower() != each for each in word)
        if len(word) > 1:
            assert not any(unicodedata.category(each)[0] == "P" for each in word)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Boundary-layer drag", ["boundary", "-", "layer", "drag"]),
        ("É\u0301cole\u200b\x00", ["ecole"]),
        ("x\u00a0=\t\u03a9", ["x", "=", "\u03c9"]),
        ("日本語ひらがな", ["日", "本", "語", "ひらかな"]),
        ("[CLS] $5", ["[", "cls", "]", "$", "5"]),
        ("«na»\ufffd…", ["«", "na", "»", "…"]),
        ("", []),
    ],
)
def test_words_are_those_of_uncased_models(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_text_cannot_spell_a_special_piece() -> None:
    assert spelled(WordPiece(PIECES).numbers("[SEP]"))[1:-1] == [UNKNOWN] * 3


def test_a_word_beyond_the_limit_is_unknown() -> None:
    pieces = WordPiece(PIECES)
    assert spelled(pieces.numbers("a" * MAX_WORD_CHARACTERS))[1:-1] == ["a", *["##a"] * 99]
    assert spelled(pieces.numbers("a" * (MAX_WORD_CHARACTERS + 1)))[1:-1] == [UNKNOWN]


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    pieces = WordPiece(PIECES)
    text = " " * (MAX_CHARACTERS - 1) + "ab"
    assert spelled(pieces.numbers(text)) == [BEGINNING, "a", END]


def test_a_vocabulary_without_special_pieces_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\[CLS\]"):
        WordPiece([UNKNOWN, END, "a"])
