"""Synthetic papers: seeded, fully labelled, by the conventions of tagged text."""

import random

import pytest

from lycosa.papers.extraction.tagged import (
    HEADER_LABELS,
    NEW_HEADER,
    NEW_REFERENCE,
    REFERENCE_LABELS,
    format_tagged,
    parse_tagged,
)
from lycosa.papers.synthetic import (
    STYLES,
    generate_headers,
    generate_reference,
    generate_references,
)
from lycosa.papers.synthetic.text_generator import TextGenerator


def runs(tokens):
    found = []
    for token in tokens:
        if not found or found[-1][0] != token.label:
            found.append((token.label, []))
        found[-1][1].append(token.text)
    return [(label, " ".join(words)) for label, words in found]


def test_text_depends_on_the_seed_only():
    assert generate_references(20, 3) == generate_references(20, 3)
    assert generate_references(20, 3) != generate_references(20, 4)
    assert generate_headers(5, 3) == generate_headers(5, 3)
    assert generate_headers(5, 3) != generate_headers(5, 4)


def test_more_items_begin_with_the_same_items():
    assert generate_references(30, 1)[:10] == generate_references(10, 1)


def test_every_word_has_a_known_label():
    references = generate_references(300, 1)
    assert {t.label for r in references for t in r} == set(REFERENCE_LABELS)
    headers = generate_headers(200, 1)
    assert {t.label for h in headers for t in h.tokens} == set(HEADER_LABELS)


def test_items_can_be_written_as_tagged_text_and_read_back():
    references = generate_references(100, 2)
    assert parse_tagged(format_tagged(references, NEW_REFERENCE), NEW_REFERENCE) == references
    headers = [header.tokens for header in generate_headers(30, 2)]
    assert parse_tagged(format_tagged(headers, NEW_HEADER), NEW_HEADER) == headers


def test_styles_are_many_and_different():
    assert len(STYLES) >= 25
    printed = set()
    for style in STYLES.values():
        muse = TextGenerator(random.Random(11))
        works = [generate_reference(muse, style) for _ in range(12)]
        printed.add(" ".join(t.text for work in works for t in work))
    assert len(printed) == len(STYLES)


@pytest.mark.parametrize("name", sorted(STYLES))
def test_every_style_formats_every_kind_of_work(name):
    muse = TextGenerator(random.Random(name))
    labels = set()
    for _ in range(120):
        labels |= {t.label for t in generate_reference(muse, STYLES[name])}
    assert {"author", "title", "date", "publisher", "booktitle", "journal", "tech"} <= labels


def test_punctuation_belongs_to_the_field_before_it():
    for reference in generate_references(300, 5):
        for _, text in runs(reference):
            assert text[0] not in ".,;:"


def test_introducing_words_belong_to_the_field_they_introduce():
    found = {"In": set(), "pages": set(), "pp.": set(), "editors,": set()}
    for reference in generate_references(600, 6):
        for label, text in runs(reference):
            for word in text.split()[:1]:
                if word in found:
                    found[word].add(label)
    assert found["In"] <= {"booktitle", "editor", "note", "title"}
    assert found["pages"] == {"pages"}
    assert found["pp."] == {"pages"}


def test_ampersands_join_people_and_words():
    found = {t.label for r in generate_references(1000, 6) for t in r if t.text == "&"}
    assert {"author", "title", "journal", "booktitle"} <= found


def test_lines_of_a_header_agree_with_its_tokens():
    for header in generate_headers(50, 7):
        assert [t.line for t in header.tokens] == sorted(t.line for t in header.tokens)
        for number, line in enumerate(header.lines):
            words = [t.text for t in header.tokens if t.line == number]
            assert line.text.split() == words
        assert header.tokens[-1].label in ("intro", "page")


def test_half_of_the_headers_have_no_layout():
    bare = [header.lines[0].size is None for header in generate_headers(200, 8)]
    assert 60 < sum(bare) < 140
