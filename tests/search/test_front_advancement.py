from math import inf

from hypothesis import given
from hypothesis import strategies as st

from lycosa.search import FrontAdvancement, Grid, mg_best_first
from search.problems import assert_follows, problems


@given(problems(), st.booleans())
def test_progress_decides_then_the_nearest_goal(problem, nearest):
    def value(node, closed, found):
        weights = problem.weights_after(found)
        return sum(
            weight
            for g, weight in enumerate(weights)
            if problem.table[node, g] < min((problem.table[c, g] for c in closed), default=inf)
        )

    def tie(node, closed, found):
        return -problem.nearest(node, found) if nearest else 0.0

    heuristic = problem.heuristic(FrontAdvancement, nearest=nearest)
    assert_follows(problem, heuristic, value, tie)


def goals_by(grid, share, **options):
    heuristic = FrontAdvancement(grid.distances, grid.index.get, **options)
    cells = share * grid.free.sum()
    steps = mg_best_first([grid.start], grid.expand, grid.goal, heuristic)
    return sum(len(step.found) for step in steps if step.generated <= cells)


def test_the_defaults_find_more_than_their_alternatives():
    grids = [Grid.random(seed, size=30, goals=15) for seed in range(10)]
    best = sum(goals_by(grid, 0.25) for grid in grids)
    assert best > sum(goals_by(grid, 0.25, nearest=False) for grid in grids)
    assert best > sum(goals_by(grid, 0.25, fade=1) for grid in grids)
