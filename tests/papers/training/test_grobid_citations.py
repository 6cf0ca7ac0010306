"""Reader of GROBID's references, on invented ones."""

import pytest

from lycosa.errors import UsageError
from lycosa.papers.training.annotated_references import AnnotatedReference, Mark, distinct
from lycosa.papers.training.grobid_citations import parse_citations, read_citations
from realdata import CORPORA


def parse(*references):
    body = "".join(f"<bibl>{reference}</bibl>" for reference in references)
    data = f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><listBibl>{body}</listBibl></TEI>"
    return parse_citations(data.encode(), "lee.xml")


def labels(reference):
    return [(token.text, token.label) for token in reference.tokens()]


ARTICLE = (
    '<author>Lee A , Roe B</author>. <title level="a">Webs of <lb/>spiders</title>. '
    '<title level="j">J. Webs</title> <biblScope unit="volume">12</biblScope>'
    '(<biblScope unit="issue">3</biblScope>):<biblScope unit="page">L45</biblScope>'
    ' (<date>1999</date>), <idno type="DOI">10.1000/x1</idno>.'
)


def test_reads_the_fields_of_an_article():
    (one,) = parse(ARTICLE)
    assert one.document == "lee.xml"
    assert one.value("author") == "Lee A , Roe B"
    assert one.value("title") == "Webs of spiders"
    assert one.value("journal") == "J. Webs"
    assert one.value("volume") == "12 3"
    assert one.value("pages") == "L45"
    assert one.value("date") == "1999"
    assert one.value("identifier") == "10.1000/x1"


def test_each_word_gets_the_label_of_its_field():
    assert labels(parse(ARTICLE)[0])[-7:] == [
        ("Webs", "journal"), ("12", "volume"), ("(3):", "volume"), ("L", "pages"),
        ("45", "pages"), ("(1999),", "date"), ("10.1000/x1.", "identifier"),
    ]  # fmt: skip


def test_a_book_is_the_title_unless_it_holds_the_work():
    book = '<author>Lee</author> <title level="m">Webs</title>'
    chapter = '<title level="a">Flies</title>. In <title level="m">Webs</title>'
    meeting = '<author>Lee</author>, <title level="m">Proc. of Webs</title>'
    inside = '<author>Lee</author>, in <title level="m">Webs</title>'
    found = [[mark.label for mark in one.marks] for one in parse(book, chapter, meeting, inside)]
    assert found == [
        ["author", "title"], ["title", "booktitle"], ["author", "booktitle"],
        ["author", "booktitle"],
    ]  # fmt: skip


def test_words_outside_fields_go_to_what_they_announce():
    (one,) = parse(
        '[7] <author>Lee</author> (Eds.), <title level="m">Webs</title>, vol. '
        '<biblScope type="vol">2</biblScope>, pp. <biblScope type="pp">4-5</biblScope> reprinted'
    )
    assert labels(one) == [
        ("Lee", "author"), ("(Eds.),", "author"), ("Webs,", "title"), ("vol.", "volume"),
        ("2,", "volume"), ("pp.", "pages"), ("4-5", "pages"), ("reprinted", "note"),
    ]  # fmt: skip


def test_a_word_of_two_fields_goes_to_the_larger_one():
    one = AnnotatedReference("spiders9", (Mark(0, 7, "title"), Mark(7, 8, "volume")), "")
    assert labels(one) == [("spiders", "title"), ("9", "volume")]
    one = AnnotatedReference("12345", (Mark(0, 2, "volume"), Mark(2, 5, "pages")), "")
    assert labels(one) == [("12345", "pages")]


def test_copies_are_found_by_their_letters():
    one, other = parse("<author>Lee</author>: 1999", "<author>LEE</author>, 2000")
    assert distinct([one, other]) == [one]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<bibl><author>Lee</bibl>",
        b"\xff\xfe<bibl/>",
        b"<?xml version='1.0' encoding='nonsense'?><bibl/>",
        b"<!DOCTYPE b [<!ENTITY a 'aaaaaaaaaa'>]><bibl>&b;</bibl>",
    ],
)
def test_a_broken_file_is_named(data):
    with pytest.raises(UsageError, match=r"lee\.xml is not well-formed XML"):
        parse_citations(data, "lee.xml")


def test_references_without_fields_are_left_out():
    assert parse("", "no field", "<hi>Lee</hi>", "<author> </author>") == []


def test_unknown_elements_are_text():
    (one,) = parse("<hi>Dr.</hi> <author>Lee</author><foo/> 1999")
    assert one.text == "Dr. Lee 1999"
    assert one.marks == (Mark(4, 7, "author"),)


@pytest.mark.realdata
def test_reads_every_file_of_the_corpus():
    references = read_citations(CORPORA / "grobid" / "citation.tar.xz")
    assert len(references) > 4000
    assert all(reference.tokens() for reference in references)
    assert "citations.xml" not in {reference.document for reference in references}
