import numpy as np
from hypothesis import given

from lycosa.search import SumOfDistances, mg_best_first
from search.problems import assert_follows, problems


@given(problems())
def test_order_follows_the_sum_also_when_it_rises(problem):
    def value(node, closed, found):
        pairs = zip(problem.table[node].tolist(), problem.weights_after(found), strict=True)
        return -sum(distance * weight for distance, weight in pairs if weight)

    assert_follows(problem, problem.heuristic(SumOfDistances), value)


def test_without_the_found_goal_another_node_is_best():
    successors = {"start": ["towards both", "towards one", "near"], "near": ["goal"]}
    distances = {"start": [5, 9], "towards both": [1, 5], "towards one": [8, 0], "near": [0, 5]}
    heuristic = SumOfDistances(
        lambda n: np.array(distances.get(n, [0, 9]), float), {"goal": 0}.get, fade=0
    )
    steps = mg_best_first(
        ["start"], lambda n: successors.get(n, []), lambda n: n == "goal", heuristic
    )
    assert [step.node for step in steps][2:] == ["near", "towards one", "towards both", "goal"]
