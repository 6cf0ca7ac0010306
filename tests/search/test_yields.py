from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.search import Grid, optimistic_yield, pessimistic_yield


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 8))
    nodes = st.integers(0, size - 1)
    return (
        [draw(st.lists(nodes, max_size=3)) for _ in range(size)],
        draw(st.dictionaries(nodes, st.sampled_from([0.5, 1.0, 2.0]))),
        draw(st.none() | st.integers(0, 4)),
    )


def reached(successors, root, among, depth=None):
    """The nodes at most so many steps from the root, on ways through some nodes only."""
    level = {root}
    for _ in range(len(successors) if depth is None else depth):
        level |= {s for n in level for s in successors[n] if s in among}
    return level


def smallest(successors, among, goals):
    """Return the size of the smallest set that connects 0 to all goals, by brute force."""
    others = among - {0}
    for size in range(len(others) + 1):
        for some in combinations(sorted(others), size):
            if goals <= reached(successors, 0, {0, *some}):
                return size + 1
    raise AssertionError("not even all nodes do")


@given(graphs())
def test_pessimistic_yield_counts_all_reachable_nodes(graph):
    successors, goals, depth = graph
    nodes = reached(successors, 0, set(range(len(successors))), depth)
    collected = sum(goals.get(n, 0) for n in nodes)
    found = pessimistic_yield(0, successors.__getitem__, lambda n: goals.get(n, 0), depth)
    assert found == collected / len(nodes)


@given(graphs())
@settings(max_examples=300)
def test_optimistic_yield_counts_the_smallest_tree(graph):
    successors, goals, depth = graph
    nodes = reached(successors, 0, set(range(len(successors))), depth)
    collected = sum(goals.get(n, 0) for n in nodes)
    least = smallest(successors, nodes, nodes & set(goals))
    arguments = 0, successors.__getitem__, lambda n: goals.get(n, 0), depth
    assert optimistic_yield(*arguments) == collected / least
    roughly = optimistic_yield(*arguments, exact=0)
    assert pessimistic_yield(*arguments) <= roughly <= collected / least


def test_approximate_tree_may_be_larger():
    # The nearest goal, 3, is reached over 1 as soon as over 5, but only 5 leads to 4 too.
    successors = [[1, 5], [2], [3], [], [], [6], [3, 4]]
    arguments = 0, successors.__getitem__, {3, 4}.__contains__
    assert optimistic_yield(*arguments) == 2 / 5
    assert optimistic_yield(*arguments, exact=1) == 2 / 7


def test_isolated_node_yields_its_weight():
    for estimate in (pessimistic_yield, optimistic_yield):
        assert estimate("x", lambda n: [], lambda n: True) == 1
        assert estimate("x", lambda n: [], lambda n: False) == 0


def test_depth_limits_the_graph():
    for estimate, worth in ((pessimistic_yield, 1 / 5), (optimistic_yield, 1 / 5)):
        arguments = 0, lambda n: [n + 1], {4, 9}.__contains__
        assert estimate(*arguments, 4) == worth
        assert estimate(*arguments, 3) == 0


def test_ten_goals_in_a_hundred_cells_are_exact():
    grid = Grid.random(3, size=10, goals=10, density=0.1)
    exact = optimistic_yield(grid.start, grid.expand, grid.goal)
    roughly = optimistic_yield(grid.start, grid.expand, grid.goal, exact=0)
    assert pessimistic_yield(grid.start, grid.expand, grid.goal) == pytest.approx(10 / 90)
    assert 10 / 45 < roughly <= exact < 10 / 20
