"""Test whether an object keeps the contract of a goal."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from lycosa.core import Goal, Page
from lycosa.errors import ContractError


def check_goal(goal: Goal, pages: Iterable[Page]) -> None:
    """Try a goal on some pages; raise a `ContractError` that says what is wrong.

    A goal has a name, gives every page a finite reward that is not negative,
    the same one each time, also a page that failed, and leaves the page alone.
    """
    name = getattr(goal, "name", None)
    if not isinstance(name, str) or not name:
        raise ContractError(f"A goal needs a name, a string; {goal!r} has {name!r}.")
    if not isinstance(goal, Goal):
        raise ContractError(f"Goal {name!r} cannot be called with a page.")
    for page in pages:
        failed = Page(page.number, page.tables, status=0, type="", error="timeout")
        for candidate in (page, failed):
            targets = candidate.targets.copy()
            first, second = goal(candidate), goal(candidate)
            if isinstance(first, bool) or not isinstance(first, int | float):
                raise ContractError(
                    f"Goal {name!r} gave {page.url} {first!r}, which is not a number."
                )
            if not math.isfinite(first) or first < 0:
                raise ContractError(
                    f"Goal {name!r} gave {page.url} the reward {first!r}; "
                    "a reward is finite and not negative."
                )
            if first != second:
                raise ContractError(
                    f"Goal {name!r} gave {page.url} first {first!r}, then {second!r}."
                )
            if not np.array_equal(targets, candidate.targets):
                raise ContractError(f"Goal {name!r} changed the links of {page.url}.")
