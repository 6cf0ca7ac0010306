"""Small random search problems, and a reference search by the definitions."""

from dataclasses import dataclass
from math import inf

import numpy as np
from hypothesis import strategies as st

from lycosa.search import mg_best_first

# Sums, halves and products of these are exact, so that results can be compared for equality.
DISTANCES = st.sampled_from([0.0, 1.0, 2.0, 3.0, 5.0, inf])
WEIGHTS = st.sampled_from([0.0, 0.5, 1.0, 2.0])
FADES = st.sampled_from([0.0, 0.5, 1.0])


@dataclass(frozen=True)
class Problem:
    """A graph with goals, and the distances to some groups of goals, which need not be true."""

    successors: list[list[int]]
    starts: list[int]
    goals: dict[int, float]
    table: np.ndarray
    weights: list[float]
    groups: dict[int, int]
    fade: float

    def expand(self, node):
        return self.successors[node]

    def goal(self, node):
        return self.goals.get(node, 0.0)

    def distances(self, node):
        return self.table[node]

    def heuristic(self, kind, **options):
        return kind(
            self.distances, self.groups.get, weights=self.weights, fade=self.fade, **options
        )

    def search(self, heuristic, **options):
        return mg_best_first(self.starts, self.expand, self.goal, heuristic, **options)

    def weights_after(self, found):
        """Return the weights after the found goals have faded."""
        weights = list(self.weights)
        for node in found:
            if node in self.groups:
                weights[self.groups[node]] *= self.fade
        return weights

    def nearest(self, node, found):
        """Return the distance to the nearest goal that still counts."""
        pairs = zip(self.table[node].tolist(), self.weights_after(found), strict=True)
        return min((distance / weight for distance, weight in pairs if weight), default=inf)


@st.composite
def problems(draw):
    size = draw(st.integers(1, 12))
    nodes = st.integers(0, size - 1)
    groups = draw(st.integers(0, 4))
    rows = [draw(st.lists(DISTANCES, min_size=groups, max_size=groups)) for _ in range(size)]
    grouped = st.dictionaries(nodes, st.integers(0, groups - 1)) if groups else st.just({})
    return Problem(
        successors=[draw(st.lists(nodes, max_size=4)) for _ in range(size)],
        starts=draw(st.lists(nodes, max_size=3)),
        goals=draw(st.dictionaries(nodes, WEIGHTS)),
        table=np.array(rows).reshape(size, groups),
        weights=draw(st.lists(WEIGHTS, min_size=groups, max_size=groups)),
        groups=draw(grouped),
        fade=draw(FADES),
    )


def assert_follows(problem, heuristic, value, tie=lambda node, closed, found: 0.0):
    """Assert that expansions and values equal those of the definition.

    `value` and `tie` are given a node, the nodes expanded and the goals found.
    """
    closed, found, waiting = [], [], []
    successors, node = problem.starts, None
    for step in problem.search(heuristic):
        assert step.node == node
        new = [n for n in dict.fromkeys(successors) if n not in closed + waiting]
        goals = [(n, problem.goals[n]) for n in new if problem.goals.get(n)]
        assert step.found == tuple(goals)
        found += [n for n, _ in goals]
        waiting += new
        assert step.generated == len(closed) + len(waiting)
        worth = {n: (value(n, closed, found), tie(n, closed, found)) for n in waiting}
        assert {n: (heuristic.value(n), heuristic.tie(n)) for n in waiting} == worth
        if waiting:  # `max` takes the first of equals, and they wait in the order of discovery
            node = max(waiting, key=worth.__getitem__)
            waiting.remove(node)
            closed.append(node)
            successors = problem.expand(node)
        else:
            node = None
    assert node is None  # nothing waits that was not expanded
