"""The citation graph against plain Python and dense matrices."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.papers.citations import Citations, RankedWork, top_works

SIZE = 9
NODE = st.integers(0, SIZE - 1)
PAIRS = st.lists(st.tuples(NODE, NODE), max_size=40)


def ranked(counts):
    return [RankedWork(w, float(n)) for w, n in sorted(counts.items(), key=lambda x: (-x[1], x[0]))]


@given(PAIRS, NODE)
def test_neighbours_equal_the_pairs(pairs, work):
    graph = Citations(pairs, SIZE)
    kept = {(a, b) for a, b in pairs if a != b}
    assert len(graph) == len(kept)
    assert graph.cites(work).tolist() == sorted(b for a, b in kept if a == work)
    assert graph.cited_by(work).tolist() == sorted(a for a, b in kept if b == work)
    assert graph.counts.tolist() == [sum(b == w for _, b in kept) for w in range(SIZE)]


@given(PAIRS, NODE)
def test_cocitation_and_coupling_count_common_neighbours(pairs, work):
    graph = Citations(pairs, SIZE)
    kept = {(a, b) for a, b in pairs if a != b}
    together = Counter(b for a, b in kept if (a, work) in kept and b != work)
    coupled = Counter(a for a, b in kept if (work, b) in kept and a != work)
    assert graph.cocited(work, SIZE) == ranked(together)
    assert graph.coupled(work, SIZE) == ranked(coupled)


@settings(deadline=None)
@given(PAIRS, st.sampled_from((0.0, 0.5, 0.85)))
def test_pagerank_solves_its_equations(pairs, damping):
    matrix = np.zeros((SIZE, SIZE))
    for a, b in pairs:
        if a != b:
            matrix[b, a] = 1
    out = matrix.sum(axis=0)
    matrix = np.where(out > 0, matrix / np.maximum(out, 1), 1 / SIZE)
    exact = np.linalg.solve(np.eye(SIZE) - damping * matrix, np.full(SIZE, (1 - damping) / SIZE))
    assert Citations(pairs, SIZE).pagerank(damping) == pytest.approx(exact, abs=1e-8)


@settings(deadline=None)
@given(PAIRS, st.lists(st.integers(-1, 2), min_size=SIZE, max_size=SIZE))
def test_seminal_works_are_ranked_within_their_topic(pairs, topics):
    found = Citations(pairs, SIZE).seminal(topics, limit=SIZE)
    assert sorted(found) == sorted({t for t in topics if t >= 0})
    for topic, works in found.items():
        mine = [w for w, t in enumerate(topics) if t == topic]
        inside = [(mine.index(a), mine.index(b)) for a, b in pairs if a in mine and b in mine]
        rank = Citations(inside, len(mine)).pagerank()
        assert sorted(each.work for each in works) == mine
        for each in works:
            assert each.value == pytest.approx(rank[mine.index(each.work)])


def test_most_cited_among_some():
    graph = Citations([(0, 1), (2, 1), (0, 3)], 4)
    assert graph.most_cited(2) == [RankedWork(1, 2.0), RankedWork(3, 1.0)]
    assert graph.most_cited(1, among=[0, 3]) == [RankedWork(3, 1.0)]
    assert top_works(np.array([]), 3) == []


def test_an_empty_graph_has_no_ranks():
    graph = Citations([], 0)
    assert len(graph) == 0
    assert graph.pagerank().tolist() == []
    assert graph.seminal([]) == {}


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: Citations([(0, 5)], 3),
        lambda: Citations([(-1, 0)], 3),
        lambda: Citations([], 3).cites(3),
        lambda: Citations([], 3).pagerank(1.0),
        lambda: Citations([], 3).seminal([0]),
    ],
)
def test_invalid_arguments_are_usage_errors(misuse):
    with pytest.raises(UsageError):
        misuse()
