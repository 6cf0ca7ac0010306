"""Generalising yield (Davidov & Markovitch 2002): ask the links with like words.

Examples are the pages that were fetched, known by the words of the link that
led there first and tagged with their partial yield as it is now. A learner is
fitted at growing intervals; then all links that wait are scored anew, so the
cost of it all is a constant for each page. In between a link is scored once, a
few pages after it was met; until then it is as good as any other. What is
approximated: a page that waits is not known by its own words but by those of
one link, and it is not scored by what was learned since.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Content, Ints
from lycosa.core import Budget, Page, Step
from lycosa.learn.link_words import NEAR, LinkWords, Rows
from lycosa.search.partial_yield import PartialYield
from lycosa.spiders.explanation import Effect, Opinion
from lycosa.spiders.yields.estimate import Column

FIRST = 30
"""Pages after which the learner is fitted for the first time."""
GROWTH = 1.5
"""It is fitted again when there are so many times more pages."""
EVERY = 8
"""After so many pages the links met meanwhile are scored, all at once: that is cheaper."""


class Learner(Protocol):
    """What learns a number from the words of a link."""

    def fit(self, rows: Rows, values: NDArray[np.float64]) -> None:
        """Learn from examples, the latest last."""

    def predict(self, rows: Rows) -> NDArray[np.float64]:
        """The estimated value of each link."""


class Lookalikes:
    """The yield of a link is that of links with like words."""

    def __init__(self, learner: Callable[[], Learner], name: str = "generalised") -> None:
        self.name = name
        self._learner = learner

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """Nothing was learned."""
        self._tree = tree
        self._words = LinkWords()
        self._values = Column()
        self._examples = array("i")
        self._fitted: Learner | None = None
        self._unread: list[Ints] = []  # links that were met and not yet scored
        self._next = FIRST

    @property
    def nbytes(self) -> int:
        """The memory of its arrays."""
        examples = self._examples.itemsize * len(self._examples)
        return self._words.nbytes + self._values.nbytes + examples

    def observe(self, step: Step, fresh: NDArray[np.intp], changed: Sequence[int]) -> Ints:
        """Remember the words of new links; learn when it is time."""
        if self._words.knows(step.page.number):
            self._examples.append(step.page.number)
        if len(fresh):
            new = self._words.add(step.page, fresh)
            if len(new):
                self._values[new] = np.full(len(new), self._tree.rate)
                self._unread.append(new)
        if len(self._examples) >= self._next and self._tree.goals:
            self._next = ceil(GROWTH * len(self._examples))
            return self._learn()
        if self._fitted is not None and self._unread and step.n % EVERY == 0:
            new = np.concatenate(self._unread)
            self._unread = []
            return self._predicted(new[self._tree.waits(new)], self._fitted)
        return NO_INTS

    def _learn(self) -> Ints:
        examples = np.array(self._examples, np.int32)
        self._fitted = learner = self._learner()
        learner.fit(self._words.rows(examples), self._tree.yields(examples))
        self._unread = []
        return self._predicted(self._tree.waiting(), learner)

    def _predicted(self, numbers: Ints, learner: Learner) -> Ints:
        self._values[numbers] = learner.predict(self._words.rows(numbers))
        return numbers

    def estimates(self, numbers: Ints) -> NDArray[np.float32]:
        """What was last predicted."""
        return self._values[numbers]

    def said(self, numbers: Ints) -> NDArray[np.float32]:
        """What had been predicted before they were followed."""
        return self._values[numbers]

    def explain(self, page: Page, index: int) -> tuple[Opinion, ...]:
        """What would be expected without each of the words."""
        number = page.targets[index : index + 1]
        value = float(self._values[number][0])
        if self._fitted is None or not self._words.knows(int(number[0])):
            nothing = "nothing was learned yet: as good as any other"
            return (Opinion(self.name, value, about=nothing),)
        columns = self._words.rows(number).words
        said, *without = self._fitted.predict(_less_each(columns)).tolist()
        if any(number[0] in links for links in self._unread):
            unread = f"not asked yet, so as good as any other; it would say {said:.3g}"
            return (Opinion(self.name, value, about=unread),)
        names = {column: (word, bag) for word, bag, column in _columns(page, index)}
        effects = [
            Effect(*names[column], 1, said - less)
            for column, less in zip(columns.tolist(), without, strict=True)
            if column in names
        ]
        effects.sort(key=lambda effect: -abs(effect.effect))
        strange = len(columns) - len(effects)
        about = f"{strange} words of the first link that led there are not in this one"
        return (Opinion(self.name, value, tuple(effects), about=about if strange else ""),)


def _less_each(words: Ints) -> Rows:
    """A link with all its words, and then without each of them."""
    size = len(words)
    rest = [np.delete(words, k) for k in range(size)]
    sizes = [size, *(len(row) for row in rest)]
    return Rows(np.cumsum([0, *sizes]), np.concatenate((words, *rest)))


def _columns(page: Page, index: int) -> Iterator[tuple[str, str, int]]:
    """The words of a link, their bags, and the columns that stand for them.

    Columns are hashes, so each is found by a look at a link that has this word only.
    """
    one, zero = np.ones(1, np.int32), np.zeros(1, np.int32)
    for bag in ("heads", "near", "url", "anchor"):
        offsets, tokens = page.bag(bag, NEAR).rows()
        for token in np.unique(tokens[offsets[index] : offsets[index + 1]]).tolist():
            word = np.array([token], np.int32)
            alone = Content(
                tokens=NO_INTS if bag == "url" else word,
                title_size=int(bag == "heads"),
                paths=zero,
                url_tokens=word if bag == "url" else NO_INTS,
                url_start=zero,
                url_stop=one if bag == "url" else zero,
                owner=zero,
                start=one if bag == "heads" else zero,
                stop=one if bag in ("heads", "anchor") else zero,
                heading=zero - 1,
            )
            words = LinkWords()
            words.add(Page(0, page.tables, zero, alone), np.zeros(1, np.intp))
            yield page.tables.words[token], bag, int(words.rows(zero).words[0])
