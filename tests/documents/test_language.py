"""Language detection on texts with parts in another language."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from documents.sample_sentences import CODE, REFERENCES, SENTENCES
from lycosa.documents.language import LANGUAGES, NAMES, SCRIPT_WEIGHTS, SCRIPTS, detect_language
from lycosa.web.words import words

OTHERS = sorted(SENTENCES.keys() - {"en"})
CODES = st.sampled_from(OTHERS)


def language(*parts, declared=""):
    return detect_language(words("\n".join(parts)), declared)


@pytest.mark.parametrize("code", SENTENCES)
def test_detects_running_text(code):
    assert language(*SENTENCES[code]) == code


@pytest.mark.parametrize("code", OTHERS)
def test_a_chapter_with_an_english_bibliography_is_not_english(code):
    assert language(*SENTENCES[code], "References", *REFERENCES) == code
    assert language(*SENTENCES[code], *SENTENCES[code], *REFERENCES * 2) == code


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("times", [1, 2, 4])
def test_a_chapter_with_listings_is_not_english(code, times):
    assert language(*CODE * times, *SENTENCES[code], *CODE * times) in (code, "")
    assert language(*SENTENCES[code], *CODE * times) == code


@pytest.mark.parametrize("code", OTHERS)
def test_an_abstract_in_another_language_does_not_decide(code):
    assert language(SENTENCES[code][0], *SENTENCES["en"]) == "en"
    assert language(SENTENCES["en"][0], *SENTENCES[code]) == code


@given(CODES, CODES | st.just("en"), st.integers(1, 6), st.randoms())
def test_most_of_the_text_decides_in_any_order(code, other, times, chance):
    """A quarter is in another language, and the sentences are shuffled."""
    assume({code, other} != {"ja", "zh"})  # they share characters
    text = [*SENTENCES[code] * 3 * times, *SENTENCES[other] * times]
    chance.shuffle(text)
    # Spanish and Portuguese share many function words.
    assert language(*text) in ((code,) if other in (code, "en") else (code, ""))


@pytest.mark.parametrize(
    "text",
    [
        "Home News Contact Products Services Login " * 15
        + "English Deutsch Français 日本語 简体中文 繁體中文 한국어 Ελληνικά עברית",
        "α β γ δ ε λ μ π σ Σ x y z, α β γ δ",
        "สวัสดีชาวโลก ยินดีต้อนรับ " * 20 + "Home of the site, terms and contact for all of you",
        "Spider",
        "Un titre court",
    ],
)
def test_titles_menus_and_symbols_have_no_language(text):
    assert language(text) == ""


def test_a_declared_language_holds_unless_the_text_contradicts():
    assert language("Un titre court", declared="fr") == "fr"
    assert language("Un títol curt", declared="ca") == "ca"
    assert language(*SENTENCES["fr"], declared="en") == "fr"
    assert language(*SENTENCES["fr"][:2], *SENTENCES["en"][:2], declared="fr") == "fr"
    assert language(*SENTENCES["it"], *SENTENCES["de"], declared="en") == ""
    assert language("", declared="xx") == "xx"


def test_every_language_has_a_name():
    assert set(LANGUAGES) <= set(NAMES)
    assert {script for script in SCRIPTS if script} == set(SCRIPT_WEIGHTS)
    assert {code for script in SCRIPTS for code in script} <= set(LANGUAGES)
