from collections import deque
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.sites.graph import Graph, SiteWithGraph
from small_sites import DictSite, GraphSite


@st.composite
def edges(draw):
    size = draw(st.integers(1, 12))
    node = st.integers(0, size - 1)
    return size, draw(st.lists(st.tuples(node, node), max_size=40)), draw(st.sets(node))


def graph_of(size, pairs):
    return Graph.from_edges(size, [a for a, _ in pairs], [b for _, b in pairs])


def rows(graph):
    return [graph.targets[a:b].tolist() for a, b in pairwise(graph.offsets)]


@given(edges())
def test_links_keep_their_order(case):
    size, pairs, _ = case
    expected = [[b for a, b in pairs if a == page] for page in range(size)]
    assert rows(graph_of(size, pairs)) == expected


@given(edges())
def test_distances_agree_with_breadth_first_search(case):
    size, pairs, sources = case
    expected = dict.fromkeys(sources, 0)
    queue = deque(sources)
    while queue:
        page = queue.popleft()
        for a, b in pairs:
            if a == page and b not in expected:
                expected[b] = expected[page] + 1
                queue.append(b)
    graph = graph_of(size, pairs)
    assert graph.distances(sorted(sources)).tolist() == [expected.get(n, -1) for n in range(size)]
    assert graph.reachable(sorted(sources)).tolist() == sorted(expected)


@given(edges())
def test_reverse_reverses_every_link(case):
    size, pairs, _ = case
    graph = graph_of(size, pairs)
    back = graph.reverse()
    assert sorted((b, a) for a, b in pairs) == [(p, t) for p, r in enumerate(rows(back)) for t in r]
    # Turned twice, each row holds the same links, ordered by number.
    assert rows(back.reverse()) == [sorted(row) for row in rows(graph)]


@given(edges())
def test_links_of_several_pages(case):
    size, pairs, some = case
    graph = graph_of(size, pairs)
    pages = np.array(sorted(some), np.int64)
    owner, targets = graph.links(pages)
    expected = [(n, t) for n in pages.tolist() for t in rows(graph)[n]]
    assert list(zip(pages[owner].tolist(), targets.tolist(), strict=True)) == expected


def test_graph_of_a_site_is_built_from_its_pages():
    site = DictSite({"a": ["b", "c"], "b": ["a"]})
    assert rows(Graph.of(site)) == [[1, 2], [0], []]
    assert not isinstance(site, SiteWithGraph)


def test_graph_of_a_site_that_has_one_is_used():
    site = GraphSite([0, 1, 2], [1, 0])
    assert Graph.of(site) is site.graph


@pytest.mark.parametrize("size", [0, 3])
def test_without_links(size):
    graph = Graph.from_edges(size, [], [])
    assert len(graph) == size
    assert graph.distances([]).tolist() == [-1] * size
    assert len(graph.reverse()) == size
