"""Fields and the parsing of their values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.fields import (
    FieldSpan,
    Header,
    Reference,
    join_broken_words,
    page_range,
    parse_pages,
    parse_volume,
    parse_year,
)
from lycosa.papers.extraction.names import PersonName


def field(text, start=0, confidence=0.5):
    return FieldSpan(text, confidence, start, start + len(text.split()), 0, text.count("\n"))


@given(st.integers(1600, 2099))
def test_parses_years_in_any_notation(year):
    for dress in (f"({year}a).", f"May {year},", f"12-14 June {year}"):
        assert parse_year(dress) == year


@given(st.integers(1, 9999), st.integers(0, 500))
def test_parses_pages_in_any_notation(first, more):
    last = first + more
    for dress in (f"pp. {first}-{last}.", f"pages {first}--{last},", f"{first}\u2013{last}"):
        assert parse_pages(dress) == (first, last)


@pytest.mark.parametrize("text", ["", "to appear", "12345678", "'x"])
def test_text_without_a_year_is_none(text):
    assert parse_year(text) is None


def test_expands_an_abbreviated_last_page():
    assert parse_pages("1127-36") == (1127, 1136)
    assert parse_pages("no numbers") is None


@given(st.integers(1, 99_999), st.integers(0, 500))
def test_expands_any_abbreviation_of_the_last_page(first, more):
    """It may drop what both numbers begin with, if they are of one length."""
    one, two = str(first), str(first + more)
    common = next((n for n in range(len(one)) if one[n] != two[n]), len(one) - 1)
    for cut in range(common + 1 if len(one) == len(two) else 1):
        assert page_range(one, two[cut:]) == (first, first + more)


def test_joins_hyphenated_words_only():
    assert join_broken_words("hyper- text and X- ray") == "hypertext and X- ray"


def test_properties_of_a_header():
    header = Header(
        {
            "title": (field("Web\nSpiders \u2217\u00a7"),),
            "author": (field("Ann Lee and\nBob Roe"), field("Carl Poe")),
            "email": (field("{ann, bob}@x.edu carl@y.org"),),
            "abstract": (field("Abstract\nWe show hyper-\ntext."),),
            "keyword": (field("Keywords: spiders, webs; flies."),),
            "date": (field("July 12, 1992"),),
        }
    )
    assert header.title == "Web Spiders"
    assert header.authors == (
        PersonName("Lee", "Ann"),
        PersonName("Roe", "Bob"),
        PersonName("Poe", "Carl"),
    )
    assert header.emails == ("ann@x.edu", "bob@x.edu", "carl@y.org")
    assert header.abstract == "We show hypertext."
    assert header.keywords == ("spiders", "webs", "flies")
    assert header.year == 1992
    assert list(header) == ["title", "author", "email", "abstract", "keyword", "date"]
    assert "note" not in header
    assert header.text("note") == ""
    assert header.confidence("note") == 0.0


def test_confidence_is_weighted_by_words():
    header = Header({"title": (field("a b c", 0, 0.9), field("d", 5, 0.5))})
    assert header.confidence("title") == pytest.approx(0.8)


def test_record_of_a_reference():
    reference = Reference(
        {
            "author": (field("Lee, A., & Roe, B."),),
            "title": (field('"Spiders,"'),),
            "booktitle": (field("In Proc. of the Web,"),),
            "pages": (field("pp. 10-19,"),),
            "volume": (field("12(3):"),),
            "date": (field("(1999)."),),
            "editor": (field("In C. Poe, editor,"),),
        }
    )
    assert reference.editors == (PersonName("Poe", "C."),)
    assert reference.record() == {
        "authors": "Lee, A. and Roe, B.",
        "title": "Spiders",
        "venue": "Proc. of the Web",
        "year": "1999",
        "pages": "10-19",
        "volume": "12(3)",
    }
    empty = Reference().record()
    assert set(empty) == set(reference.record())
    assert not any(empty.values())


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("1 March 1 994", 1994),
        ("May 9, 1 9 9 7", 1997),
        ("20 April 20 10", 2010),
        ("Nov 94", 1994),
        ("94-Mar-17", 1994),
        ("June 12", None),
        ("12 June", None),
    ],
)
def test_years_can_be_spaced_or_short(text, year):
    assert parse_year(text) == year


@pytest.mark.parametrize(
    ("text", "volume", "issue"),
    [
        ("12(3)", "12", "3"),
        ("Vol. 23, No. 7", "23", "7"),
        ("267", "267", ""),
        ("Heft 4", "", "4"),
        ("A12", "A12", ""),
        ("", "", ""),
    ],
)
def test_volume_and_issue(text, volume, issue):
    assert parse_volume(text) == (volume, issue)
    reference = Reference({"volume": (FieldSpan(text, 1.0, 0, 1, 0, 0),)})
    assert (reference.volume, reference.issue) == (volume, issue)
