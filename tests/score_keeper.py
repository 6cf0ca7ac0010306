"""A policy around another one that keeps the scores of waiting links as a frontier does."""

from __future__ import annotations

from math import inf
from typing import Any

from numpy.typing import NDArray

from lycosa.core import Budget, Page, Policy, Scores, Step


class ScoreKeeper:
    """Forwards every call. `scores` are those of the waiting links, by URL number.

    Scores from `observe` replace the old ones, of those from `score` the best is
    kept, and every step must carry the score kept for its URL. `rescored` are the
    scores that the last `observe` returned.
    """

    def __init__(self, policy: Policy) -> None:
        self.name = policy.name
        self._policy = policy

    def start(self, budget: Budget) -> None:
        self.scores: dict[int, float] = {}
        self.rescored: dict[int, float] = {}
        self._fetched: set[int] = set()
        self._policy.start(budget)

    def observe(self, step: Step) -> Scores | None:
        assert step.score == self.scores.pop(step.page.number, inf)
        self._fetched.add(step.page.number)
        rescored = self._policy.observe(step)
        if rescored is None:
            self.rescored = {}
        else:
            numbers, values = rescored
            self.rescored = dict(zip(numbers.tolist(), values.tolist(), strict=True))
        self.scores.update((n, value) for n, value in self.rescored.items() if n in self.scores)
        return rescored

    def score(self, page: Page) -> NDArray[Any]:
        scores = self._policy.score(page)
        for number, score in zip(page.targets.tolist(), scores.tolist(), strict=True):
            if number not in self._fetched:
                self.scores[number] = max(score, self.scores.get(number, -inf))
        return scores
