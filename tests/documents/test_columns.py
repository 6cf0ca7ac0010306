import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.documents.columns import (
    PositionedWord,
    Segment,
    find_gutter,
    group_rows,
    shared_gutters,
    split_columns,
)
from lycosa.documents.layout import document_lines

LEFT, RIGHT = 60, 330


def line(name, x, y, width=230):
    return Segment([PositionedWord(name, x, x + width, y, 10, False, False)], x, x + width, y, 10)


def column(name, x, count=30, top=700.0, width=230):
    return [line(name, x, top - 12 * n, width) for n in range(count)]


def read(*pages):
    """The names of all lines in reading order, a string for each page."""
    words = {n: [w for s in page for w in s.words] for n, page in enumerate(pages)}
    found = ["" for _ in pages]
    for one in document_lines(words):
        found[one.page] += one.text.replace(" ", "")
    return found


FULL = [*column("l", LEFT), *column("r", RIGHT)]


@pytest.mark.parametrize("count", range(1, 12))
def test_a_short_right_column_is_read_after_the_left_one(count):
    last = [*column("l", LEFT), *column("r", RIGHT, count)]
    by_row = sorted(last, key=lambda s: (-s.y, s.x))
    assert read(FULL, by_row)[1] == 30 * "l" + count * "r"


@pytest.mark.parametrize("count", [1, 3, 5])
def test_two_short_columns_of_a_last_page_are_still_two(count):
    last = [*column("l", LEFT, count), *column("r", RIGHT, count)]
    assert read(FULL, FULL, last)[2] == count * "l" + count * "r"


def test_a_gutter_may_move_a_little_from_page_to_page():
    moved = [*column("l", LEFT + 8), *column("r", RIGHT + 8)]
    figure = column("f", LEFT, 30, 700, 500)
    last = [*column("l", LEFT + 8), *column("r", RIGHT + 8, 2)]
    pages = [FULL, moved, FULL, moved, figure, figure, figure, last]
    assert read(*pages)[7] == 30 * "l" + 2 * "r"


def test_columns_below_a_figure_that_covers_most_of_a_page():
    figure = [line("f", LEFT, 700 - 12 * n, 500) for n in range(12)]
    text = [*column("l", LEFT, 8, 500), *column("r", RIGHT, 8, 500)]
    assert read(FULL, [*figure, *text])[1] == 12 * "f" + 8 * "l" + 8 * "r"


@pytest.mark.parametrize("count", [20, 8, 3, 1])
def test_three_columns_are_read_from_left_to_right(count):
    pages = [
        [*column("l", 50, 20, 700, 150), *column("m", 220, 20, 700, 150),
         *column("r", 390, n, 700, 150)]
        for n in (20, count)
    ]  # fmt: skip
    assert read(*pages)[1] == 20 * "l" + 20 * "m" + count * "r"


def test_the_gutter_of_one_page_is_not_shared():
    noted = [*column("n", 10, 15, 700, 60), *column("t", 120, 30, 700, 400)]
    plain = [line("h", 10, 750, 100), *column("t", 120, 30, 700, 400)]
    pages = [noted, *([plain] * 4)]
    assert shared_gutters(pages[:3])
    assert not shared_gutters(pages)
    assert read(*pages) == [30 * "t" + 15 * "n", *(["h" + 30 * "t"] * 4)]


def test_a_page_whose_lines_run_across_has_no_columns():
    page = [*column("t", LEFT, 30, 700, 480), line("e", LEFT, 300, 90), line("n", 500, 300, 60)]
    shared = shared_gutters([FULL])
    assert find_gutter(page, shared) is None
    assert find_gutter(column("l", LEFT), shared) is None, "nothing stands to the right"


def test_segments_of_a_crossing_line_stay_together():
    pieces = [line("a", 150, 760, 100), line("b", 253, 760, 120)]
    (first, *_) = split_columns([*FULL, *pieces], find_gutter(FULL, []), [])
    assert [s.words[0].text for s in first] == ["a", "b"]


def test_rows_run_from_top_to_bottom_and_left_to_right():
    page = [line("c", 60, 688), line("b", 330, 699), line("a", 60, 700)]
    assert [[s.words[0].text for s in row] for row in group_rows(page)] == [["a", "b"], ["c"]]


places = st.floats(-1000, 1000, allow_nan=False)
segments = st.lists(
    st.builds(
        lambda x, width, y, size: Segment([], x, x + width, y, size),
        places, st.floats(0, 300), places, st.floats(0.5, 60),
    ),
    max_size=60,
)  # fmt: skip
cuts = st.lists(places, max_size=5)


@settings(max_examples=200, deadline=None)
@given(segments, cuts)
def test_every_segment_is_in_one_column(page, shared):
    found = split_columns(page, find_gutter(page, shared), shared)
    assert sorted(s for part in found for s in part) == sorted(page)
    assert all(found)


@settings(max_examples=200, deadline=None)
@given(segments, cuts)
def test_a_shared_gutter_is_the_one_that_the_fewest_cross(page, shared):
    def sides(cut):
        return sum(s.end <= cut for s in page), sum(s.x > cut for s in page)

    def crossing(cut):
        return len(page) - sum(sides(cut))

    if find_gutter(page, []) is None:
        fit = [c for c in shared if min(sides(c)) and 2 * crossing(c) < len(page)]
        found = find_gutter(page, shared)
        assert (found is None) == (not fit)
        assert found is None or crossing(found) == min(map(crossing, fit))
