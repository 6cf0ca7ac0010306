"""Goals made of goals: and, or, not, weights and categories.

Rewards are combined as degrees of membership are in fuzzy sets (Zadeh,
"Fuzzy Sets", 1965): the least for and, the greatest for or. Where all rewards
are 0 or 1, that is plain logic.

A combination shows every page to all its goals, because some remember what
they saw: a goal that need not be asked is told by its method `see`, if it has
one, which costs the others nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from lycosa.core import Goal, Page
from lycosa.errors import UsageError

_PLAIN = re.compile(r"[\w:*.-]+")


def failed(page: Page) -> bool:
    """Whether what came back is not the page that was asked for."""
    return page.error is not None or page.status >= 400


def show(goal: Goal, page: Page) -> None:
    """Let a goal with memory see a page whose reward nobody asks for."""
    see = getattr(goal, "see", None)
    if see is not None:
        see(page)


class Combinable:
    """What makes a goal combine with any other by `&`, `|` and `~`.

    >>> from lycosa.content import Table, Tables
    >>> from lycosa.goals.listed import Listed
    >>> tables = Tables(Table(), Table(["a", "b"]), Table())
    >>> goal = Listed("papers", ["a", "b"]) & ~Listed("drafts", ["b"])
    >>> goal.name, goal(Page(0, tables)), goal(Page(1, tables))
    ('papers & ~drafts', 1.0, 0.0)
    """

    def __and__(self: Goal, other: Goal) -> Both:
        return Both(self, other) if isinstance(other, Goal) else NotImplemented

    def __rand__(self: Goal, other: Goal) -> Both:
        return Both(other, self) if isinstance(other, Goal) else NotImplemented

    def __or__(self: Goal, other: Goal) -> Either:
        return Either(self, other) if isinstance(other, Goal) else NotImplemented

    def __ror__(self: Goal, other: Goal) -> Either:
        return Either(other, self) if isinstance(other, Goal) else NotImplemented

    def __invert__(self: Goal) -> Other:
        return Other(self)

    def see(self, page: Page) -> None:
        """Be shown a page without being asked for its reward; most goals have no memory."""


class Both(Combinable):
    """What two goals want, as much as the one that wants it less: `a & b`."""

    def __init__(self, left: Goal, right: Goal) -> None:
        self.left = left
        self.right = right
        self.name = f"{_named(left)} & {_named(right)}"

    def __repr__(self) -> str:
        return f"({self.left!r} & {self.right!r})"

    def __call__(self, page: Page) -> float:
        """The lesser reward; the right goal is not asked where the left gives nothing."""
        reward = self.left(page)
        if reward:
            return min(reward, self.right(page))
        show(self.right, page)
        return 0.0

    def see(self, page: Page) -> None:
        """Show it to both."""
        show(self.left, page)
        show(self.right, page)


class Either(Combinable):
    """What at least one of two goals wants, as much as the one that wants it more: `a | b`."""

    def __init__(self, left: Goal, right: Goal) -> None:
        self.left = left
        self.right = right
        self.name = f"{_named(left)} | {_named(right)}"

    def __repr__(self) -> str:
        return f"({self.left!r} | {self.right!r})"

    def __call__(self, page: Page) -> float:
        """The greater reward."""
        return max(self.left(page), self.right(page))

    def see(self, page: Page) -> None:
        """Show it to both."""
        show(self.left, page)
        show(self.right, page)


class Other(Combinable):
    """All pages that a goal does not want: `~a`. Pages that failed are not among them."""

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self.name = f"~{_named(goal)}"

    def __repr__(self) -> str:
        return f"~{self.goal!r}"

    def __call__(self, page: Page) -> float:
        """1 for a page that came back and is worth nothing to the goal, else 0."""
        if failed(page):
            show(self.goal, page)
            return 0.0
        return 0.0 if self.goal(page) else 1.0

    def see(self, page: Page) -> None:
        """Show it to the goal."""
        show(self.goal, page)


class Weighted(Combinable):
    """A goal that counts more or less than others: what `weighted` makes."""

    def __init__(self, goal: Goal, weight: float) -> None:
        self.goal = goal
        self.weight = weight
        self.name = f"{weight:g} {_named(goal)}"

    def __repr__(self) -> str:
        return f"weighted({self.goal!r}, {self.weight:g})"

    def __call__(self, page: Page) -> float:
        """The reward times the weight."""
        return self.weight * self.goal(page)

    def see(self, page: Page) -> None:
        """Show it to the goal."""
        show(self.goal, page)


def weighted(goal: Goal, weight: float) -> Weighted:
    """The same goal with every reward times a weight.

    >>> from lycosa.content import Table, Tables
    >>> from lycosa.goals.listed import Listed
    >>> tables = Tables(Table(), Table(["a", "b"]), Table())
    >>> goal = Listed("faculty", ["a"]) | weighted(Listed("students", ["b"]), 0.5)
    >>> goal.name, goal(Page(0, tables)), goal(Page(1, tables))
    ('faculty | (0.5 students)', 1.0, 0.5)
    """
    if not math.isfinite(weight) or weight <= 0:
        raise UsageError(f"A weight is finite and more than 0, not {weight!r}.")
    return Weighted(goal, weight)


class Categories(Combinable):
    """Several goals, each with a name; a page belongs to the one that rewards it most.

    Of equal rewards the first category counts.

    >>> from lycosa.content import Table, Tables
    >>> from lycosa.goals.listed import Listed
    >>> tables = Tables(Table(), Table(["a", "b"]), Table())
    >>> people = Categories({"faculty": Listed("f", ["a"]), "students": Listed("s", ["a"])})
    >>> people.name, people(Page(0, tables))
    ('faculty | students', 1.0)
    >>> people.category(Page(0, tables)), people.category(Page(1, tables))
    ('faculty', None)
    """

    def __init__(self, goals: Mapping[str, Goal]) -> None:
        if not goals:
            raise UsageError("Categories need at least one goal; give a dict of names and goals.")
        self.goals = dict(goals)
        self.name = " | ".join(self.goals)

    def __repr__(self) -> str:
        return f"Categories({self.goals!r})"

    def __call__(self, page: Page) -> float:
        """The reward of the page's category."""
        return max(goal(page) for goal in self.goals.values())

    def see(self, page: Page) -> None:
        """Show it to all goals."""
        for goal in self.goals.values():
            show(goal, page)

    def category(self, page: Page) -> str | None:
        """The name of the goal that rewards a page most, or None if none does."""
        rewards = {name: goal(page) for name, goal in self.goals.items()}
        best = max(rewards, key=rewards.__getitem__)
        return best if rewards[best] else None


def _named(goal: Goal) -> str:
    plain = isinstance(goal, Other) or _PLAIN.fullmatch(goal.name)
    return goal.name if plain else f"({goal.name})"
