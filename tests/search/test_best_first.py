import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import ContractError
from lycosa.search import BreadthFirst, Heuristic, mg_best_first
from search.problems import assert_follows, problems


class Moody(Heuristic):
    """Heuristic whose values and ties change at random, within the contract."""

    def __init__(self, seed, promise):
        self.seed, self.promise, self.told = seed, promise, 0

    def _draw(self, node, kind):
        # The minimum of draws can only fall as the search goes on.
        draws = [
            random.Random(f"{self.seed} {node} {kind} {time}").randrange(4)
            for time in (range(self.told + 1) if self.promise else [self.told])
        ]
        return float(min(draws))

    def value(self, node):
        return self._draw(node, "value")

    def tie(self, node):
        return self._draw(node, "tie")

    def expanded(self, node, successors):
        self.told += 1
        return not self.promise

    def found(self, node, weight):
        self.told += 1
        return not self.promise


@given(problems(), st.integers(0, 10**6), st.booleans())
def test_choices_equal_rescoring_all_nodes_each_time(problem, seed, promise):
    moody = Moody(seed, promise)

    def value(node, closed, found):
        return moody.value(node)

    def tie(node, closed, found):
        return moody.tie(node)

    assert_follows(problem, moody, value, tie)


@given(problems())
def test_breadth_first_is_first_in_first_out(problem):
    order = list(dict.fromkeys(problem.starts))
    for node in order:
        order += [n for n in dict.fromkeys(problem.expand(node)) if n not in order]
    assert [step.node for step in problem.search(BreadthFirst())] == [None, *order]


@given(problems())
def test_everything_reachable_is_expanded_once_and_every_goal_found_once(problem):
    steps = list(problem.search(BreadthFirst()))
    nodes = [step.node for step in steps[1:]]
    assert len(nodes) == len(set(nodes)) == steps[-1].generated
    assert [step.n for step in steps] == list(range(len(steps)))
    found = [pair for step in steps for pair in step.found]
    assert len(found) == len(dict(found))
    assert dict(found) == {n: w for n, w in problem.goals.items() if w and n in nodes}


@given(problems(), st.integers(0, 14), st.sampled_from([0.0, 0.5, 1.0, 2.5, 100.0]))
def test_stops_at_the_limit_or_the_wanted_weight(problem, limit, wanted):
    everything = list(problem.search(BreadthFirst()))
    limited = list(problem.search(BreadthFirst(), limit=limit))
    assert limited == everything[: limit + 1]
    enough = list(problem.search(BreadthFirst(), wanted=wanted))
    assert enough == everything[: len(enough)]
    collected = [sum(w for _, w in step.found) for step in enough]
    assert sum(collected[:-1]) < wanted or len(enough) == 1
    assert sum(collected) >= wanted or len(enough) == len(everything)


class Falling(Heuristic):
    """All values are 1 until the first expansion; then nodes of odd length have 0."""

    calm = True

    def value(self, node):
        return 1.0 if self.calm or len(node) % 2 == 0 else 0.0

    def expanded(self, node, successors):
        self.calm = False
        return False


def test_rescored_node_keeps_its_order_of_discovery():
    graph = {"start": ["a", "bb", "c"], "bb": ["d"]}
    steps = mg_best_first(["start"], lambda n: graph.get(n, []), lambda n: False, Falling())
    assert [step.node for step in steps] == [None, "start", "bb", "a", "c", "d"]


def test_nodes_need_not_be_comparable():
    graph = {1: ["x", (2, 3), None], "x": [1]}
    steps = mg_best_first([1], lambda n: graph.get(n, []), lambda n: n == (2, 3), BreadthFirst())
    assert [step.found for step in steps if step.found] == [(((2, 3), 1.0),)]


def test_goals_among_the_start_nodes_come_first():
    first, *rest = mg_best_first([3, 4, 3], lambda n: [n], lambda n: n, BreadthFirst())
    assert (first.n, first.node, first.generated) == (0, None, 2)
    assert first.found == ((3, 3.0), (4, 4.0))
    assert not any(step.found for step in rest)


def test_expands_lazily():
    expanded = []

    def expand(node):
        expanded.append(node)
        return [node + 1]

    steps = mg_best_first([0], expand, lambda n: False, BreadthFirst())
    for n, step in zip(range(4), steps, strict=False):
        assert (step.n, len(expanded)) == (n, n)


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf")])
def test_refuses_invalid_goal_weights(weight):
    steps = mg_best_first([7], lambda n: [], lambda n: weight, BreadthFirst())
    with pytest.raises(ContractError, match=r"for 7; .*not negative"):
        next(steps)


def test_refuses_nan_values():
    class Lost(Heuristic):
        def value(self, node):
            return float("nan")

    with pytest.raises(ContractError, match="NaN for 7"):
        next(mg_best_first([7], lambda n: [], lambda n: False, Lost()))
