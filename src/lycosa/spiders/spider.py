"""What a spider is made of, before it is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from lycosa.core import Policy, Site
from lycosa.learn.hashed_model import HashedModel
from lycosa.learn.linear_model import LinearModel

Model: TypeAlias = LinearModel | HashedModel
"""What a spider learned before the crawl."""


class Trainer(Protocol):
    """How one of a spider's models is learned."""

    def train(self, sites: Sequence[Site], goal: str, seed: int = 0, /) -> Model:
        """The model, learned from these sites."""


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


PolicyFactory: TypeAlias = Callable[[Setup, Sequence[Model]], Policy]


@dataclass(frozen=True, slots=True, eq=False)
class Spider:
    """A named spider: the models it needs, and how it is made of them.

    `portable` ones can be kept in a file: they are made of their models alone.
    `trained_on` are the names of sites that one from a file has seen before. Where
    training is `optional`, it does without if there are no sites.
    """

    name: str
    make: PolicyFactory
    recipes: tuple[Trainer, ...] = field(default=())
    portable: bool = False
    trained_on: tuple[str, ...] = ()
    optional: bool = False

    def train(self, sites: Sequence[Site], goal: str, seed: int = 0) -> list[Model]:
        """The models it needs, learned from these sites."""
        if self.optional and not len(sites):
            return []
        return [recipe.train(sites, goal, seed) for recipe in self.recipes]

    def __call__(self, setup: Setup) -> Policy:
        """Train it, if it is one that learns, and make it."""
        return self.make(setup, self.train(setup.training, setup.goal, setup.seed))
