"""Random: every waiting link is equally likely to be next."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, Step
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders.factory import Setup
from lycosa.splitmix import SeededHash


class Random:
    """A policy that chooses uniformly among the waiting URLs, at every step.

    A score is given once, when a link is found, yet the choice has to be
    uniform each time. So every URL has an alarm clock that rings after an
    exponentially distributed time, counted from when it was found, and the
    next page is the one whose clock rings first (Gillespie, "Exact Stochastic
    Simulation of Coupled Chemical Reactions", 1977). The exponential
    distribution is memoryless: of the clocks still running each is equally
    likely to ring next. A plain random number as score would not be uniform:
    a link that has waited long would be known to have a low one.

    The time on a URL's clock is a hash of its number and `seed`, so that a URL
    that is linked twice is drawn once.

    >>> from lycosa.content import Table, Tables
    >>> page = Page(0, Tables(Table(), Table(["a"]), Table()), np.array([1, 2], np.int32))
    >>> spider = Random(seed=1)
    >>> spider.start(Budget())
    >>> spider.score(page).round(3)
    array([-0.217, -0.022])
    """

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._now = 0.0
        self._hash = SeededHash(seed)

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Return a policy with the seed of the setup."""
        return cls(setup.seed)

    def start(self, budget: Budget) -> None:
        """Set the time to zero."""
        self._now = 0.0

    def save(self, state: StateWriter) -> None:
        """Save the seed and the time."""
        state.value("clock", [self.seed, self._now])

    def restore(self, state: StateReader) -> None:
        """Take over the time; raise `ValueError` if the seed was another."""
        seed, now = state.value("clock")
        if seed != self.seed:
            raise ValueError("it was saved with another seed")
        self._now = now

    def observe(self, step: Step) -> None:
        """Set the time to when this page's clock rang; the clocks of seeds ring at zero."""
        self._now = 0.0 if step.source < 0 else -step.score

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the negated times at which the clocks of the links ring."""
        mixed = self._hash(page.targets)
        # 53 bits are a number in (0, 1]; its negated logarithm is exponentially distributed.
        waits: NDArray[np.float64] = np.log(((mixed >> np.uint64(11)) + 1.0) * 2.0**-53)
        return waits - self._now
