"""Tests of titles in quotation marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.labeller import Prediction
from lycosa.papers.extraction.quoted_title import label_quoted_title


def labelled(words: str, labels: str) -> list[str]:
    found = [Prediction(label, 0.9) for label in labels.split()]
    return [one.label for one in label_quoted_title(words.split(), found)]


@pytest.mark.parametrize(
    "words",
    [
        'Lee, "Webs: Part 2," 1999.',
        "Lee, \u201cWebs: Part 2,\u201d 1999.",
        "Lee, ``Webs: Part 2,'' 1999.",
        "Lee, \u00abWebs: Part 2\u00bb, 1999.",
        "Lee, \u201eWebs: Part 2\u201c, 1999.",
        'Lee, ("Webs: Part 2)," 1999.',
    ],
)
def test_a_title_reaches_to_the_end_of_its_quotation(words: str) -> None:
    assert labelled(words, "author title booktitle volume date") == [
        "author", "title", "title", "title", "date",
    ]  # fmt: skip


def test_a_quotation_that_is_mostly_title_begins_the_title() -> None:
    assert labelled('"Web spiders learn" 1999', "author title title date") == [
        "title", "title", "title", "date",
    ]  # fmt: skip


def test_a_quotation_in_another_field_keeps_its_labels() -> None:
    labels = "title note note date"
    assert labelled('Webs "in press" 1999', labels) == labels.split()


def test_a_quotation_that_is_never_closed_keeps_its_labels() -> None:
    labels = "title journal volume date"
    assert labelled('"Webs Nature 12 1999', labels) == labels.split()


def test_a_mark_on_one_word_does_not_open_a_quotation() -> None:
    labels = "title journal volume date"
    assert labelled('"Webs" Nature 12" 1999', labels) == labels.split()


words_and_labels = st.lists(
    st.tuples(st.text("a\"()\u201c\u201d`'", min_size=1, max_size=4), st.sampled_from("tab")),
    max_size=12,
)


@given(words_and_labels)
def test_only_words_between_quotation_marks_change_and_only_to_title(
    pairs: list[tuple[str, str]],
) -> None:
    words = [word for word, _ in pairs]
    before = [Prediction({"t": "title"}.get(label, label), 0.5) for _, label in pairs]
    after = label_quoted_title(words, before)
    changed = [n for n, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    assert all(after[n] == Prediction("title", 0.5) for n in changed)
    if changed:
        marks = "\"\u201c\u201d`'"
        assert any(c in marks for word in words[: changed[0] + 1] for c in word)
        assert any(c in marks for word in words[changed[-1] :] for c in word)
    assert label_quoted_title(words, after) == after
