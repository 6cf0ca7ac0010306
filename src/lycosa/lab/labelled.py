"""Recorded site with one more goal, whose targets a goal object selects."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from lycosa.content import Ints, Tables
from lycosa.core import Goal, Page, Site
from lycosa.errors import UsageError
from lycosa.sites import Graph


class LabelledSite:
    """Wraps a site and adds a goal: the pages that `goal` rewards are its targets.

    The first call of `wanted` for this goal evaluates the goal on all pages.

    >>> from lycosa.goals import Query
    >>> from lycosa.sites.generated import World
    >>> department = World(seed=0, departments=1, pages=200).department(0)
    >>> site = LabelledSite(department, Query("title:courses"))
    >>> site.goals
    ('papers', 'faculty', 'courses', 'projects', 'title:courses')
    >>> site.page(int(site.wanted("title:courses")[0])).title
    'Ioanna Makris: My courses'
    """

    def __init__(self, site: Site, goal: Goal) -> None:
        if goal.name in site.goals:
            raise UsageError(
                f"Site {site.name!r} has a goal {goal.name!r} already; give this one another name."
            )
        self.site = site
        self.goal = goal

    def __repr__(self) -> str:
        return f"<LabelledSite {self.site!r} {self.goal.name}>"

    def __len__(self) -> int:
        return len(self.site)

    @property
    def name(self) -> str:
        """As of the wrapped site."""
        return self.site.name

    @property
    def family(self) -> str:
        """As of the wrapped site."""
        return self.site.family

    @property
    def damage(self) -> str | None:
        """Description of unreadable parts of the recording, None if there are none."""
        return getattr(self.site, "damage", None)

    @property
    def tables(self) -> Tables:
        """As of the wrapped site."""
        return self.site.tables

    @property
    def seeds(self) -> Ints:
        """As of the wrapped site."""
        return self.site.seeds

    @property
    def goals(self) -> Sequence[str]:
        """Goals of the wrapped site, and the added one."""
        return (*self.site.goals, self.goal.name)

    @cached_property
    def graph(self) -> Graph:
        """Link graph of the site."""
        return Graph.of(self.site)

    def page(self, number: int, /) -> Page:
        """Return the page of a URL."""
        return self.site.page(number)

    def wanted(self, goal: str, /) -> Ints:
        """Return the numbers of the URLs that a goal rewards."""
        return self._rewarded if goal == self.goal.name else self.site.wanted(goal)

    @cached_property
    def _rewarded(self) -> Ints:
        pages = map(self.site.page, range(len(self.site)))
        return np.array([page.number for page in pages if self.goal(page) > 0], np.int32)
