import re

from hypothesis import given
from hypothesis import strategies as st

from lycosa.reporting.chart import (
    COLOURS,
    DASHES,
    HEIGHT,
    WIDTH,
    bar_chart,
    growth_chart,
    outline,
    style,
    ticks,
)


def test_lines_differ_without_colour():
    looks = {style(n) for n in range(COLOURS * len(DASHES))}
    assert len(looks) == COLOURS * len(DASHES)
    assert len({style(n).split("dasharray")[1] for n in range(4)}) == 4


@given(st.integers(1, 10**8))
def test_ticks_are_few_and_round(top):
    marks = ticks(top)
    assert 2 <= len(marks) <= 6
    assert marks[0] == 0
    assert marks[-1] <= top
    assert re.fullmatch("[125]0*", str(marks[1]))


@given(st.sets(st.integers(1, 5000), min_size=1, max_size=400))
def test_an_outline_ends_where_the_curve_does(hits):
    path = outline(sorted(hits), 5000, 5000, len(hits), 100, 100)
    assert path.startswith("M0 100H")
    assert re.search(r"V0H100$", path)
    assert path.count("V") <= 500


def places(chart):
    """All coordinates of what is drawn, within the frame."""
    return [float(n) for d in re.findall(r' d="([^"]+)"', chart) for n in re.findall(r"[\d.]+", d)]


@given(
    st.lists(st.tuples(st.integers(1, 1000), st.integers(0, 1000)), max_size=50),
    st.none() | st.floats(0, 1e12),
    st.none() | st.tuples(st.floats(0, 1e12), st.floats(0, 1e12)),
)
def test_growth_stays_within_the_picture(steps, likely, bounds):
    points, pages, found = [], 0, 0
    for more_pages, more_found in steps:
        pages, found = pages + more_pages, found + more_found
        points.append((pages, found))
    chart = growth_chart(points, "label", likely, bounds and tuple(sorted(bounds)))
    assert all(0 <= place <= max(WIDTH, HEIGHT) for place in places(chart))
    assert "nan" not in chart


def test_distant_estimates_are_not_drawn():
    points = [(100, 10)]
    assert 'class="band"' in growth_chart(points, "", 15.0, (12.0, 20.0))
    assert 'class="band"' not in growth_chart(points, "", 1500.0, (1200.0, 2000.0))


@given(st.lists(st.floats(0, 1e9) | st.floats(0, 1e-3), max_size=60))
def test_bars_stay_within_the_picture(heights):
    chart = bar_chart(heights, [(0.0, "a"), (1.0, "b")], "below", "label")
    assert all(0 <= place <= max(WIDTH, HEIGHT) for place in places(chart))
    assert len(re.findall('class="end"', chart)) in range(2, 9)
