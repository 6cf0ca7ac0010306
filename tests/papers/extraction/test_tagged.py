"""Tagged text: parsing, errors, and round trips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.papers.extraction.tagged import (
    HEADER_LABELS,
    NEW_HEADER,
    NEW_REFERENCE,
    REFERENCE_LABELS,
    Token,
    format_tagged,
    parse_tagged,
    read_headers,
    read_references,
    write_tagged,
)
from realdata import CORPORA
from recorded_sites import realdata

HEADERS = CORPORA / "cora-headers" / "tagged_headers.txt"
REFERENCES = CORPORA / "cora-references" / "tagged_references.txt"
needs_corpora = pytest.mark.skipif(not CORPORA.is_dir(), reason=f"no corpora at {CORPORA}")

WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6).filter(
    lambda text: text.split() == [text] and "+L+" not in text and "<" not in text
)


@st.composite
def items(draw):
    labels = ["", "title", "note"]
    step = st.tuples(WORDS, st.sampled_from(labels), st.integers(0, 2))
    line, tokens = 0, []
    for text, label, more in draw(st.lists(step, max_size=8)):
        line += more
        tokens.append(Token(text, label, line))
    return tokens


@given(st.lists(items(), max_size=4), st.sampled_from([NEW_HEADER, NEW_REFERENCE]))
def test_written_items_are_read_back(written, mark):
    assert parse_tagged(format_tagged(written, mark), mark) == written


@given(st.text(alphabet="<>/+L titleau\nNEW_HADRFC", max_size=60))
def test_any_text_is_parsed_or_refused_with_a_line_number(text):
    complaint, read = "some.txt, line ", []
    try:
        read = parse_tagged(f"{NEW_HEADER}\n{text}", NEW_HEADER, "some.txt")
    except UsageError as error:
        complaint = str(error)
    assert complaint.startswith("some.txt, line ")
    assert all(token.label in ("", *HEADER_LABELS) for item in read for token in item)


def test_accepts_a_byte_order_mark_and_untagged_words(tmp_path):
    path = tmp_path / "headers.txt"
    path.write_bytes(
        "\ufeff<NEW_HEADER>\n<title> A\nB +L+\n\nC+L+</title> by <page> +PAGE+ </page>".encode()
    )
    assert read_headers(path) == [
        [
            Token("A", "title", 0),
            Token("B", "title", 0),
            Token("C", "title", 1),
            Token("by", "", 2),
            Token("+PAGE+", "page", 2),
        ]
    ]


def test_an_address_in_angle_brackets_is_text():
    (item,) = parse_tagged(f"{NEW_HEADER} <email> <joe@x.edu> </email> a<3", NEW_HEADER)
    assert item == [Token("<joe@x.edu>", "email"), Token("a<3")]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{m}\n<title> A\n{m}", "line 2: <title> is never closed"),
        ("{m}\n\n<title> A", "line 3: <title> is never closed"),
        ("{m}\nA </title>", "line 2: </title> closes a tag that is not open"),
        ("{m}\n<note>\n</title>", "line 3: </title> closes a tag that is not open"),
        ("{m} <note>\n<title>", "line 2: <title> is inside <note>"),
        ("{m}\n<titel> A </titel>", "line 2: <titel> is not a tag"),
        ("A\n{m}", "line 1: 'A' is before the first"),
    ],
)
def test_invalid_tags_are_refused_with_their_line(text, complaint):
    with pytest.raises(UsageError, match=complaint):
        parse_tagged(text.format(m=NEW_HEADER), NEW_HEADER)


def test_a_file_of_the_other_kind_is_refused():
    with pytest.raises(UsageError, match="line 1: '<NEW_HEADER>' is before the first"):
        parse_tagged(NEW_HEADER, NEW_REFERENCE)
    with pytest.raises(UsageError, match="<NEW_HEADER> is not a tag of a <NEWREFERENCE> file"):
        parse_tagged(f"{NEW_REFERENCE} {NEW_HEADER}", NEW_REFERENCE)


@pytest.mark.parametrize("word", ["two words", "", "<title>", "a+L+b", " a", NEW_HEADER])
def test_refuses_to_write_words_that_cannot_be_read_back(word):
    with pytest.raises(UsageError, match="cannot be written"):
        format_tagged([[Token(word, "title")]], NEW_HEADER)


def test_refuses_to_write_unknown_labels_and_unordered_lines():
    with pytest.raises(UsageError, match="'titel' is not a tag"):
        format_tagged([[Token("A", "titel")]], NEW_HEADER)
    with pytest.raises(UsageError, match="earlier line"):
        format_tagged([[Token("A", "title", 1), Token("B", "title", 0)]], NEW_HEADER)


def test_missing_and_binary_files_are_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_headers(tmp_path / "none.txt")
    (tmp_path / "odd.txt").write_bytes(b"\xff\xfe\x00<")
    with pytest.raises(UsageError, match="cannot be read"):
        read_references(tmp_path / "odd.txt")


@realdata
@needs_corpora
def test_reads_the_real_corpora_completely(tmp_path):
    headers, references = read_headers(HEADERS), read_references(REFERENCES)
    assert (len(headers), len(references)) == (935, 500)
    assert {t.label for item in headers for t in item} == {"", *HEADER_LABELS}
    assert {t.label for item in references for t in item} == set(REFERENCE_LABELS)
    outside = [sum(not t.label for t in item) for item in headers]
    assert (sum(n > 0 for n in outside), sum(outside)) == (15, 15)
    for read, items, mark in (
        (read_headers, headers, NEW_HEADER),
        (read_references, references, NEW_REFERENCE),
    ):
        write_tagged(tmp_path / "again.txt", items, mark)
        assert read(tmp_path / "again.txt") == items
