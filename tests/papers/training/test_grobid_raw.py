"""Rows of layout features."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.papers.training.grobid_raw import COLUMNS, RawRow, read_raw

LINE = (
    "Spiders hunt spiders S Sp Spi Spid BLOCKSTART PAGEEND NEWFONT LOWERFONT 0 1 INITCAP NODIGIT"
    " 0 0 0 0 0 0 0 0 0 4 , 1 10 0 0 0 0 1"
)
TOKEN = "\xa0 \xa0" + " ." * 8 + " LINEIN LINEINDENT NOCAPS NODIGIT" + " 0" * 11 + " BLOCKEND 4 0"


def test_a_line_of_the_segmentation_corpus_has_two_words_and_its_layout() -> None:
    (row,) = read_raw(LINE, "segmentation")
    expected = RawRow("Spiders", "hunt", "start", "", "end", False, True, -1, False, True)
    assert row == expected


def test_a_token_can_be_an_unusual_space() -> None:
    (row,) = read_raw(TOKEN, "reference-segmenter")
    assert (row.text, row.block, row.line, row.indented) == ("\xa0", "end", "in", True)


def test_damaged_rows_are_left_out() -> None:
    assert len(read_raw(f"{LINE}\n\n{LINE} 1\nSpiders\n{LINE}", "segmentation")) == 2


def test_an_unknown_corpus_is_refused() -> None:
    with pytest.raises(UsageError, match="corpus with layout"):
        read_raw(LINE, "affiliations")


@given(st.text(), st.sampled_from(sorted(COLUMNS)))
def test_any_text_is_read(text: str, corpus: str) -> None:
    assert len(read_raw(text, corpus)) <= text.count("\n") + 1
