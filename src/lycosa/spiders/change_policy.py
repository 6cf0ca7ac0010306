"""ChangePolicy: one policy for the beginning of a crawl, another for the rest.

Motahari Nezhad & Barfourosh 2003: SVM spiders lead in the first half, naive
Bayes overall, so the policy changes after 30 % of the crawl. They also suggest to
"monitor the performance of the crawler and change the policy when the behavior of
the crawler changes significantly"; that is `at=None`.
"""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Page, Policy, ScoreContribution, Scores, Step
from lycosa.spiders.explanation import explain_score

_SPAN_SHARE = 0.02  # of the budget: the span of the moving rate of reward
_MIN_SPAN_PAGES = 20
_DROP = 0.5  # the share of the best rate since the last change at which the policy changes


class ChangePolicy:
    """A policy of two, which both score every link; the scores of one of them are used.

    Parameters
    ----------
    first, second
        The policies; the scores of `first` are used at the start.
    at
        The share of the budget of pages after which the second takes over. With None,
        or without a limit on pages, the policies change whenever the rate of reward
        falls to half of its best.
    name
        The name in reports and results.
    """

    def __init__(self, first: Policy, second: Policy, at: float | None, name: str) -> None:
        self.name = name
        self._policies = (first, second)
        self._at = at
        self._start(None)

    def _start(self, pages: int | None) -> None:
        self._active = 0
        self._known = np.full((2, 1024), -np.inf)  # the best score of every URL by each policy
        self._known_urls = [NO_INTS]  # the URLs that were scored, in the order of discovery
        self._switch = None
        if self._at is not None and pages is not None:
            self._switch = ceil(round(self._at * pages, 6))  # 0.07 * 100 is slightly more than 7
        self._span = max(_MIN_SPAN_PAGES, _SPAN_SHARE * (pages or 0))
        self._rate = self._best = 0.0
        self._since = 0

    def start(self, budget: Budget) -> None:
        """Start both policies."""
        self._start(budget.pages)
        for policy in self._policies:
            policy.start(budget)

    def observe(self, step: Step) -> Scores | None:
        """Show the step to both policies; rescore all waiting links when they change."""
        rescored = [policy.observe(step) for policy in self._policies]
        for k, scores in enumerate(rescored):
            if scores is not None:
                self._store(k, scores.numbers, scores.values, replace=True)
        if self._change_is_due(step):
            self._active = 1 - self._active
            self._best = self._rate
            self._since = 0
            numbers = self._discovered()
            return Scores(numbers, self._known[self._active][numbers])
        return rescored[self._active]

    def _discovered(self) -> Ints:
        """Return every known URL once, in the order of discovery, which breaks ties."""
        numbers = np.concatenate(self._known_urls)
        _, first = np.unique(numbers, return_index=True)
        self._known_urls = [numbers[np.sort(first)]]
        return self._known_urls[0]

    def _change_is_due(self, step: Step) -> bool:
        if self._switch is not None:
            return self._active == 0 and step.n >= self._switch
        self._since += 1
        self._rate += (min(step.reward, 1.0) - self._rate) / self._span
        self._best = max(self._best, self._rate)
        return self._since > self._span and self._rate < _DROP * self._best

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the scores of the active policy."""
        both = [np.asarray(policy.score(page), float) for policy in self._policies]
        for k, scores in enumerate(both):
            self._store(k, page.targets, scores, replace=False)
        self._known_urls.append(page.targets)
        return both[self._active]

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the explanation by the active policy."""
        return explain_score(self._policies[self._active], page, index)

    def _store(
        self, k: int, numbers: NDArray[np.int32], scores: NDArray[np.float64], *, replace: bool
    ) -> None:
        if len(numbers) and numbers.max() >= self._known.shape[1]:
            added = np.full((2, int(numbers.max()) + 1), -np.inf)
            self._known = np.concatenate((self._known, added), axis=1)
        known = self._known[k]
        known[numbers] = scores if replace else np.maximum(known[numbers], scores)
