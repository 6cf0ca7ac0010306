"""A site with one more goal than it knows by itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from lycosa.content import Ints, Tables
from lycosa.core import Goal, Page, Site
from lycosa.errors import UsageError
from lycosa.sites import Graph


class LabelledSite:
    """Another site whose targets for one goal are found by asking the goal.

    All pages are shown to the goal once, when somebody asks what is wanted;
    those with a reward are targets.

    >>> from lycosa.goals import Query
    >>> from lycosa.sites.generated import World
    >>> department = World(seed=0, departments=1, pages=200).department(0)
    >>> site = LabelledSite(department, Query("title:courses"))
    >>> site.goals
    ('papers', 'faculty', 'courses', 'projects', 'title:courses')
    >>> site.page(int(site.wanted("title:courses")[0])).title
    'victor ragrum my courses'
    """

    def __init__(self, site: Site, goal: Goal) -> None:
        if goal.name in site.goals:
            raise UsageError(
                f"Site {site.name!r} knows a goal {goal.name!r} already; name this one otherwise."
            )
        self.site = site
        self.goal = goal

    def __repr__(self) -> str:
        return f"<LabelledSite {self.site!r} {self.goal.name}>"

    def __len__(self) -> int:
        return len(self.site)

    @property
    def name(self) -> str:
        """That of the site."""
        return self.site.name

    @property
    def family(self) -> str:
        """That of the site."""
        return self.site.family

    @property
    def damage(self) -> str | None:
        """What could not be read of the site, None if all could or nothing was recorded."""
        return getattr(self.site, "damage", None)

    @property
    def tables(self) -> Tables:
        """Those of the site."""
        return self.site.tables

    @property
    def seeds(self) -> Ints:
        """Those of the site."""
        return self.site.seeds

    @property
    def goals(self) -> Sequence[str]:
        """Those of the site, and the new one."""
        return (*self.site.goals, self.goal.name)

    @cached_property
    def graph(self) -> Graph:
        """Where every page leads."""
        return Graph.of(self.site)

    def page(self, number: int, /) -> Page:
        """What comes back for a URL."""
        return self.site.page(number)

    def wanted(self, goal: str, /) -> Ints:
        """The numbers of the URLs that a goal of the site rewards, or the new one."""
        return self._rewarded if goal == self.goal.name else self.site.wanted(goal)

    @cached_property
    def _rewarded(self) -> Ints:
        pages = map(self.site.page, range(len(self.site)))
        return np.array([page.number for page in pages if self.goal(page) > 0], np.int32)
