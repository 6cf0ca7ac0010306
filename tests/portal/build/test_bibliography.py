"""The bibliography of a document, cut out of its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.realdata import PAPERS

from lycosa.documents.conversion import Converter
from lycosa.papers.extraction.sections import find_sections
from lycosa.portal.build.bibliography import MAX_GAP, split_bibliography

LISTED = [
    "[1] B. Roe. Webs and spiders. 1998.",
    "[2] A. Lee. Flies that learn. 1999.",
    "[3] C. Diaz. Nets. 2001.",
]
REFERENCE = st.text("ab .", min_size=1, max_size=30).map(str.strip).filter(bool)


def test_references_and_their_heading_are_cut_out():
    text = f"Spiders hunt [1]. 7 References: {' '.join(LISTED)}"
    assert split_bibliography(text, LISTED) == ("Spiders hunt [1]. 7", " ".join(LISTED))


def test_what_is_between_and_after_references_stays():
    text = f"Body. References {LISTED[0]} Page 7 {LISTED[1]} {LISTED[2]} A. Proofs"
    assert split_bibliography(text, LISTED)[0] == "Body. Page 7 A. Proofs"


def test_a_reference_that_is_not_found_stays_in_the_text():
    text = f"Body. {LISTED[0]} [2] A. Lee. Fl1es. 1999. {LISTED[2]} End"
    body, references = split_bibliography(text, LISTED)
    assert body == "Body. [2] A. Lee. Fl1es. 1999. End"
    assert references == " ".join(LISTED)


def test_a_reference_far_from_the_others_is_not_cut_out():
    text = f"Body. {LISTED[0]} {'x' * 2 * MAX_GAP} {LISTED[1]}"
    assert LISTED[1] in split_bibliography(text, LISTED)[0]


@pytest.mark.parametrize(
    ("text", "references"), [("", []), ("Body", []), ("Body", LISTED), ("", LISTED), ("a b", ["a"])]
)
def test_nothing_is_cut_where_nothing_is_found(text, references):
    assert split_bibliography(text, references) == (text, " ".join(references))


@given(st.lists(REFERENCE), st.lists(REFERENCE), st.lists(REFERENCE))
def test_only_listed_text_is_removed(before, listed, after):
    text = " ".join((*before, *listed, *after))
    body, references = split_bibliography(text, listed)
    assert references == " ".join(listed)
    letters = iter(text)
    assert all(letter in letters for letter in body.replace(" ", "")), "in the order of the text"
    assert len(text) - len(body) <= len(references) + len(listed) + 1


def test_long_texts_take_linear_time():
    """A quadratic search would take hours."""
    text = "a" * 1_000_000
    listed = ["a" * 400 + "b"] * 2000
    assert split_bibliography(text, listed)[0] == text
    found = f"{text} c{'a' * 400}d"
    assert split_bibliography(found, [f"c{'a' * 400}d", *listed])[0] == text


@pytest.mark.realdata
def test_the_references_of_real_papers_are_found():
    total = found = 0
    with Converter() as converter:
        labels = dict(row.split("\t") for row in (PAPERS / "labels.tsv").read_text().splitlines())
        for path in sorted(PAPERS.glob("*.pdf"))[:20]:
            if labels[path.name] != "paper":
                continue  # a list of publications is no list of references
            converted = converter.convert_file(path)
            if converted.outcome != "text":
                continue
            entries = find_sections(converted.lines).references
            listed = [f"{entry.label} {entry.text}".strip() for entry in entries]
            text = converted.text
            body, _ = split_bibliography(text, listed)
            total += sum(map(len, listed))
            found += len(text) - len(body)
    assert total > 20_000
    assert found > 0.95 * total
