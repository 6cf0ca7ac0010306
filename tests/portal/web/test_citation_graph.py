from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.portal.records import Author, Work
from lycosa.portal.web.citation_graph import MAX_TICKS, SCALES, layout_graph

years = st.none() | st.integers(1000, 2999)


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 30))
    works = [
        Work(f"w{k}", "paper", f"Title {k}", year=draw(years), cited_by=draw(st.integers(0, 1000)))
        for k in range(count)
    ]
    number = st.integers(0, count)  # one more than there are: an edge that leads nowhere
    pairs = draw(st.lists(st.tuples(number, number).filter(lambda p: p[0] != p[1]), max_size=60))
    return works, [(f"w{a}", f"w{b}") for a, b in dict.fromkeys(pairs)]


@settings(max_examples=50, deadline=None)
@given(graphs(), st.sampled_from(SCALES))
def test_every_work_has_a_row_within_the_image(graph, scale):
    works, edges = graph
    picture = layout_graph("w0", works, edges, scale)
    assert [node.work for node in picture.nodes] == works
    rows = sorted(node.y for node in picture.nodes)
    assert all(b - a >= 30 * scale for a, b in pairwise(rows))
    for node in picture.nodes:
        assert 0 < node.x < 100
        assert node.radius <= node.y <= picture.height - node.radius
    assert [node.centre for node in picture.nodes] == [work.id == "w0" for work in works]


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_time_is_on_one_axis(graph):
    works, edges = graph
    picture = layout_graph("w0", works, edges)
    dated = sorted((n.work.year, n.x) for n in picture.nodes if n.work.year is not None)
    for (year, x), (later, right) in pairwise(dated):
        assert x < right or year == later
    assert len(picture.ticks) <= MAX_TICKS + 1
    assert bool(picture.ticks) <= bool(dated)


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_works_are_farther_from_the_middle_the_nearer_they_are_in_time(graph):
    nodes = layout_graph("w0", *graph).nodes
    centre = nodes[0]
    if centre.work.year is None:
        return
    dated = [node for node in nodes if node.work.year is not None]
    for side in (-1, 1):
        away = sorted(
            (side * (node.y - centre.y), abs(node.work.year - centre.work.year))
            for node in dated
            if side * (node.y - centre.y) > 0
        )
        assert [years for _, years in away] == sorted((y for _, y in away), reverse=True)
        assert len(away) in (len(dated) // 2, (len(dated) - 1) // 2)


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_works_without_a_year_have_a_lane(graph):
    picture = layout_graph("w0", *graph)
    for node in picture.nodes:
        assert (node.y > picture.lane) == (node.work.year is None)
    assert (picture.lane < picture.height) == any(n.work.year is None for n in picture.nodes)


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_draws_every_citation_once(graph):
    works, edges = graph
    known = {work.id for work in works}
    drawn = [
        (edge.citing.work.id, edge.cited.work.id) for edge in layout_graph("w0", works, edges).edges
    ]
    assert drawn == [edge for edge in edges if set(edge) <= known]


def test_distances_are_those_of_years():
    works = [Work(f"w{year}", "paper", "T", year=year) for year in (1990, 1995, 2010)]
    first, second, third = (node.x for node in layout_graph("w1990", works, []).nodes)
    assert third - second == pytest.approx(3 * (second - first), abs=0.1)


def test_labels_have_name_and_year():
    ann = Author("lee-a", "Ann Lee")
    works = [
        Work("w0", "paper", "T", (ann, ann), 1997),
        Work("w1", "paper", "Only a title", ()),
        Work("w2", "paper", "", ()),
        Work("w3", "paper", "", (Author("x", ""),)),
    ]
    labels = [node.label for node in layout_graph("w0", works, []).nodes]
    assert labels == ["Lee 1997", "Only a title", "untitled", "untitled"]
