"""Extraction of fields with the shipped models."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.papers.extraction.extractor import MAX_WORDS, Extractor
from lycosa.papers.extraction.labeller import HeaderLine, Prediction
from lycosa.papers.extraction.names import PersonName

PAGE = """
Spiders That Learn From Their Webs
Ann B. Lee
Department of Computer Science
University of Texas
Austin, TX 78712
ann@cs.utexas.edu
Abstract
We present a method for learning in large networks. It is shown that the
results of our experiments are better than those of earlier systems.
1 Introduction
Spiders are animals.
""".strip().splitlines()


@pytest.fixture(scope="module")
def extractor():
    return Extractor()


def test_extracts_a_header(extractor):
    header = extractor.header(PAGE)
    assert header.title == "Spiders That Learn From Their Webs"
    assert header.authors == (PersonName("Lee", "Ann B."),)
    assert header.emails == ("ann@cs.utexas.edu",)
    assert "University of Texas" in header.text("affiliation")
    assert "Austin, TX 78712" in header.text("address")
    assert header.abstract.startswith("We present")
    assert "animals" not in "".join(map(header.text, header))
    (title,) = header.fields["title"]
    assert (title.start, title.stop, title.line, title.last_line) == (0, 6, 0, 0)
    assert 0.5 < title.confidence <= 1.0


def test_a_heading_may_be_joined_to_the_abstract(extractor):
    lines = [*PAGE[:6], f"Abstract\u2014{PAGE[7]}", PAGE[8], "Index Terms\u2014Spiders, webs."]
    header = extractor.header(lines)
    assert header.abstract.startswith("We present a method")
    assert header.keywords == ("Spiders", "webs")


def test_accepts_lines_with_layout(extractor):
    lines = [
        HeaderLine(PAGE[0], 1.6, True, True, 2.0),
        *(HeaderLine(t, 1.0, False, True, 1.0) for t in PAGE[1:]),
    ]
    assert extractor.header(lines).title == "Spiders That Learn From Their Webs"


@pytest.mark.parametrize(
    "number", ["", "[12] ", "[Lee+97] ", "3. ", "(4) ", "[ 12 ]", "( 4 ) ", "<b>5.</b> "]
)
def test_extracts_a_reference_after_its_number(extractor, number):
    text = "A. Lee and B. Roe. Learning to crawl. Machine Learning, 12(2):101-20, May 1997."
    reference = extractor.reference(number + text)
    assert reference.title == "Learning to crawl"
    assert reference.authors == (PersonName("Lee", "A."), PersonName("Roe", "B."))
    assert reference.text("journal") == "Machine Learning"
    assert reference.text("volume") == "12(2)"
    assert reference.pages == (101, 120)
    assert reference.year == 1997


def test_extracts_references_of_other_styles(extractor):
    text = (
        "Lee, A., & Roe, B. (1996b). Learning to crawl. In Proceedings of the Tenth National\n"
        "Conference on Artificial Intelligence, pp. 10-19. San Jose, CA: AAAI Press."
    )
    reference = extractor.reference(text)
    assert reference.title == "Learning to crawl"
    assert reference.year == 1996
    assert reference.venue.startswith("Proceedings of the Tenth")
    assert reference.text("publisher") == "AAAI Press"


@pytest.mark.parametrize("author", ["A. Lee", "B. Kim & C. Ng", "Ann Lee and Bob Smith"])
@pytest.mark.parametrize("title", ["Spiders & webs", "Search & Rescue", "Learning & acting slowly"])
def test_an_ampersand_can_join_authors_or_words_of_a_title(extractor, author, title):
    reference = extractor.reference(f"{author}. {title}. Machine Learning, 12(2):101-20, 1997.")
    assert (reference.title, reference.text("author")) == (title, author)


def test_empty_text_has_no_fields(extractor):
    assert list(extractor.reference("")) == []
    assert list(extractor.header([])) == []
    assert list(extractor.header(["", "  "])) == []


@given(st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_text_is_extracted(text):
    extractor = Extractor()
    reference = extractor.reference(text)
    spans = sorted((f.start, f.stop, f.text) for ps in reference.fields.values() for f in ps)
    assert [a[1] for a in spans[:-1]] == [b[0] for b in spans[1:]]
    found = "".join("".join(text.split()) for _, _, text in spans)
    assert "".join(text.split()).endswith(found)  # but for the label before it
    extractor.header(text.splitlines())
    reference.record()


def test_long_items_are_truncated(extractor):
    reference = extractor.reference("spider " * (MAX_WORDS + 500))
    assert max(f.stop for parts in reference.fields.values() for f in parts) == MAX_WORDS
    assert extractor.header(["spider " * (MAX_WORDS + 5)])


def test_accepts_another_labeller():
    class Titles:
        def tag(self, tokens, layout=()):
            return [Prediction("title", 1.0) for _ in tokens]

    extractor = Extractor(headers=Titles(), references=Titles())
    assert extractor.reference("A. Lee. Spiders.").title == "A. Lee. Spiders"
    assert extractor.header(["Spiders", "A. Lee"]).title.startswith("Spiders A. Lee")
