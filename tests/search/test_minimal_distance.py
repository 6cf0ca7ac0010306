from hypothesis import given

from lycosa.search import MinimalDistance
from search.problems import assert_follows, problems


@given(problems())
def test_the_nearest_goal_decides(problem):
    def value(node, closed, found):
        return -problem.nearest(node, found)

    assert_follows(problem, problem.heuristic(MinimalDistance), value)
