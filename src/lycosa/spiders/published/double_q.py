"""Double Q-learning during the crawl, with experience replay.

To follow a link is an action; it gains the page's reward, and leads to a state
whose actions are the new links of that page. A linear Q over the hashed words
of links is learned from experiences drawn at random from all so far (Lin 1992).
Two weight vectors avoid the overestimation of a maximum: one chooses the best
next link, the other estimates its value (van Hasselt 2010). This is the idea of
the deep-deep crawler of Korobov and others (TeamHG-Memex 2016).
"""

from __future__ import annotations

from array import array
from math import ceil
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Page, ScoreContribution, Scores, Step
from lycosa.learn.link_words import COLUMNS, LinkWords, Rows
from lycosa.spiders.factory import Setup
from lycosa.spiders.yields.estimate import GrowingColumn

_DISCOUNT = 0.5
_MAX_VALUE = 1 / (1 - _DISCOUNT)  # the sum of rewards of 1; estimates are clipped
_BATCH = 16  # experiences replayed after each page
_MAX_NEXT_LINKS = 32  # of a page, stored as the actions of its state
_EXPLORATION = 0.05  # the probability of following a random link
_FIRST = 30  # pages before all waiting links are rescored
_GROWTH = 1.5  # the factor between two such rescorings


class DoubleQ:
    """A policy that scores a link by the mean of two learners' Q for its words.

    `seed` is that of the replay and the exploration; `name` is the name in results.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> spider = DoubleQ(seed=0)
    >>> spider.start(Budget())
    >>> _ = spider.observe(Step(1, home, 0.0))
    >>> spider.score(home)[:2]                           # nothing is learned yet
    array([0., 0.])
    """

    def __init__(self, seed: int, name: str = "double-q") -> None:
        self.name = name
        self._seed = seed

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Return a policy with the seed of the setup."""
        return cls(setup.seed)

    def start(self, budget: Budget) -> None:
        """Reset."""
        self._rng = np.random.default_rng(self._seed)
        self._words = LinkWords()
        self._weights = np.zeros((2, COLUMNS))
        self._biases = np.zeros(2)
        self._waiting = array("i")
        self._fetched = GrowingColumn()
        self._links = array("i")  # the experiences: the followed link,
        self._rewards = array("f")  # its reward,
        self._ends = array("i", [0])  # and the end of its next links in the log
        self._log = array("i")
        self._next = _FIRST

    def observe(self, step: Step) -> Scores | None:
        """Store the experience, replay a batch, and sometimes raise a random link."""
        page = step.page
        self._fetched.put(page.number, 1.0)
        new = self._words.add(page, np.arange(len(page.targets))) if len(page.targets) else NO_INTS
        fresh = [n for n in new.tolist() if not self._fetched.at(n)]
        self._waiting.extend(fresh)
        if self._words.knows(page.number) and step.source >= 0:
            self._links.append(page.number)
            self._rewards.append(min(step.reward, 1.0))
            self._log.extend(fresh[:_MAX_NEXT_LINKS])
            self._ends.append(len(self._log))
        if len(self._links):
            self._replay(self._rng.integers(len(self._links), size=_BATCH))
        if step.n >= self._next:
            self._next = ceil(_GROWTH * step.n)
            self._waiting = array("i", [n for n in self._waiting if not self._fetched.at(n)])
            waiting = np.array(self._waiting, np.int32)
            return Scores(waiting, self.values(waiting))
        if self._waiting and self._rng.random() < _EXPLORATION:
            chosen = np.array([self._waiting[int(self._rng.integers(len(self._waiting)))]])
            return Scores(chosen, np.array([_MAX_VALUE + 1]))
        return None

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the mean Q of each link."""
        # A page that is fetched again may have links that were never observed.
        self._words.add(page, np.arange(len(page.targets)))
        return self.values(page.targets)

    def values(self, numbers: Ints) -> NDArray[np.float64]:
        """Return the mean Q of known URLs."""
        return np.asarray(self._both(self._words.rows(numbers)).mean(axis=0))

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the Q of each learner."""
        both = self._both(self._words.rows(page.targets[index : index + 1]))[:, 0].tolist()
        about = f"from {len(self._links)} experiences"
        return tuple(
            ScoreContribution(
                f"{self.name} {which}", value, weight=0.5, base=float(base), about=about
            )
            for which, value, base in zip("ab", both, self._biases, strict=True)
        )

    def _both(self, rows: Rows) -> NDArray[np.float64]:
        """Return the Q of each link by each of the two learners."""
        owners = rows.owners
        sums = [np.bincount(owners, one.take(rows.words), len(rows)) for one in self._weights]
        return np.clip(np.stack(sums) + self._biases[:, None], -_MAX_VALUE, _MAX_VALUE)

    def _replay(self, batch: NDArray[np.int64]) -> None:
        """Update one of the two learners, chosen at random, with some experiences."""
        links = np.array([self._links[k] for k in batch.tolist()], np.int32)
        rewards = np.array([self._rewards[k] for k in batch.tolist()])
        learner = int(self._rng.integers(2))
        goals = rewards + _DISCOUNT * self._futures(batch.tolist(), learner)
        rows = self._words.rows(links)
        errors = goals - self._both(rows)[learner]
        # Divided so that the steps of one batch cannot add up to more than the error.
        steps = errors / ((1 + np.diff(rows.starts)) * len(batch))
        self._biases[learner] += steps.sum()
        np.add.at(self._weights[learner], rows.words, steps[rows.owners])

    def _futures(self, batch: list[int], learner: int) -> NDArray[np.float64]:
        """Return the value after each experience: one learner chooses, the other estimates."""
        pieces = [self._log[self._ends[k] : self._ends[k + 1]] for k in batch]
        futures = np.zeros(len(batch))
        sizes = np.array([len(piece) for piece in pieces])
        if not sizes.any():
            return futures
        every = np.array([n for piece in pieces for n in piece], np.int32)
        both = self._both(self._words.rows(every))
        start = 0
        for k, size in enumerate(sizes.tolist()):
            if size:
                best = start + int(both[learner, start : start + size].argmax())
                futures[k] = max(float(both[1 - learner, best]), 0.0)
            start += size
        return futures
