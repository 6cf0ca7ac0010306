"""The cumulative sum test for a share that falls, against the past of the same series.

E. S. Page, Continuous inspection schemes, Biometrika 41, 1954: of a series of trials whose
probability of success was p0, the sum of log-likelihood ratios of p1 = p0 / 2 against p0 is
kept, but never below 0; when it exceeds a limit h, the probability has fallen, since the
trial after which the sum was last 0. If it has not, an alarm comes in the mean after e^h
trials or later (G. Lorden, Procedures for reacting to a change in distribution, Annals of
Mathematical Statistics 42, 1971). p0 is the share of successes of all trials up to where
the sum was last 0, so that trials after the change do not count for the past.

>>> test = BernoulliCusum()
>>> test.add("May", 95, 100)
>>> test.fallen_since is None
True
>>> test.add("June", 2, 20)
>>> test.fallen_since, test.before, test.after
('June', 0.95, 0.1)
"""

from __future__ import annotations

from math import log
from typing import Final

LIMIT: Final = log(100_000)
"""h: a false alarm in 100,000 trials of a series or more."""
MIN_PAST: Final = 20
"""Trials before which the share of successes is not known well enough to fall."""
MIN_SHARE: Final = 0.3
"""The least share of successes that can fall: what succeeds seldom anyway is no news."""
_PRIOR: Final = 0.5  # successes and failures before any trial (Jeffreys): no share is 0 or 1


class BernoulliCusum:
    """One series of trials, told in batches in their order."""

    def __init__(self) -> None:
        self.fallen_since: str | None = None
        """The name of the first batch after the fall; None if there was none, or it is over."""
        self._found = self._tried = 0  # in the past
        self._recent_found = self._recent_tried = 0  # since the sum was last 0
        self._sum = 0.0
        self._since = ""

    @property
    def before(self) -> float:
        """The share of successes in the past."""
        return self._found / self._tried if self._tried else 0.0

    @property
    def after(self) -> float:
        """The share of successes since the sum was last 0."""
        return self._recent_found / self._recent_tried if self._recent_tried else self.before

    def add(self, name: str, found: int, tried: int) -> None:
        """Take in a batch: its name, its successes, all its trials."""
        share = (self._found + _PRIOR) / (self._tried + 2 * _PRIOR)
        if self._tried >= MIN_PAST and share >= MIN_SHARE:
            half = share / 2
            ratio = found * log(half / share)
            ratio += (tried - found) * log((1 - half) / (1 - share))
            if self._sum == 0:
                self._since = name
            # It is bounded, so that a recovery is noticed as soon as a fall.
            self._sum = min(max(self._sum + ratio, 0.0), 2 * LIMIT)
        self._recent_found += found
        self._recent_tried += tried
        if self._sum == 0:
            self._found += self._recent_found
            self._tried += self._recent_tried
            self._recent_found = self._recent_tried = 0
            self.fallen_since = None
        elif self._sum > LIMIT and self.fallen_since is None:
            self.fallen_since = self._since
