"""A policy, and the scores of the links that wait, kept as a frontier should."""

from __future__ import annotations

from math import inf
from typing import Any

from numpy.typing import NDArray

from lycosa.core import Budget, Page, Policy, Scores, Step


class Held:
    """Passes everything on. `scores` are those of the links that wait, by their numbers.

    Scores from `observe` replace the old, of those from `score` the best is
    kept. Every page that comes back must have been followed for that score.
    """

    def __init__(self, policy: Policy) -> None:
        self.name = policy.name
        self._policy = policy

    def start(self, budget: Budget) -> None:
        self.scores: dict[int, float] = {}
        self.news: dict[int, float] = {}
        self._fetched: set[int] = set()
        self._policy.start(budget)

    def observe(self, step: Step) -> Scores | None:
        assert step.score == self.scores.pop(step.page.number, inf)
        self._fetched.add(step.page.number)
        news = self._policy.observe(step)
        pairs = zip(news.numbers.tolist(), news.values.tolist(), strict=True) if news else ()
        self.news = dict(pairs)
        self.scores.update((n, value) for n, value in self.news.items() if n in self.scores)
        return news

    def score(self, page: Page) -> NDArray[Any]:
        scores = self._policy.score(page)
        for number, score in zip(page.targets.tolist(), scores.tolist(), strict=True):
            if number not in self._fetched:
                self.scores[number] = max(score, self.scores.get(number, -inf))
        return scores
