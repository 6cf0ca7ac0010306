"""What people type: names with signs, other forms of a word, questions, in three languages."""

import pytest
from tools import department

from portal.browser.three_languages import (
    CAPABILITIES,
    COMPARED,
    CPP,
    LANGUAGES,
    LIBRARY,
    NORM,
    PACKAGES,
    SHARP,
    C,
    make_portal,
)
from portal.browser.window import Window


@pytest.fixture(scope="module")
def window(driver, tmp_path_factory):
    folder = make_portal(tmp_path_factory.mktemp("three") / "languages")
    with department.serve_portal(folder) as address:
        yield Window(driver, address, "")


def found(window, text):
    """Search; return the titles of the works that have a word of the query."""
    window.open("/")
    window.search(text)
    return [
        hit.find_element("css selector", ".title").text
        for hit in window.all(".hit")
        if not hit.find_elements("css selector", ".related")
    ]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("C++", [CPP]),
        ("c#", [SHARP]),
        ("C", [C]),
        ("p-norm", [NORM]),
        ("pnorm", [NORM]),
        ("langage", [LANGUAGES]),
        ("bibliotheques", [LIBRARY]),
    ],
)
def test_a_name_finds_its_work_and_not_others(window, text, titles):
    assert found(window, text) == titles


@pytest.mark.parametrize("text", ["Paketverwaltungen", "Paketverwaltung", "paketverwaltung"])
def test_all_forms_of_a_german_word_find_the_same(window, text):
    assert sorted(found(window, text)) == sorted([PACKAGES, COMPARED])
    marks = {mark.text for mark in window.all(".hit mark")}
    assert marks == {"Paketverwaltung", "Paketverwaltungen"}


def test_a_question_in_plain_words_is_answered_and_explained(window):
    assert found(window, "how do capabilities work")[0] == CAPABILITIES
    window.follow(window.one(".hit .why"))
    assert window.one("h1").text == "Why this result?"
    assert window.one("main .title").text == CAPABILITIES
    reasons = window.texts(".reasons li")
    assert reasons[0] == "It has all 2 words, so it comes before works that have only some."
    assert any("“capabilities” is in its title" in reason for reason in reasons)
    assert "“how” and “do” were ignored beside the other words." in reasons
    assert "It has words of the query side by side: “capabilities work”." in reasons
    window.follow(window.one(".crumbs a"))
    assert window.one("#q").get_attribute("value") == "how do capabilities work"


def test_works_without_the_words_are_marked(window):
    words = found(window, "Paketverwaltungen")
    others = window.all(".hit .related")
    assert window.total() == len(words) + len(others)
    assert {label.text.rstrip(" ·") for label in others} <= {"Related in meaning"}


def test_the_languages_are_a_facet(window):
    window.open("/search?q=")
    labels = [
        label.get_attribute("textContent") for label in window.all("#facet-language ~ ul .label")
    ]
    assert sorted(labels) == ["English", "French", "German"]
