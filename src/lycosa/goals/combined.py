"""Combinations of goals: and, or, not, weights and categories.

Rewards are combined as degrees of membership are in fuzzy sets (Zadeh,
"Fuzzy Sets", 1965): the minimum for and, the maximum for or. Where all rewards
are 0 or 1, that is Boolean logic.

A combination shows every page to all its goals, because the reward of an
`ObservingGoal` depends on the pages seen before: a goal whose reward is not
needed gets the page through `see`.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar

from lycosa.core import (
    Goal,
    GoalOfText,
    GoalWithWords,
    ObservingGoal,
    Page,
    WarningGoal,
)
from lycosa.errors import UsageError

_PLAIN_NAME = re.compile(r"[\w:*.-]+")


def failed(page: Page) -> bool:
    """Return whether a page has no content: a fault, or a status of 400 and above."""
    return page.error is not None or page.status >= 400


def show(goal: Goal, page: Page) -> None:
    """Show a page to a goal whose reward is not needed."""
    if isinstance(goal, ObservingGoal):
        goal.see(page)


def simple_goals(goal: Goal) -> Iterator[Goal]:
    """Yield the goals that a combination is made of; any other goal yields itself."""
    match goal:
        case Both() | Either():
            parts: tuple[Goal, ...] = (goal.left, goal.right)
        case Other() | Weighted():
            parts = (goal.goal,)
        case Categories():
            parts = tuple(goal.goals.values())
        case _:
            yield goal
            return
    for part in parts:
        yield from simple_goals(part)


def is_observing(goal: Goal) -> bool:
    """Return whether the rewards of a goal depend on the pages seen before.

    >>> from lycosa.goals.listed import Listed
    >>> from lycosa.goals.position import Depth
    >>> listed = Listed("some", ["http://a.edu/"])
    >>> is_observing(~listed), is_observing(listed & Depth(most=2))
    (False, True)
    """
    return any(isinstance(part, ObservingGoal) for part in simple_goals(goal))


def words_of(goal: Goal) -> tuple[str, ...]:
    """Return the words that point to a goal's targets; none for a goal without words.

    >>> from lycosa.goals.query import Query
    >>> words_of(Query("robot*") & ~Query("course"))
    ('robot',)
    """
    return tuple(goal.words) if isinstance(goal, GoalWithWords) else ()


def needs_text(goal: Goal) -> bool:
    """Return whether only pages and documents with text can be targets of a goal.

    >>> from lycosa.goals.listed import Listed
    >>> from lycosa.goals.research_paper import ResearchPaper
    >>> papers, listed = ResearchPaper(), Listed("some", ["http://a.edu/"])
    >>> needs_text(papers & listed), needs_text(papers | listed), needs_text(~papers)
    (True, False, False)
    """
    return isinstance(goal, GoalOfText) and goal.needs_text


def warning_goals(goal: Goal) -> tuple[WarningGoal, ...]:
    """Return the parts of a goal, or the goal itself, that may warn."""
    return tuple(part for part in simple_goals(goal) if isinstance(part, WarningGoal))


class Combinable:
    """Base class of goals that combine with any other goal by `&`, `|` and `~`.

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


class _Pair(Combinable, ABC):
    """Base class of the combinations of two goals; `operator` stands between them in the name."""

    operator: ClassVar[str]

    def __init__(self, left: Goal, right: Goal) -> None:
        self.left = left
        self.right = right
        self.name = f"{_operand(left)} {self.operator} {_operand(right)}"

    def __repr__(self) -> str:
        return f"({self.left!r} {self.operator} {self.right!r})"

    @abstractmethod
    def __call__(self, page: Page) -> float:
        """Return the reward, combined from those of both goals."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of both goals."""
        return words_of(self.left) + words_of(self.right)

    def see(self, page: Page) -> None:
        """Show the page to both goals."""
        show(self.left, page)
        show(self.right, page)


