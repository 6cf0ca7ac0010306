"""Partial yield: figures 3 and 4 of Davidov & Markovitch 2002 against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.content import NO_INTS
from lycosa.search import PartialYield

SIZE = 12


@st.composite
def walks(draw):
    """A random graph, and a possible order of expansions."""
    links = draw(
        st.lists(
            st.lists(st.integers(0, SIZE - 1), max_size=5, unique=True),
            min_size=SIZE,
            max_size=SIZE,
        )
    )
    weights = draw(st.lists(st.sampled_from([0.0, 0.0, 1.0, 0.5]), min_size=SIZE, max_size=SIZE))
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop(draw(st.integers(0, len(waiting) - 1)))
        order.append(node)
        waiting += [n for n in links[node] if n not in order and n not in waiting]
    return links, weights, order


class Recount:
    """Reference implementation by the definitions, from the list of expansions."""

    def __init__(self, links, weights, parents):
        self.links, self.weights, self.most = links, weights, parents
        self.order = []

    def parents(self, node):
        """Return the first nodes that linked to it while it was open."""
        until = self.order.index(node) if node in self.order else len(self.order)
        return [p for p in self.order[:until] if node in self.links[p]][: self.most]

    def distance(self, old, young):
        """The least number of links from an older node to a younger one; None if there is no way.

        Walked backwards, because of a node's parents only the first are kept.
        """
        level, steps = {young}, 0
        while level:
            if old in level:
                return steps
            level = {p for node in level for p in self.parents(node)}
            steps += 1
        return None

    def counters(self, node, depth):
        nodes, goals = [], []
        for d in range(1, depth + 1):
            below = [
                n
                for n in self.order
                if (far := self.distance(node, n)) is not None and far <= d - 1
            ]
            nodes.append(float(len(below)))
            goals.append(sum(self.weights[n] for n in below))
        return nodes, goals

    def rate(self):
        return (sum(self.weights[n] for n in self.order) + 0.1) / (len(self.order) + 1)

    def estimate(self, node, tree):
        """Return the estimate of figure 4 with shrinkage."""
        parents = self.parents(node)
        if not parents:
            return self.rate()
        return sum(self.promise(p, tree) for p in parents) / len(parents)

    def promise(self, node, tree):
        yields = []
        for child in self.order:
            if node in self.parents(child):
                nodes, goals = self.counters(child, tree.level)
                if nodes[-1] > tree.threshold:
                    yields.append(goals[-1] / nodes[-1])
        if not yields:
            return self.estimate(node, tree)
        return (sum(yields) + tree.shrink * self.rate()) / (len(yields) + tree.shrink)


@settings(max_examples=60, deadline=None)
@given(walks(), st.integers(1, 4), st.integers(1, 3), st.data())
def test_counters_and_estimates_equal_a_recount_at_every_step(walk, depth, parents, data):
    links, weights, order = walk
    level = data.draw(st.integers(1, depth))
    threshold = data.draw(st.integers(0, 2))
    shrink = data.draw(st.sampled_from([0.0, 1.0]))
    tree = PartialYield(depth, level=level, threshold=threshold, shrink=shrink, parents=parents)
    recount = Recount(links, weights, parents)
    for node in order:
        before = tree.estimates(np.array([node], np.int32))
        tree.add(node, weights[node], np.array(links[node], np.int32))
        assert tree.expected(np.array([node])) == pytest.approx(before)
        recount.order.append(node)
        for known in recount.order:
            assert tree.counters(known) == recount.counters(known, depth)
        tree.refresh()  # without it promises may be old; the counters never are
        seen = sorted({n for p in recount.order for n in links[p]} | {0})
        waiting = [n for n in seen if n not in recount.order]
        assert tree.waiting().tolist() == waiting
        estimates = tree.estimates(np.array(seen, np.int32))
        expected = [recount.estimate(n, tree) for n in seen]
        assert estimates == pytest.approx(expected, abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(walks(), st.integers(1, 3), st.integers(1, 3))
def test_refresh_to_another_level_equals_that_level_from_the_start(walk, first, second):
    links, weights, order = walk
    changed, fresh = PartialYield(3, level=first), PartialYield(3, level=second)
    for tree in (changed, fresh):
        for node in order:
            tree.add(node, weights[node], np.array(links[node], np.int32))
    changed.refresh(second)
    fresh.refresh()
    every = np.arange(SIZE, dtype=np.int32)
    assert changed.estimates(every) == pytest.approx(fresh.estimates(every), abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(walks())
def test_add_returns_the_nodes_whose_promise_may_have_changed(walk):
    links, weights, order = walk
    tree = PartialYield(3, level=2, parents=2)
    for node in order:
        before = {n: tree.promise(n) for n in range(SIZE)}
        changed = tree.add(node, weights[node], np.array(links[node], np.int32))
        assert changed[-1] == node
        assert len(set(changed)) == len(changed)
        for other in set(range(SIZE)) - set(changed):
            assert tree.promise(other) == before[other]


def test_waiting_children_are_the_open_ones():
    tree = PartialYield()
    tree.add(0, 0.0, np.array([1, 5000], np.int32))
    tree.add(1, 0.0, np.array([0, 7], np.int32))
    assert tree.waiting_children(0).tolist() == [5000]
    assert tree.waiting_children(1).tolist() == [7]
    assert tree.waiting().tolist() == [7, 5000]
    assert tree.waits(np.array([0, 1, 7])).tolist() == [False, False, True]


def test_the_branching_counts_each_child_once():
    tree = PartialYield()
    tree.add(0, 0.0, np.array([1, 2, 3], np.int32))
    tree.add(1, 0.0, np.array([2, 3, 0], np.int32))
    tree.add(2, 0.0, np.array([4], np.int32))
    assert tree.branching == 2  # 1, 2, 3 and 4 were new, to two nodes


def test_start_without_links_promises_the_overall_rate():
    tree = PartialYield()
    tree.add(0, 1.0, NO_INTS)
    assert tree.estimates(np.array([0], np.int32)) == [tree.rate]
