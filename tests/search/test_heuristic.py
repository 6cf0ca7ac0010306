import numpy as np
import pytest

from lycosa.errors import ContractError, UsageError
from lycosa.search import FrontAdvancement, MinimalDistance, SumOfDistances

KINDS = pytest.mark.parametrize("kind", [MinimalDistance, SumOfDistances, FrontAdvancement])


def two(node):
    return np.array([1.0, 2.0])


@KINDS
@pytest.mark.parametrize("fade", [-0.1, 1.1, float("nan")])
def test_refuses_fade_outside_0_to_1(kind, fade):
    with pytest.raises(UsageError, match="from 0 to 1"):
        kind(two, {}.get, fade=fade)


@KINDS
@pytest.mark.parametrize("weights", [[1, -1], [1, float("nan")], [1, float("inf")], [[1, 1]], 1])
def test_refuses_invalid_weights(kind, weights):
    with pytest.raises(UsageError, match="none below 0"):
        kind(two, {}.get, weights=weights)


@KINDS
def test_refuses_other_numbers_of_distances_than_weights(kind):
    with pytest.raises(ContractError, match="3 goals, but 2 distances"):
        kind(two, {}.get, weights=[1, 1, 1]).value("n")


@KINDS
def test_refuses_varying_numbers_of_distances(kind):
    heuristic = kind(np.ones, {}.get)
    heuristic.value(2)
    with pytest.raises(ContractError, match="2 goals, but 3 distances"):
        heuristic.value(3)


@KINDS
@pytest.mark.parametrize("group", [2, -1])
def test_refuses_a_goal_of_an_unknown_group(kind, group):
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
def test_repeated_fading_does_not_overflow(kind):
    heuristic = kind(two, lambda n: 0, fade=0.1)
    for _ in range(1000):
        heuristic.found("g", 1.0)
    forgetful = kind(two, lambda n: 0, fade=0)
    forgetful.found("g", 1.0)
    assert heuristic.value("n") == pytest.approx(forgetful.value("n"))
    assert heuristic.tie("n") == forgetful.tie("n")


@KINDS
def test_given_weights_are_not_modified(kind):
    weights = np.ones(2)
    kind(two, lambda n: 0, weights=weights, fade=0).found("g", 1.0)
    assert weights.tolist() == [1, 1]
