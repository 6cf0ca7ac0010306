"""Spiders before the crawl: their models, and the factory of their policy."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from lycosa.core import Policy, Site
from lycosa.learn.hashed_model import HashedModel
from lycosa.learn.linear_model import LinearModel
from lycosa.reporting.progress import part

_log = logging.getLogger("lycosa.spiders")

Model: TypeAlias = LinearModel | HashedModel
"""A model that a spider learns before the crawl."""


class Trainer(Protocol):
    """The training of one of a spider's models."""

    def train(self, sites: Sequence[Site], goal: str, seed: int = 0, /) -> Model:
        """Return the model, trained on these sites."""


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """What the factory of a policy may use.

    `site` is the site to be crawled, None in a live crawl; only oracles may
    read it. `goal` is the name or the words of the goal, `seed` that of all
    random choices, and `training` the sites to learn from, which may be opened
    only when they are read.
    """

    site: Site | None
    goal: str
    seed: int = 0
    training: Sequence[Site] = ()


PolicyFactory: TypeAlias = Callable[[Setup, Sequence[Model]], Policy]
"""Makes the policy of a spider from a setup and its trained models."""


@dataclass(frozen=True, slots=True, eq=False)
class Spider:
    """A named spider: the models it needs, and the factory of its policy.

    `make` returns the policy, given a setup and one model for each of the
    `recipes`. A `portable` spider is made of its models and the goal alone, so it can be
    saved to a file. `trained_on` are the names of the sites that a spider from a
    file was trained on. With `optional` training it does without models if there
    are no sites.
    """

    name: str
    make: PolicyFactory
    recipes: tuple[Trainer, ...] = field(default=())
    portable: bool = False
    trained_on: tuple[str, ...] = ()
    optional: bool = False

    def train(self, sites: Sequence[Site], goal: str, seed: int = 0) -> list[Model]:
        """Return the models it needs, trained on these sites."""
        if self.optional and not len(sites):
            return []
        if self.recipes:
            _log.info("training %s for %s on %d sites", self.name, goal, len(sites))
        models = []
        for n, recipe in enumerate(self.recipes):
            with part(n, len(self.recipes)):
                models.append(recipe.train(sites, goal, seed))
        return models

    def __call__(self, setup: Setup) -> Policy:
        """Train the models and return the policy."""
        return self.make(setup, self.train(setup.training, setup.goal, setup.seed))


FindSpider: TypeAlias = Callable[[str], Spider]
"""Looks up a spider by its name."""