class Both(_Pair):
    """The conjunction `left & right` of two goals: the smaller of their rewards."""

    operator = "&"

    @property
    def needs_text(self) -> bool:
        """Whether either goal needs text."""
        return needs_text(self.left) or needs_text(self.right)

    def __call__(self, page: Page) -> float:
        """Return the smaller reward; the right goal is not called where the left one gives 0."""
        reward = self.left(page)
        if reward:
            return min(reward, self.right(page))
        show(self.right, page)
        return 0.0


class Either(_Pair):
    """The disjunction `left | right` of two goals: the greater of their rewards."""

    operator = "|"

    @property
    def needs_text(self) -> bool:
        """Whether both goals need text."""
        return needs_text(self.left) and needs_text(self.right)

    def __call__(self, page: Page) -> float:
        """Return the greater reward."""
        return max(self.left(page), self.right(page))


class Other(Combinable):
    """The negation `~goal`: reward 1 where the goal gives 0, except for pages that failed."""

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self.name = f"~{_operand(goal)}"

    def __repr__(self) -> str:
        return f"~{self.goal!r}"

    def __call__(self, page: Page) -> float:
        """Return 1 for a page with content to which the goal gives 0, else 0."""
        if failed(page):
            show(self.goal, page)
            return 0.0
        return 0.0 if self.goal(page) else 1.0

    def see(self, page: Page) -> None:
        """Show the page to the goal."""
        show(self.goal, page)


class Weighted(Combinable):
    """A goal whose rewards are multiplied by `weight`, which is above 0; made by `weighted`."""

    def __init__(self, goal: Goal, weight: float) -> None:
        self.goal = goal
        self.weight = weight
        self.name = f"{weight:g} {_operand(goal)}"

    def __repr__(self) -> str:
        return f"weighted({self.goal!r}, {self.weight:g})"

    def __call__(self, page: Page) -> float:
        """Return the reward times the weight."""
        return self.weight * self.goal(page)

    @property
    def needs_text(self) -> bool:
        """Whether the goal needs text."""
        return needs_text(self.goal)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the goal."""
        return words_of(self.goal)

    def see(self, page: Page) -> None:
        """Show the page to the goal."""
        show(self.goal, page)


def weighted(goal: Goal, weight: float) -> Weighted:
    """Return the goal with every reward multiplied by a weight.

    >>> from lycosa.content import Table, Tables
    >>> from lycosa.goals.listed import Listed
    >>> tables = Tables(Table(), Table(["a", "b"]), Table())
    >>> goal = Listed("faculty", ["a"]) | weighted(Listed("students", ["b"]), 0.5)
    >>> goal.name, goal(Page(0, tables)), goal(Page(1, tables))
    ('faculty | (0.5 students)', 1.0, 0.5)
    """
    if not math.isfinite(weight) or weight <= 0:
        raise UsageError(f"The weight of a goal must be finite and greater than 0, not {weight!r}.")
    return Weighted(goal, weight)


class Categories(Combinable):
    """Named goals; a page belongs to the category whose goal gives it the greatest reward.

    Of equal rewards the first category wins. `goals` maps each name to its goal.

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
        """Return the reward of the page's category."""
        return max(goal(page) for goal in self.goals.values())

    @property
    def needs_text(self) -> bool:
        """Whether all goals need text."""
        return all(map(needs_text, self.goals.values()))

    @property
    def words(self) -> tuple[str, ...]:
        """The words of all goals."""
        return tuple(word for goal in self.goals.values() for word in words_of(goal))

    def see(self, page: Page) -> None:
        """Show the page to all goals."""
        for goal in self.goals.values():
            show(goal, page)

    def category(self, page: Page) -> str | None:
        """Return the name of the page's category, or None if no goal rewards it."""
        rewards = {name: goal(page) for name, goal in self.goals.items()}
        best = max(rewards, key=rewards.__getitem__)
        return best if rewards[best] else None


def _operand(goal: Goal) -> str:
    """Return the name of a goal as a part of a larger one, in parentheses where needed."""
    plain = isinstance(goal, Other) or _PLAIN_NAME.fullmatch(goal.name)
    return goal.name if plain else f"({goal.name})"
