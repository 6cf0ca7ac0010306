"""Headers with the authors and affiliations of other papers."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.extraction.name_labeller import LabelledPiece
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.training.grobid_headers import AnnotatedHeader, parse_affiliations
from lycosa.papers.training.recombination import recombine

LISTS = [
    [
        LabelledPiece("Zoe", "first-given"),
        LabelledPiece("Roe", "family"),
        LabelledPiece(",", "other"),
        LabelledPiece("Carl", "first-given", 1),
        LabelledPiece("Poe", "family", 1),
    ]
]
PLACES = [[[Token("ETH", "affiliation"), Token("Zurich", "address", 1)]]]


def header(*rows):
    tokens = [
        Token(word, label, n) for n, (label, text) in enumerate(rows) for word in text.split()
    ]
    lines = [HeaderLine(text, bold=False, size_change=1, new_block=True) for _, text in rows]
    return AnnotatedHeader("a", tokens, lines)


def shown(found):
    return [(line.text, line.new_block) for line in found.lines]


def test_authors_and_affiliations_are_replaced_and_the_rest_stays():
    old = header(
        ("title", "Web spiders"),
        ("author", "Ann Lee and"),
        ("author", "Bob Doe and Eve"),
        ("affiliation", "MIT"),
        ("address", "Boston"),
        ("abstract", "We hunt"),
    )
    found = recombine(old, LISTS, PLACES, random.Random(1))
    assert shown(found) == [
        ("Web spiders", True),
        ("Zoe Roe,", True),
        ("Carl Poe", False),
        ("ETH", True),
        ("Zurich", False),
        ("We hunt", True),
    ]
    labels = [token.label for token in found.tokens]
    assert labels == ["title"] * 2 + ["author"] * 4 + ["affiliation", "address"] + ["abstract"] * 2


def test_a_field_within_a_line_stays_in_its_line():
    old = AnnotatedHeader(
        "a",
        [Token("Ann", "author"), Token("MIT", "affiliation"), Token("a@b.de", "email")],
        [HeaderLine("Ann MIT a@b.de")],
    )
    assert [line.text for line in recombine(old, LISTS, PLACES, random.Random(1)).lines] == [
        "Zoe Roe, ETH Zurich a@b.de"
    ]


def test_the_middle_of_an_abstract_is_left_out():
    old = header(*[("abstract", f"line {n}") for n in range(9)])
    texts = [line.text for line in recombine(old, LISTS, PLACES, random.Random(1)).lines]
    assert texts == ["line 0", "line 1", "line 2", "line 7", "line 8"]


LABELS = st.sampled_from("title author affiliation address abstract note".split())


@given(st.lists(st.tuples(LABELS, st.sampled_from(["Ann", "MIT and more"]))), st.integers())
def test_every_line_has_words_in_order(rows, seed):
    found = recombine(header(*rows), LISTS, PLACES, random.Random(seed))
    lines = [token.line for token in found.tokens]
    assert lines == sorted(lines)
    assert sorted(set(lines)) == list(range(len(found.lines)))
    for number, line in enumerate(found.lines):
        words = [token.text for token in found.tokens if token.line == number]
        assert line.text == " ".join(words)


def test_affiliations_are_read_one_by_one():
    text = """<TEI><analytic><author>
      <affiliation><orgName type="department">Webs</orgName>,<lb/>
        <address><settlement>Spidertown</settlement></address></affiliation> and
      <affiliation><marker>2</marker> <orgName>ETH</orgName></affiliation>
    </author></analytic></TEI>"""
    first, second = parse_affiliations(text)
    assert [tuple(token) for token in first] == [
        ("Webs,", "affiliation", 0),
        ("Spidertown", "address", 1),
    ]
    assert [token.text for token in second] == ["2", "ETH"]


def test_broken_annotations_are_refused():
    with pytest.raises(SyntaxError):
        parse_affiliations("<TEI><analytic>")
