"""Reader of GROBID's lists of references, on invented ones."""

import pytest

from lycosa.errors import UsageError
from lycosa.papers.training.grobid_raw import RawRow
from lycosa.papers.training.grobid_reference_lists import (
    parse_reference_list,
    read_reference_lists,
)
from realdata import CORPORA

LIST = (
    b"<tei><text><listBibl>References<lb/> <bibl><label>[1]</label> A. Lee. Web<lb/> spiders."
    b" </bibl><bibl>[2] B. Roe.<lb/> </bibl> 77<lb/></listBibl></text></tei>"
)


def rows(text):
    """Return the rows of lines; ">" begins an indented line, "=" a block."""
    found = []
    for line in text.split("\n"):
        first = True
        for word in line.lstrip(">=").split():
            found.append(
                RawRow(
                    word,
                    line="start" if first else "in",
                    block="start" if first and line.startswith("=") else "in",
                    indented=line.startswith(">"),
                )
            )
            first = False
    return found


def test_lines_have_the_label_of_the_reference_that_they_are_in():
    one = parse_reference_list(
        LIST, rows("=References\n=[1] A. Lee. Web\n>spiders.\n[2] B. Roe.\n77"), "lee"
    )
    assert [line.text for line in one.lines] == [
        "References", "[1] A. Lee. Web", "spiders.", "[2] B. Roe.", "77",
    ]  # fmt: skip
    assert one.labels == ("other", "begin", "more", "begin", "other")
    assert one.references == 2
    assert [line.x for line in one.lines] == [0, 0, 12, 0, 0]
    steps = [a.y - b.y for a, b in zip(one.lines, one.lines[1:], strict=False)]
    assert steps == [20, 12, 12, 12]


def test_the_layout_may_have_text_before_and_after():
    one = parse_reference_list(
        LIST, rows("Page 9\nReferences\n[1] A. Lee.\nWeb spiders.\n[2] B. Roe.\n77\nEnd"), "lee"
    )
    assert one.labels == ("other", "begin", "more", "begin", "other")


@pytest.mark.parametrize("layout", ["", "Other words"])
def test_a_layout_of_another_text_is_left_out(layout):
    assert parse_reference_list(LIST, rows(layout), "lee").lines == ()


def test_a_broken_file_is_named():
    with pytest.raises(UsageError, match="lee is not well-formed XML"):
        parse_reference_list(b"<tei>", [], "lee")


@pytest.mark.realdata
def test_reads_most_lists_of_the_corpus():
    lists = read_reference_lists(CORPORA / "grobid" / "reference-segmenter.tar.xz")
    assert len(lists) > 85
    assert all(len(one.lines) == len(one.labels) for one in lists)
