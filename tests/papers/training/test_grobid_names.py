"""Reading of annotated author lists, and their variants."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.name_labeller import LabelledPiece, join_names
from lycosa.papers.training.grobid_names import parse_author_lists
from lycosa.papers.training.name_variants import add_icons, family_first, one_name_a_line

TEI = """<tei><teiHeader><author>
<persName><forename>Ann</forename> <middlename>B</middlename>. <surname>van Lee</surname>,
  <roleName>PhD</roleName> <marker>1</marker> and<lb/></persName>
<persName><surname>Roe</surname> <forename>Zoe</forename></persName>
</author><author><persName><surname>Poe</surname></persName></author></teiHeader></tei>"""
NAMES = [("van Lee", "Ann B."), ("Roe", "Zoe")]


def test_names_are_read_without_roles_and_marks():
    authors, other = parse_author_lists(TEI)
    assert [tuple(name) for name in join_names(authors)] == NAMES
    assert [tuple(name) for name in join_names(other)] == [("Poe", "")]
    assert {piece.line for piece in authors} == {0, 1}


@pytest.mark.parametrize(
    "vary", [one_name_a_line, family_first, lambda one: add_icons(one, random.Random(1))]
)
def test_variants_have_the_same_names(vary):
    authors, _ = parse_author_lists(TEI)
    assert [tuple(name) for name in join_names(vary(authors))] == NAMES


def test_variants_look_different():
    authors, _ = parse_author_lists(TEI)
    assert [p.text for p in family_first(authors)][:4] == ["van", "Lee", ",", "Ann"]
    assert "and" not in [p.text for p in one_name_a_line(authors)]
    assert len(add_icons(authors, random.Random(1))) > len(authors)


KINDS = st.sampled_from("first-given given first-family family suffix role mark other".split())


@given(st.lists(st.builds(LabelledPiece, st.sampled_from(["Lee", "B.", ",", "2"]), KINDS)))
def test_variants_of_any_labels_keep_all_names_or_order(pieces):
    assert [p.text for p in one_name_a_line(pieces) if p.label != "other"] == [
        p.text for p in pieces if p.label != "other"
    ]
    assert len(family_first(pieces)) >= len(pieces)
