"""InfoSpiders: a population of agents whose energy comes from rewards.

Menczer 1997, "ARACHNID", and Menczer & Belew 2000, "Adaptive Retrieval Agents".
Each agent has energy and a small linear net, which estimates a link by the
keywords in and around it. It pays for every page and gains from targets; it learns
by temporal differences. An agent with much energy has a child with slightly
different weights, one without energy dies.

All agents share one frontier here: a link belongs to the agent of the page it was
found on first, which estimates it, and the best of all links is next. Seeds, and
the links of dead agents, are visited by new agents without a parent.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import ceil
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Page, ScoreContribution, Scores, Step
from lycosa.goals.profiles import profile
from lycosa.learn.vocabularies import Vocabulary, WeightLookup
from lycosa.spiders.factory import Setup
from lycosa.spiders.yields.estimate import GrowingColumn

_MAX_KEYWORDS = 32  # of the goal: a byte of each is stored for every URL
_BAGS = (("anchor", 1.0), ("url", 1.0), ("near", 0.3))  # with their weights
_INITIAL_WEIGHT = 0.5  # of every keyword
_LEARNING_RATE = 0.1
_DISCOUNT = 0.5
_REPRODUCTION_ENERGY = 2.0
_INITIAL_ENERGY = 0.5  # of an agent without a parent
_MUTATION = 0.25  # standard deviation of the change of one keyword's weight in a child
_MAX_VALUE = 4.0  # links of dead agents score below all others by it
_FIRST = 30  # pages before all waiting links are rescored
_GROWTH = 1.5  # the factor between two such rescorings


class InfoSpiders:
    """A policy that scores a link by the estimate of the agent that owns it.

    Parameters
    ----------
    words
        The keywords, in lower case; repeated ones and those beyond a maximum are ignored.
    seed
        The seed of the mutations.
    name
        The name in results.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> spider = InfoSpiders(["reports", "papers"], seed=0)
    >>> spider.start(Budget())
    >>> _ = spider.observe(Step(1, home, 0.0))
    >>> home.link(int(spider.score(home).argmax())).bags["anchor"][:2]
    ('technical', 'reports')
    """

    def __init__(self, words: Sequence[str], seed: int, name: str = "infospiders") -> None:
        self.name = name
        self._keywords = Vocabulary(list(dict.fromkeys(words))[:_MAX_KEYWORDS])
        self._seed = seed

    @classmethod
    def from_setup(cls, setup: Setup) -> Self:
        """Return a policy for the words of the goal with the seed of the setup."""
        return cls(profile(setup.goal).words, setup.seed)

    def start(self, budget: Budget) -> None:
        """Reset: there is no agent."""
        size = len(self._keywords)
        self._rng = np.random.default_rng(self._seed)
        self._lens: WeightLookup | None = None
        self._inputs = np.zeros((1024, size), np.uint8)  # of each URL, in 255ths
        self._owners = GrowingColumn()  # 1 + the agent of a URL
        self._fetched = GrowingColumn()
        # A row for each agent: weights, bias, energy, and whether it is dead; then views of these.
        self._room = np.zeros((0, size + 3))
        self._weights, self.energy, self._dead = self._room[:, :-2], np.zeros(0), np.zeros(0)
        self._links: list[array[int]] = []
        self._rewards = 0.0
        self._next = _FIRST

    @property
    def population(self) -> int:
        """The number of living agents."""
        return len(self._dead) - int(np.count_nonzero(self._dead))

    def observe(self, step: Step) -> Scores | None:
        """Give the owner of the link the reward, let it learn, reproduce or die."""
        page = step.page
        self._fetched.put(page.number, 1.0)
        owner = int(self._owners.at(page.number)) - 1
        met = owner >= 0
        if not met or self._dead[owner]:
            owner = self._add_agent(
                np.append(np.full(len(self._keywords), _INITIAL_WEIGHT), 0.0), _INITIAL_ENERGY
            )
        new = self._read(page)
        reward = min(step.reward, 1.0)
        if met:
            self._learn(owner, page, reward)
        self._rewards += reward
        self.energy[owner] += reward - self._rewards / step.n
        heir = owner
        if self.energy[owner] >= _REPRODUCTION_ENERGY:
            heir = self._child(owner)
        self._owners[new] = np.full(len(new), heir + 1)
        self._links[heir].extend(new.tolist())
        if self.energy[owner] < 0 and self.population > 1:
            self._dead[owner] = 1.0
            return self._scores(self._links[owner])
        if step.n >= self._next:
            self._next = ceil(_GROWTH * step.n)
            return self._scores(array("i", [n for links in self._links for n in links]))
        return None

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the present estimates of the owners of the links."""
        return self._values(page.targets)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the owner of the link, and its energy."""
        number = page.targets[index : index + 1]
        value, owner = float(self._values(number)[0]), int(self._owners[number][0]) - 1
        about = "without an agent"
        if owner >= 0:
            state = "dead" if self._dead[owner] else f"with energy {self.energy[owner]:.2f}"
            about = f"of agent {owner}, {state}; {self.population} living"
        return (ScoreContribution(self.name, value, about=about),)

    def _values(self, numbers: Ints) -> NDArray[np.float64]:
        owners = self._owners[numbers].astype(np.intp) - 1
        self._grow(numbers)
        weights = self._weights[owners]
        inputs = self._inputs[numbers] / 255
        values = np.clip(
            (inputs * weights[:, :-1]).sum(axis=1) + weights[:, -1], -_MAX_VALUE, _MAX_VALUE
        )
        return np.asarray(np.where(owners < 0, 0.0, values - 2 * _MAX_VALUE * self._dead[owners]))

    def _scores(self, links: array[int]) -> Scores | None:
        waiting = np.array([n for n in links if not self._fetched.at(n)], np.int32)
        return Scores(waiting, self._values(waiting)) if len(waiting) else None

    def _read(self, page: Page) -> Ints:
        """Store the inputs of new links, and return their numbers."""
        targets = page.targets
        new = (self._owners[targets] == 0) & (self._fetched[targets] == 0)
        if not new.any():
            return targets[:0]
        if self._lens is None:
            self._lens = WeightLookup(
                self._keywords, np.eye(len(self._keywords)), page.tables.words
            )
        sums = np.zeros((len(targets), len(self._keywords)))
        for bag, weight in _BAGS:
            sums += weight * page.bag(bag).sums_by(self._lens.rows).reshape(sums.shape)
        self._grow(targets)
        self._inputs[targets[new]] = np.rint(255 * sums[new] / (1 + sums[new]))
        return np.asarray(targets[new])

    def _learn(self, owner: int, page: Page, reward: float) -> None:
        """Update the owner by the temporal difference of the page."""
        waiting = page.targets[self._fetched[page.targets] == 0]
        inputs = np.append(self._inputs[page.number] / 255, 1.0)
        future = 0.0
        if len(waiting):
            there = (self._inputs[waiting] / 255 * self._weights[owner, :-1]).sum(axis=1)
            future = float(np.clip(there.max() + self._weights[owner, -1], 0, _MAX_VALUE))
        error = reward + _DISCOUNT * future - float(self._weights[owner] @ inputs)
        self._weights[owner] += _LEARNING_RATE * error * inputs / (inputs @ inputs)

    def _add_agent(self, weights: NDArray[np.float64], energy: float) -> int:
        """Add an agent; the arrays grow by many at a time, because most pages may add one."""
        agent = len(self._links)
        if agent == len(self._room):
            more = agent // 2 + 8
            self._room = np.pad(self._room, ((0, more), (0, 0)))
        self._room[agent, :-2] = weights
        self._room[agent, -2:] = energy, 0.0
        self._links.append(array("i"))
        living = self._room[: agent + 1]
        self._weights, self.energy, self._dead = living[:, :-2], living[:, -2], living[:, -1]
        return agent

    def _child(self, parent: int) -> int:
        """Add a child with half of the energy and another weight for one keyword."""
        self.energy[parent] /= 2
        weights = self._weights[parent].copy()
        keyword = int(self._rng.integers(len(self._keywords)))
        weights[keyword] += _MUTATION * self._rng.standard_normal()
        return self._add_agent(weights, float(self.energy[parent]))

    def _grow(self, numbers: Ints) -> None:
        size = int(numbers.max()) + 1 if len(numbers) else 0
        if size > len(self._inputs):
            more = size + size // 4 - len(self._inputs)
            room = np.zeros((more, self._inputs.shape[1]), np.uint8)
            self._inputs = np.concatenate((self._inputs, room))
