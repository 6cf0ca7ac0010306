"""Grid domain of Davidov & Markovitch 2002: goals among random walls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from lycosa.errors import UsageError

_CROSS = ndimage.generate_binary_structure(2, 1)  # neighbours are horizontal and vertical


class Grid:
    """Square grid with walls; steps go up, left, right and down.

    Cells are numbered row by row. `free` is a square array, False at walls; `start` and `goals`
    are free cells. The methods are the arguments of `mg_best_first`; `index` maps a goal to its
    number among the distances.

    >>> from lycosa.search import FrontAdvancement, mg_best_first
    >>> grid = Grid.random(seed=1, size=20, goals=10)
    >>> heuristic = FrontAdvancement(grid.distances, grid.index.get)
    >>> steps = mg_best_first([grid.start], grid.expand, grid.goal, heuristic, wanted=5)
    >>> for step in steps:
    ...     for cell, weight in step.found:
    ...         print(f"step {step.n}, {step.generated} cells seen: a goal at {divmod(cell, 20)}")
    step 1, 3 cells seen: a goal at (0, 9)
    step 5, 11 cells seen: a goal at (0, 15)
    step 15, 32 cells seen: a goal at (6, 15)
    step 22, 48 cells seen: a goal at (11, 11)
    step 26, 59 cells seen: a goal at (10, 6)
    """

    def __init__(self, free: NDArray[np.bool_], start: int, goals: Sequence[int]) -> None:
        if free.ndim != 2 or free.shape[0] != free.shape[1]:
            raise UsageError(f"A grid is square; give as many rows as columns, not {free.shape}.")
        self._free: list[bool] = free.ravel().tolist()
        for cell in (start, *goals):
            if not (0 <= cell < len(self._free) and self._free[cell]):
                raise UsageError(f"Cell {cell} is not free; start and goals need free cells.")
        self.free = free
        self.size = len(free)
        self.start = start
        self.index = {cell: number for number, cell in enumerate(dict.fromkeys(goals))}
        cells = np.arange(self.size**2)[:, None]
        y, x = np.divmod(cells, self.size)
        goal_y, goal_x = np.divmod(np.array(self.goals, int), self.size)
        self._distances = (abs(y - goal_y) + abs(x - goal_x)).astype(np.float64)

    @classmethod
    def random(
        cls, seed: int, *, size: int = 50, goals: int = 20, density: float = 0.2, longest: int = 10
    ) -> Grid:
        """Return a grid with random walls, a random start and random goals.

        Walls are straight, of 1 to `longest` cells, and may touch and cross. They are inserted
        until they cover the share `density` of all cells. A wall that would separate free
        cells is skipped, so very dense grids may be less dense than `density`.
        """
        if size < 1 or longest < 1 or not 0 <= density < 1 or goals < 0:
            raise UsageError(
                f"There is no grid of size {size} with walls up to {longest} long, density "
                f"{density} and {goals} goals; give a size and length above 0, a density of "
                "at least 0 and below 1, and 0 goals or more."
            )
        rng = np.random.default_rng(seed)
        free = _build_walls(rng, size, density, longest)
        cells = rng.permutation(np.flatnonzero(free)).tolist()
        if goals >= len(cells):
            raise UsageError(
                f"{goals} goals and a start do not fit into {len(cells)} free cells; "
                "ask for fewer goals, a lower density or a larger grid."
            )
        return cls(free, cells[0], cells[1 : goals + 1])

    @property
    def goals(self) -> tuple[int, ...]:
        """Cells of the goals."""
        return tuple(self.index)

    def expand(self, cell: int) -> list[int]:
        """Return the free neighbours of a cell."""
        size, free = self.size, self._free
        y, x = divmod(cell, size)
        near = []
        if y and free[cell - size]:
            near.append(cell - size)
        if x and free[cell - 1]:
            near.append(cell - 1)
        if x + 1 < size and free[cell + 1]:
            near.append(cell + 1)
        if y + 1 < size and free[cell + size]:
            near.append(cell + size)
        return near

    def goal(self, cell: int) -> float:
        """Return 1 for a goal, else 0."""
        return float(cell in self.index)

    def distances(self, cell: int) -> NDArray[np.float64]:
        """Return the Manhattan distance to every goal, a lower bound of the true one."""
        row: NDArray[np.float64] = self._distances[cell]
        return row


def _build_walls(
    rng: np.random.Generator, size: int, density: float, longest: int
) -> NDArray[np.bool_]:
    free = np.ones((size, size), bool)
    missing = int(density * size**2)
    refused = 0
    while missing and refused < 10 * size:
        length = min(int(rng.integers(1, longest, endpoint=True)), size, missing)
        row, column = rng.integers(size), rng.integers(size - length, endpoint=True)
        tried = free.copy()
        lines = tried if rng.integers(2) else tried.T
        lines[row, column : column + length] = False
        built = int(free.sum() - tried.sum())
        if built and ndimage.label(tried, _CROSS)[1] == 1:
            free, missing, refused = tried, missing - built, 0
        else:
            refused += 1
    return free
