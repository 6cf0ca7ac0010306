"""ChangePolicy: one spider for the beginning of a crawl, another for the rest.

Motahari Nezhad & Barfourosh 2003: SVM spiders lead in the first half, naive
Bayes overall, so the policy changes after 30 % of the crawl. They name the
improvement too: "monitor the performance of the crawler and change the policy
when the behavior of the crawler changes significantly"; that is `at=None`.
"""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Page, Policy, ScoreContribution, Scores, Step
from lycosa.spiders.explanation import explain_score

_SPAN = 0.02  # of the budget: how far back the present rate of reward looks
_LEAST_SPAN = 20
_DROP = 0.5  # a rate this much below the best since the last change asks for another


class ChangePolicy:
    """Two policies that score every link; only one of them is listened to.

    `at` is the share of the budget after which the second takes over. Without
    it the one in force is relieved whenever the rate of reward falls to half
    of its best, and may come back in the same way. A crawl without a limit on
    pages is judged by its rate as well.
    """

    def __init__(self, first: Policy, second: Policy, at: float | None, name: str) -> None:
        self.name = name
        self._policies = (first, second)
        self._at = at
        self._start(None)

    def _start(self, pages: int | None) -> None:
        self._turn = 0
        self._known = np.full((2, 1024), -np.inf)  # the best score of every URL by each policy
        self._met = [NO_INTS]  # the URLs that were scored, in the order of discovery
        self._switch = None
        if self._at is not None and pages is not None:
            self._switch = ceil(round(self._at * pages, 6))  # 0.07 * 100 is a hair above 7
        self._span = max(_LEAST_SPAN, _SPAN * (pages or 0))
        self._rate = self._best = 0.0
        self._since = 0

    def start(self, budget: Budget) -> None:
        """Both start anew."""
        self._start(budget.pages)
        for policy in self._policies:
            policy.start(budget)

    def observe(self, step: Step) -> Scores | None:
        """Both see everything; when the turn changes, all that waits is scored anew."""
        news = [policy.observe(step) for policy in self._policies]
        for k, new in enumerate(news):
            if new is not None:
                self._remember(k, new.numbers, new.values, replace=True)
        if self._is_time(step):
            self._turn = 1 - self._turn
            self._best = self._rate
            self._since = 0
            numbers = self._discovered()
            return Scores(numbers, self._known[self._turn][numbers])
        return news[self._turn]

    def _discovered(self) -> Ints:
        """Every URL once: among equal scores the one that was found first goes first."""
        numbers = np.concatenate(self._met)
        _, first = np.unique(numbers, return_index=True)
        self._met = [numbers[np.sort(first)]]
        return self._met[0]

    def _is_time(self, step: Step) -> bool:
        if self._switch is not None:
            return self._turn == 0 and step.n >= self._switch
        self._since += 1
        self._rate += (min(step.reward, 1.0) - self._rate) / self._span
        self._best = max(self._best, self._rate)
        return self._since > self._span and self._rate < _DROP * self._best

    def score(self, page: Page) -> NDArray[np.float64]:
        """The scores of the policy in force."""
        both = [np.asarray(policy.score(page), float) for policy in self._policies]
        for k, scores in enumerate(both):
            self._remember(k, page.targets, scores, replace=False)
        self._met.append(page.targets)
        return both[self._turn]

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """What the policy in force can say."""
        return explain_score(self._policies[self._turn], page, index)

    def _remember(
        self, k: int, numbers: NDArray[np.int32], scores: NDArray[np.float64], *, replace: bool
    ) -> None:
        if len(numbers) and numbers.max() >= self._known.shape[1]:
            room = np.full((2, int(numbers.max()) + 1), -np.inf)
            self._known = np.concatenate((self._known, room), axis=1)
        known = self._known[k]
        known[numbers] = scores if replace else np.maximum(known[numbers], scores)
