"""Contract test of goals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from lycosa.core import Goal, GoalWithWords, ObservingGoal, Page
from lycosa.errors import ContractError


def check_goal(goal: Goal, pages: Iterable[Page]) -> None:
    """Call a goal with some pages; raise a `ContractError` that says what is wrong.

    A goal has a name and gives every page, also one that failed, a finite
    reward that is not negative, the same one each time, without changing the
    page. The optional hooks are checked where the goal has them: `words` are
    strings in lower case, and `see` takes a page, changes no reward that the
    page had, and returns nothing.
    """
    name = getattr(goal, "name", None)
    if not isinstance(name, str) or not name:
        raise ContractError(f"A goal needs a name, a string; {goal!r} has {name!r}.")
    if not isinstance(goal, Goal):
        raise ContractError(f"Goal {name!r} cannot be called with a page.")
    if isinstance(goal, GoalWithWords):
        _check_words(goal)
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
            if isinstance(goal, ObservingGoal):
                _check_see(goal, candidate)
                second = goal(candidate)
            if first != second:
                raise ContractError(
                    f"Goal {name!r} gave {page.url} first {first!r}, then {second!r}."
                )
            if not np.array_equal(targets, candidate.targets):
                raise ContractError(f"Goal {name!r} changed the links of {page.url}.")


def _check_words(goal: GoalWithWords) -> None:
    words: Any = goal.words
    strings = not isinstance(words, str) and isinstance(words, Sequence)
    if not strings or not all(isinstance(word, str) and word == word.lower() for word in words):
        raise ContractError(
            f"Goal {goal.name!r} has the words {words!r}; give a sequence of words in lower case."
        )


def _check_see(goal: ObservingGoal, page: Page) -> None:
    returned: object = goal.see(page)  # type: ignore[func-returns-value]
    if returned is not None:
        raise ContractError(f"Goal {goal.name!r} returned {returned!r} from see; return nothing.")
