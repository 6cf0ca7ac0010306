"""Goal: a Python function of a page."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import SupportsFloat

from lycosa.core import Page
from lycosa.errors import ContractError, UsageError
from lycosa.goals.combined import Combinable, failed


class Function(Combinable):
    """A goal whose reward is what a function of a page returns; True is 1 and False is 0.

    `name` is the goal's name in reports and messages. `function` returns a finite
    number that is not negative. Pages that failed have the reward 0, without a call
    of the function. An exception in the function is raised unchanged, with a note
    that names the page.

    >>> from lycosa.content import Table, Tables
    >>> page = Page(0, Tables(Table(), Table(["http://a.edu/~smith/"]), Table()))
    >>> homes = Function("homes", lambda page: "~" in page.url)
    >>> homes(page)
    1.0
    >>> Function("broken", lambda page: None)(page)
    Traceback (most recent call last):
    lycosa.errors.ContractError: The function of goal 'broken' gave http://a.edu/~smith/ None; \
return a number that is finite and not negative.
    """

    def __init__(self, name: str, function: Callable[[Page], SupportsFloat]) -> None:
        if not name or not isinstance(name, str):
            raise UsageError(f"A goal needs a name, a string; {name!r} is not one.")
        if not callable(function):
            raise UsageError(
                f"Goal {name!r} needs a function of a page; {function!r} cannot be called."
            )
        self.name = name
        self.function = function

    def __repr__(self) -> str:
        return f"Function({self.name!r}, {self.function!r})"

    def __call__(self, page: Page) -> float:
        """Return the reward of a page."""
        if failed(page):
            return 0.0
        try:
            value = self.function(page)
        except Exception as error:
            error.add_note(f"It was raised by the function of goal {self.name!r} on {page.url}.")
            raise
        # float() takes a string of digits, which is most likely a mistake.
        reward = float(value) if _is_number(value) else math.nan
        if not math.isfinite(reward) or reward < 0:
            raise ContractError(
                f"The function of goal {self.name!r} gave {page.url} {value!r}; "
                "return a number that is finite and not negative."
            )
        return reward


def _is_number(value: object) -> bool:
    return isinstance(value, SupportsFloat) and not hasattr(value, "__len__")
