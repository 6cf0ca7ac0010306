import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.search import BreadthFirst, Grid, mg_best_first

PLANS = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "size": st.integers(2, 9),
        "goals": st.integers(0, 1),
        "density": st.floats(0, 0.6),
        "longest": st.integers(1, 12),
    }
)


@given(PLANS)
def test_every_free_cell_can_be_reached_whatever_the_walls(plan):
    grid = Grid.random(**plan)
    steps = mg_best_first([grid.start], grid.expand, grid.goal, BreadthFirst())
    cells = {step.node for step in steps} - {None}
    assert cells == set(np.flatnonzero(grid.free).tolist())


@given(PLANS)
def test_steps_lead_to_free_neighbours_and_back(plan):
    grid = Grid.random(**plan)
    free = grid.free.ravel()
    for cell in np.flatnonzero(free).tolist():
        y, x = divmod(cell, grid.size)
        around = [(y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x)]
        inside = [(v, u) for v, u in around if 0 <= v < grid.size and 0 <= u < grid.size]
        assert grid.expand(cell) == [v * grid.size + u for v, u in inside if grid.free[v, u]]


@given(PLANS)
def test_walls_do_not_exceed_the_density(plan):
    grid = Grid.random(**plan)
    assert (~grid.free).sum() <= plan["density"] * plan["size"] ** 2


@pytest.mark.parametrize(
    ("density", "longest"), [(0, 5), (0.1, 10), (0.2, 10), (0.2, 25), (0.3, 3)]
)
def test_usual_densities_are_reached(density, longest):
    grid = Grid.random(5, density=density, longest=longest)
    assert (~grid.free).sum() == density * 2500


@pytest.mark.parametrize("longest", [1, 4])
def test_walls_are_as_long_as_allowed_and_go_both_ways(longest):
    # So few that they do not touch.
    grids = [Grid.random(seed, density=longest / 2500, longest=longest).free for seed in range(40)]
    for lines in (np.vstack(grids), np.vstack([free.T for free in grids])):
        picture = "\n".join("".join("# "[cell] for cell in line) for line in lines.tolist())
        assert max(len(run) for run in picture.split()) == longest


def test_the_same_seed_makes_the_same_grid():
    one, same, other = (Grid.random(seed, size=20) for seed in (1, 1, 2))
    assert (one.free == same.free).all()
    assert (one.start, one.goals) == (same.start, same.goals)
    assert (one.start, one.goals) != (other.start, other.goals)


def test_start_and_goals_are_distinct_free_cells():
    grid = Grid.random(4, size=6, goals=25)
    cells = {grid.start, *grid.goals}
    assert len(cells) == 26
    assert grid.free.ravel()[list(cells)].all()
    assert [cell for cell in range(36) if grid.goal(cell)] == sorted(grid.goals)
    assert [grid.index[cell] for cell in grid.goals] == list(range(25))


def test_distances_are_manhattan_distances():
    grid = Grid(np.ones((4, 4), bool), start=0, goals=[15, 1])
    assert grid.distances(4).tolist() == [5, 2]
    assert grid.distances(15).tolist() == [0, 5]


@pytest.mark.parametrize(
    "plan",
    [{"size": 0}, {"density": 1.0}, {"density": -0.1}, {"longest": 0}, {"goals": -1}],
)
def test_refuses_impossible_grids(plan):
    with pytest.raises(UsageError, match="There is no grid"):
        Grid.random(0, **plan)


def test_refuses_too_many_goals():
    with pytest.raises(UsageError, match="16 goals and a start do not fit into 16 free cells"):
        Grid.random(0, size=4, goals=16, density=0)


def test_checks_an_explicit_grid():
    free = np.array([[True, False], [True, True]])
    assert Grid(free, 0, [3]).expand(2) == [0, 3]
    with pytest.raises(UsageError, match="square"):
        Grid(free[:1], 0, [])
    for start, goals in ((1, []), (0, [1]), (0, [4]), (-1, [])):
        with pytest.raises(UsageError, match="not free"):
            Grid(free, start, goals)
