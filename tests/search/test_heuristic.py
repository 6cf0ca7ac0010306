import numpy as np
import pytest

from lycosa.errors import ContractError, UsageError
from lycosa.search import FrontAdvancement, MinimalDistance, SumOfDistances

KINDS = pytest.mark.parametrize("kind", [MinimalDistance, SumOfDistances, FrontAdvancement])


def two(node):
    return np.array([1.0, 2.0])


@KINDS
@pytest.mark.parametrize("fade", [-0.1, 1.1, float("nan")])
def test_a_goal_cannot_gain_by_being_found(kind, fade):
    with pytest.raises(UsageError, match="from 0 to 1"):
        kind(two, {}.get, fade=fade)


@KINDS
@pytest.mark.parametrize("weights", [[1, -1], [1, float("nan")], [1, float("inf")], [[1, 1]], 1])
def test_weights_must_make_sense(kind, weights):
    with pytest.raises(UsageError, match="none below 0"):
        kind(two, {}.get, weights=weights)


@KINDS
def test_there_must_be_as_many_distances_as_weights(kind):
    with pytest.raises(ContractError, match="3 goals, but 2 distances"):
        kind(two, {}.get, weights=[1, 1, 1]).value("n")


@KINDS
def test_every_node_must_have_as_many_distances_as_the_first(kind):
    heuristic = kind(np.ones, {}.get)
    heuristic.value(2)
    with pytest.raises(ContractError, match="2 goals, but 3 distances"):
        heuristic.value(3)


@KINDS
@pytest.mark.parametrize("group", [2, -1])
def test_a_goal_must_belong_to_a_distance_there_is(kind, group):
    heuristic = kind(two, lambda n: group, fade=0)
    with pytest.raises(ContractError, match=f"distance {group}, but there are 2"):
        heuristic.found("n", 1.0)


@KINDS
def test_weights_are_1_unless_given(kind):
    plain, same = kind(two, {"g": 1}.get, fade=0), kind(two, {"g": 1}.get, weights=[1, 1], fade=0)
    for heuristic in (plain, same):
        heuristic.found("g", 1.0)
    assert plain.value("n") == same.value("n")


@KINDS
def test_a_goal_may_fade_a_thousand_times(kind):
    heuristic = kind(two, lambda n: 0, fade=0.1)
    for _ in range(1000):
        heuristic.found("g", 1.0)
    forgetful = kind(two, lambda n: 0, fade=0)
    forgetful.found("g", 1.0)
    assert heuristic.value("n") == pytest.approx(forgetful.value("n"))
    assert heuristic.tie("n") == forgetful.tie("n")


@KINDS
def test_the_weights_given_are_left_alone(kind):
    weights = np.ones(2)
    kind(two, lambda n: 0, weights=weights, fade=0).found("g", 1.0)
    assert weights.tolist() == [1, 1]
