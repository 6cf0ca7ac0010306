"""What a spider is made of, before it is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lycosa.core import Policy, Site
from lycosa.learn.linear_model import LinearModel
from lycosa.spiders.training import Recipe, train


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """What a spider is made from.

    `site` is the one to be crawled, None if nobody knows it yet: only oracles
    may look at it. The others, those it may learn from, are `training`, and may
    be opened only when read.
    """

    site: Site | None
    goal: str
    seed: int = 0
    training: Sequence[Site] = ()


Make: TypeAlias = Callable[[Setup, Sequence[LinearModel]], Policy]


@dataclass(frozen=True, slots=True, eq=False)
class Spider:
    """A named spider: the models it needs, and how it is made of them.

    `portable` ones can be kept in a file: they are made of their models alone.
    `trained_on` are the names of sites that one from a file has seen before.
    """

    name: str
    make: Make
    recipes: tuple[Recipe, ...] = field(default=())
    portable: bool = False
    trained_on: tuple[str, ...] = ()

    def train(self, sites: Sequence[Site], goal: str, seed: int = 0) -> list[LinearModel]:
        """The models it needs, learned from these sites."""
        return [train(sites, goal, recipe, seed) for recipe in self.recipes]

    def __call__(self, setup: Setup) -> Policy:
        """Train it, if it is one that learns, and make it."""
        return self.make(setup, self.train(setup.training, setup.goal, setup.seed))
