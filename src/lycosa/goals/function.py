"""A Python function as a goal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import SupportsFloat

from lycosa.core import Page
from lycosa.errors import ContractError, UsageError
from lycosa.goals.combined import Combinable, failed


class Function(Combinable):
    """What a function of a page returns is its reward; True is 1 and False is 0.

    Pages that failed are worth 0, and the function is not asked. An error in
    the function comes through as it is, with a note that names the page.

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
            raise UsageError(f"A goal needs a name, a string; {name!r} is none.")
        if not callable(function):
            raise UsageError(f"Goal {name!r} needs a function of a page; {function!r} is none.")
        self.name = name
        self.function = function

    def __repr__(self) -> str:
        return f"Function({self.name!r}, {self.function!r})"

    def __call__(self, page: Page) -> float:
        """What the function says of a page."""
        if failed(page):
            return 0.0
        try:
            answer = self.function(page)
        except Exception as error:
            error.add_note(f"It was raised by the function of goal {self.name!r} on {page.url}.")
            raise
        # A string of digits is a number to float() and most likely a mistake.
        reward = float(answer) if _is_number(answer) else math.nan
        if not math.isfinite(reward) or reward < 0:
            raise ContractError(
                f"The function of goal {self.name!r} gave {page.url} {answer!r}; "
                "return a number that is finite and not negative."
            )
        return reward


def _is_number(answer: object) -> bool:
    return isinstance(answer, SupportsFloat) and not hasattr(answer, "__len__")
