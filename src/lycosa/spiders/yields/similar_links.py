"""Estimate a link's yield from links with similar words (Davidov & Markovitch 2002).

This is their generalised yield. Examples are the fetched pages: the words of the
first link to each, labelled with the page's present partial yield. A learner is
fitted at growing intervals, and all waiting links are rescored then, so the cost
per page is constant. Between two fits a new link is scored once, a few pages
after it was found; until then its estimate is the mean rate of the crawl.
Approximations: a waiting page is described by the words of one link to it, and
between two fits its estimate does not change.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Content, Ints
from lycosa.core import Budget, Page, ScoreContribution, Step, WordEffect
from lycosa.learn.link_words import NEAR_WORDS, LinkWords, Rows
from lycosa.search.partial_yield import PartialYield
from lycosa.spiders.yields.estimate import GrowingColumn

FIRST = 30
"""Examples before the first fit."""
GROWTH = 1.5
"""The factor by which the examples grow between two fits."""
SCORE_INTERVAL_PAGES = 8
"""New links are scored in batches after so many pages, which is cheaper than one by one."""


class Learner(Protocol):
    """A regression from the words of a link to a number."""

    def fit(self, rows: Rows, values: NDArray[np.float64]) -> None:
        """Fit to examples, the latest last."""

    def predict(self, rows: Rows) -> NDArray[np.float64]:
        """Return the estimated value of each link."""


class SimilarLinksEstimate:
    """Estimates the yield of a link by a regression on its words.

    `learner` makes a new, unfitted learner; it is called for every fit. `name` is the
    name of the estimate in explanations of scores.
    """

    def __init__(self, learner: Callable[[], Learner], name: str = "generalised") -> None:
        self.name = name
        self._learner = learner

    def start(self, budget: Budget, tree: PartialYield) -> None:
        """Reset."""
        self._tree = tree
        self._words = LinkWords()
        self._values = GrowingColumn()
        self._examples = array("i")
        self._fitted: Learner | None = None
        self._unscored: list[Ints] = []  # links found since the last fit or batch
        self._next = FIRST

    @property
    def nbytes(self) -> int:
        """The size of its arrays in bytes."""
        examples = self._examples.itemsize * len(self._examples)
        return self._words.nbytes + self._values.nbytes + examples

    def observe(self, step: Step, fresh: NDArray[np.intp], changed: Sequence[int]) -> Ints:
        """Store the words of new links; fit or score when due."""
        if self._words.knows(step.page.number):
            self._examples.append(step.page.number)
        if len(fresh):
            new = self._words.add(step.page, fresh)
            if len(new):
                self._values[new] = np.full(len(new), self._tree.rate)
                self._unscored.append(new)
        if len(self._examples) >= self._next and self._tree.goals:
            self._next = ceil(GROWTH * len(self._examples))
            return self._fit()
        if self._fitted is not None and self._unscored and step.n % SCORE_INTERVAL_PAGES == 0:
            new = np.concatenate(self._unscored)
            self._unscored = []
            return self._predict(new[self._tree.waits(new)], self._fitted)
        return NO_INTS

    def _fit(self) -> Ints:
        examples = np.array(self._examples, np.int32)
        self._fitted = learner = self._learner()
        learner.fit(self._words.rows(examples), self._tree.yields(examples))
        self._unscored = []
        return self._predict(self._tree.waiting(), learner)

    def _predict(self, numbers: Ints, learner: Learner) -> Ints:
        self._values[numbers] = learner.predict(self._words.rows(numbers))
        return numbers

    def estimates(self, numbers: Ints) -> NDArray[np.float32]:
        """Return the latest predictions for waiting links."""
        return self._values[numbers]

    def last_estimates(self, numbers: Ints) -> NDArray[np.float32]:
        """Return the latest predictions made before the links were followed."""
        return self._values[numbers]

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the effect of each word: the prediction less the one without the word."""
        number = page.targets[index : index + 1]
        value = float(self._values[number][0])
        if self._fitted is None or not self._words.knows(int(number[0])):
            nothing = "the mean rate: nothing is learned yet"
            return (ScoreContribution(self.name, value, about=nothing),)
        columns = self._words.rows(number).words
        prediction, *without = self._fitted.predict(_leave_one_out(columns)).tolist()
        if any(number[0] in links for links in self._unscored):
            unscored = f"the mean rate: not scored yet, the prediction is {prediction:.3g}"
            return (ScoreContribution(self.name, value, about=unscored),)
        names = {column: (word, bag) for word, bag, column in _columns(page, index)}
        effects = [
            WordEffect(*names[column], 1, prediction - less)
            for column, less in zip(columns.tolist(), without, strict=True)
            if column in names
        ]
        effects.sort(key=lambda effect: -abs(effect.effect))
        unknown = len(columns) - len(effects)
        about = f"{unknown} words of the first link to this URL are not in this link"
        return (
            ScoreContribution(self.name, value, tuple(effects), about=about if unknown else ""),
        )


def _leave_one_out(words: Ints) -> Rows:
    """Return a link with all its words, then the link without each of them."""
    size = len(words)
    rest = [np.delete(words, k) for k in range(size)]
    sizes = [size, *(len(row) for row in rest)]
    return Rows(np.cumsum([0, *sizes]), np.concatenate((words, *rest)))


def _columns(page: Page, index: int) -> Iterator[tuple[str, str, int]]:
    """Yield the words of a link, their bags, and their columns.

    Columns are hashes: a word's column is read off a link that has this word only.
    """
    one, zero = np.ones(1, np.int32), np.zeros(1, np.int32)
    for bag in ("heads", "near", "url", "anchor"):
        offsets, tokens = page.bag(bag, NEAR_WORDS).rows()
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
