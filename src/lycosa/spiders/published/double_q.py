"""Double Q-learning while the crawl goes on, with a memory that is replayed.

To follow a link is an action; it gains the page's reward, and leads to a state
whose actions are the new links of that page. A linear Q over the hashed words
of links is learned from experiences drawn at random from all so far (Lin 1992).
Two weight vectors keep each other from believing their own luck: one chooses
the best next link, the other says what it is worth (van Hasselt 2010). It is
the idea of the deep-deep crawler of Korobov and others (TeamHG-Memex 2016).
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
_MOST = 1 / (1 - _DISCOUNT)  # no more can be gained, so nothing more is believed
_BATCH = 16  # experiences that are replayed after each page
_NEXT = 32  # new links of a page that are remembered as what it led to
_CHANCE = 0.05  # of following any link, to learn what is there
_FIRST = 30
_GROWTH = 1.5


class DoubleQ:
    """The mean of what two learners say of a link's words.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> spider = DoubleQ(seed=0)
    >>> spider.start(Budget())
    >>> _ = spider.observe(Step(1, home, 0.0))
    >>> spider.score(home)[:2]                           # nothing was learned yet
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
        """Nothing was experienced."""
        self._rng = np.random.default_rng(self._seed)
        self._words = LinkWords()
        self._weights = np.zeros((2, COLUMNS))
        self._biases = np.zeros(2)
        self._met = array("i")
        self._fetched = GrowingColumn()
        self._links = array("i")  # the experiences: the link that was followed,
        self._rewards = array("f")  # what it gained,
        self._ends = array("i", [0])  # and where in the log the links end that it led to
        self._log = array("i")
        self._next = _FIRST

    def observe(self, step: Step) -> Scores | None:
        """Remember what came of the link, replay some of the past, at times take a chance."""
        page = step.page
        self._fetched.put(page.number, 1.0)
        new = self._words.add(page, np.arange(len(page.targets))) if len(page.targets) else NO_INTS
        fresh = [n for n in new.tolist() if not self._fetched.at(n)]
        self._met.extend(fresh)
        if self._words.knows(page.number) and step.source >= 0:
            self._links.append(page.number)
            self._rewards.append(min(step.reward, 1.0))
            self._log.extend(fresh[:_NEXT])
            self._ends.append(len(self._log))
        if len(self._links):
            self._replay(self._rng.integers(len(self._links), size=_BATCH))
        if step.n >= self._next:
            self._next = ceil(_GROWTH * step.n)
            self._met = array("i", [n for n in self._met if not self._fetched.at(n)])
            waiting = np.array(self._met, np.int32)
            return Scores(waiting, self.values(waiting))
        if self._met and self._rng.random() < _CHANCE:
            chosen = np.array([self._met[int(self._rng.integers(len(self._met)))]])
            return Scores(chosen, np.array([_MOST + 1]))
        return None

    def score(self, page: Page) -> NDArray[np.float64]:
        """What both learners together say of each link."""
        # A page that is read again may have links that were never observed.
        self._words.add(page, np.arange(len(page.targets)))
        return self.values(page.targets)

    def values(self, numbers: Ints) -> NDArray[np.float64]:
        """The same of URLs whose links were met."""
        return np.asarray(self._said(self._words.rows(numbers)).mean(axis=0))

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """What each of the two says."""
        said = self._said(self._words.rows(page.targets[index : index + 1]))[:, 0].tolist()
        about = f"from {len(self._links)} experiences"
        return tuple(
            ScoreContribution(
                f"{self.name} {which}", value, weight=0.5, base=float(base), about=about
            )
            for which, value, base in zip("ab", said, self._biases, strict=True)
        )

    def _said(self, rows: Rows) -> NDArray[np.float64]:
        """What each of the two says of each link."""
        owners = rows.owners
        sums = [np.bincount(owners, mine.take(rows.words), len(rows)) for mine in self._weights]
        return np.clip(np.stack(sums) + self._biases[:, None], -_MOST, _MOST)

    def _replay(self, batch: NDArray[np.int64]) -> None:
        """Learn from some experiences, one of the two learners from all of them."""
        links = np.array([self._links[k] for k in batch.tolist()], np.int32)
        rewards = np.array([self._rewards[k] for k in batch.tolist()])
        learner = int(self._rng.integers(2))
        goals = rewards + _DISCOUNT * self._futures(batch.tolist(), learner)
        rows = self._words.rows(links)
        errors = goals - self._said(rows)[learner]
        # So small that the steps of one batch cannot add up to more than the error.
        steps = errors / ((1 + np.diff(rows.starts)) * len(batch))
        self._biases[learner] += steps.sum()
        np.add.at(self._weights[learner], rows.words, steps[rows.owners])

    def _futures(self, batch: list[int], learner: int) -> NDArray[np.float64]:
        """What comes after each experience: one learner chooses, the other values."""
        pieces = [self._log[self._ends[k] : self._ends[k + 1]] for k in batch]
        futures = np.zeros(len(batch))
        sizes = np.array([len(piece) for piece in pieces])
        if not sizes.any():
            return futures
        every = np.array([n for piece in pieces for n in piece], np.int32)
        said = self._said(self._words.rows(every))
        start = 0
        for k, size in enumerate(sizes.tolist()):
            if size:
                best = start + int(said[learner, start : start + size].argmax())
                futures[k] = max(float(said[1 - learner, best]), 0.0)
            start += size
        return futures
