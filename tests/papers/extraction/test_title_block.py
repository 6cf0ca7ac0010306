"""Reading order of title blocks."""

from hypothesis import given
from hypothesis import strategies as st

from lycosa.documents.layout import TextLine
from lycosa.papers.extraction.title_block import order_title_block


def line(text, x, y, width=60, size=10.0, page=0):
    return TextLine(text, page, x, y, width, size)


def texts(lines, opening):
    return [one.text for one in order_title_block(lines, opening)]


def test_rows_of_cells_are_read_cell_by_cell():
    lines = [
        line("Title", 100, 740, 300, 16.0),
        # The reader of columns has read the left column of both rows first.
        line("Lee", 80, 700), line("MIT", 80, 688), line("Roe", 80, 660), line("ETH", 80, 648),
        line("Poe", 300, 700), line("CMU", 300, 688), line("Doe", 300, 660), line("UCL", 300, 648),
        line("Abstract", 60, 600),
        line("We hunt", 60, 588, 200),
    ]  # fmt: skip
    expected = "Title Lee MIT Poe CMU Roe ETH Doe UCL Abstract".split()
    assert texts(lines, 9) == [*expected, "We hunt"]


def test_an_author_in_the_margin_is_read_below_the_title():
    lines = [
        line("Title", 40, 740, 300, 16.0),
        line("University", 160, 700),
        line("Abstract: We hunt", 160, 660, 300),
        line("in webs", 160, 648, 300),
        line("Ann Lee", 40, 720, 80),
    ]
    assert texts(lines, 2)[:3] == ["Title", "Ann Lee", "University"]


def test_without_an_abstract_or_layout_nothing_moves():
    lines = [line("Lee", 80, 700), line("Title", 100, 740)]
    assert order_title_block(lines, None) == lines
    flat = [TextLine("Lee", 0, 0, -5), TextLine("Abstract", 0, 0, -1)]
    assert order_title_block(flat, 1) == flat


POSITIONS = st.tuples(st.integers(0, 500), st.integers(0, 700), st.integers(1, 300))


@given(st.lists(POSITIONS, min_size=1), st.data())
def test_no_line_is_lost(places, data):
    lines = [line(str(n), x, y, w) for n, (x, y, w) in enumerate(places)]
    opening = data.draw(st.integers(0, len(lines) - 1))
    assert sorted(order_title_block(lines, opening)) == sorted(lines)
