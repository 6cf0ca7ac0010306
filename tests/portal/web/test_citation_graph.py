from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.portal.records import Author, Work
from lycosa.portal.web.citation_graph import layout_graph

years = st.none() | st.integers(1900, 2030)


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
@given(graphs())
def test_nodes_do_not_overlap_and_lie_within_the_image(graph):
    works, edges = graph
    picture = layout_graph("w0", works, edges)
    assert [node.work for node in picture.nodes] == works
    places = [(node.x, node.y) for node in picture.nodes]
    assert len(set(places)) == len(places)
    for node in picture.nodes:
        assert node.radius <= node.x <= picture.width - node.radius
        assert node.radius < node.y < picture.height - node.radius
    for a, left in enumerate(places):
        for right in places[:a]:
            assert left[0] != right[0] or abs(left[1] - right[1]) >= 50
    assert [node.centre for node in picture.nodes] == [work.id == "w0" for work in works]


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_time_runs_from_left_to_right(graph):
    works, edges = graph
    picture = layout_graph("w0", works, edges)
    dated = sorted((n.work.year, n.x) for n in picture.nodes if n.work.year is not None)
    assert all(a[1] <= b[1] for a, b in pairwise(dated))
    assert len(picture.columns) <= 8


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_draws_every_citation_once(graph):
    works, edges = graph
    known = {work.id for work in works}
    drawn = [(edge.citing, edge.cited) for edge in layout_graph("w0", works, edges).edges]
    assert drawn == [edge for edge in edges if set(edge) <= known]


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
