"""A sleeping bandit over groups of tag paths.

After Gauquier, Manolescu & Senellart 2026, who look for data files on large
sites. An arm is a group of links with similar tag paths; pulling it follows a
random link of it; its gain is the number of targets found by that. An arm without
links sleeps (Kleinberg, Niculescu-Mizil & Sharma 2010): of the others the one with
the highest upper confidence bound is pulled. A classifier learns to recognise
targets by their URLs; links it takes for targets are followed at once.
"""

from __future__ import annotations

from array import array
from math import ceil
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Budget, Page, ScoreContribution, Scores, Step
from lycosa.spiders.factory import Setup
from lycosa.spiders.published.tag_paths import TagPaths
from lycosa.spiders.published.url_classifier import URLClassifier
from lycosa.spiders.yields.estimate import GrowingColumn

_TARGET = 2.0  # plus its probability: the score of a link taken for a target
_PULL = 1.0  # the score of the link that the bandit chose; all others have less
_UNTRIED = 0.999  # the score of links of arms that were never pulled
_FIRST = 30  # pages before all waiting links are rescored
_GROWTH = 1.5  # the factor between two such rescorings


class SleepingBandit:
    """A policy that follows links that look like targets first, then a link of the best arm.

    `seed` is that of the choice within an arm; `name` is the name in results.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> spider = SleepingBandit(seed=0)
    >>> spider.start(Budget())
    >>> _ = spider.observe(Step(1, home, 0.0))
    >>> sorted(set(spider.score(home).tolist()))         # one is chosen, no arm was tried yet
    [0.999, 1.0]
    """

    def __init__(self, seed: int, name: str = "sleeping-bandit") -> None:
        self.name = name
        self._seed = seed

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Return a policy with the seed of the setup."""
        return cls(setup.seed)

    def start(self, budget: Budget) -> None:
        """Reset: there are no arms."""
        self._rng = np.random.default_rng(self._seed)
        self._paths = TagPaths()
        self._classifier = URLClassifier()
        self._links: list[array[int]] = []  # of each arm, possibly fetched since
        self._pulls = np.zeros(0)
        self._gains = np.zeros(0)
        self._arms = GrowingColumn()  # 1 + the arm of a URL; 0: no known link
        self._fetched = GrowingColumn()
        self._pulled = 0
        self._choice = -1
        self._next = _FIRST

    def observe(self, step: Step) -> Scores | None:
        """Count the gain of the last pull, learn the URL, and choose the next link."""
        page = step.page
        self._fetched.put(page.number, 1.0)
        is_target = step.reward > 0
        if step.source >= 0:
            self._classifier.learn(page.tables, page.url, is_target)
        taken = np.isfinite(step.score) and step.score >= _TARGET
        self._count(step.source if taken else page.number, is_target, pulled=not taken)
        if len(page.targets):
            self._add_links(page)
        # The last choice still waits behind links that look like targets.
        if not taken or self._choice < 0 or self._fetched.at(self._choice):
            self._choice = self._choose()
        if step.n >= self._next:
            self._next = ceil(_GROWTH * step.n)
            return self._rescored(page, self._waiting())
        return self._rescored(page, [self._choice]) if self._choice >= 0 else None

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the scores of likely targets, of the choice, and of the rest by their arms."""
        bounds = np.append(_UNTRIED, self._arm_scores())  # first: no known link
        values = bounds[self._arms[page.targets].astype(np.intp)]
        values[page.targets == self._choice] = _PULL
        likely = self._classifier.of_links(page)
        return np.where(likely > 0.5, _TARGET + likely, values)

    def bounds(self) -> NDArray[np.float64]:
        """Return the upper confidence bound of each arm, infinite if it was never pulled."""
        width = 2 * np.log(max(self._pulled, 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            found = self._gains / self._pulls + np.sqrt(width / self._pulls)
        return np.where(self._pulls > 0, found, np.inf)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the gain of the link's arm, and the probability of its URL."""
        arm = int(self._arms.at(int(page.targets[index]))) - 1
        value = float(self.score(page)[index])
        likely = float(self._classifier.of_links(page)[index])
        about = "in no arm"
        if arm >= 0:
            about = f"arm {arm}: {self._gains[arm]:.0f} targets in {self._pulls[arm]:.0f} pulls"
        url = "taken for a target" if likely > 0.5 else "not taken for a target"
        return (
            ScoreContribution(self.name, value, about=about),
            ScoreContribution("url", likely, weight=float(likely > 0.5), about=url),
        )

    def _count(self, number: int, is_target: bool, *, pulled: bool) -> None:
        """Count a page for its arm; one taken for a target for the arm of its source page."""
        arm = int(self._arms.at(number)) - 1 if number >= 0 else -1
        if arm >= 0:
            self._gains[arm] += is_target
            self._pulls[arm] += pulled
            self._pulled += pulled

    def _add_links(self, page: Page) -> None:
        """Add new links to their arms."""
        new = (self._arms[page.targets] == 0) & (self._fetched[page.targets] == 0)
        if not new.any():
            return
        numbers = page.targets[new]
        arms = self._paths.groups(page.tables.paths, page.content.paths[new])
        self._arms[numbers] = arms + 1
        more = self._paths.count - len(self._links)
        self._links += [array("i") for _ in range(more)]
        self._pulls = np.append(self._pulls, np.zeros(more))
        self._gains = np.append(self._gains, np.zeros(more))
        for number, arm in zip(numbers.tolist(), arms.tolist(), strict=True):
            self._links[arm].append(number)

    def _choose(self) -> int:
        """Return a random waiting link of the best arm that has one, or -1."""
        order: list[int] = np.argsort(-self.bounds(), kind="stable").tolist()
        for links in (self._links[arm] for arm in order):
            while links:
                at = int(self._rng.integers(len(links)))
                links[at], links[-1] = links[-1], links[at]
                number = links.pop()
                if not self._fetched.at(number):
                    return number
        return -1

    def _waiting(self) -> list[int]:
        """Return all waiting links, whose probabilities have changed since they were scored."""
        waiting = [n for links in self._links for n in links if not self._fetched.at(n)]
        return waiting + [self._choice] * (self._choice >= 0)

    def _rescored(self, page: Page, numbers: list[int]) -> Scores:
        """Return links of any page with their present scores."""
        bounds, (words, urls, _) = self._arm_scores(), page.tables
        values = []
        for number in numbers:
            likely = self._classifier.probability(words, urls[number])
            value = float(bounds[int(self._arms.at(number)) - 1])
            value = _PULL if number == self._choice else value
            values.append(_TARGET + likely if likely > 0.5 else value)
        return Scores(np.array(numbers, np.int32), np.array(values, np.float64))

    def _arm_scores(self) -> NDArray[np.float64]:
        """The bounds in their order, but below what is chosen."""
        bounds = self.bounds()
        tried = np.isfinite(bounds)
        bounds[~tried] = 0.0
        return np.where(tried, _UNTRIED * bounds / (1 + bounds), _UNTRIED)
