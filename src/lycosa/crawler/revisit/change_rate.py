"""Rates of change of pages, estimated from visits that say only whether a page has changed.

J. Cho and H. Garcia-Molina, Estimating frequency of change, ACM Transactions on
Internet Technology 3(3), 2003. A page changes by a Poisson process with a rate of its
own, and a visit tells only whether it has changed at least once since the visit before:
after t days the likelihood of a rate r is 1 - exp(-r t) if it has, exp(-r t) if it has
not. Intervals need not be equal. The paper's Bayesian estimator keeps the probability of
each of a few classes of rates; here these are 20 rates from several changes a day to one
in years, and what is known beforehand is how the other pages of the crawl change
(empirical Bayes): a page that was visited once is taken for one like the others.

>>> import numpy as np
>>> rates = ChangeRates()
>>> daily, yearly = 0, 1
>>> for _ in range(20):
...     rates.observe(np.array([daily, yearly]), days=[1.0, 1.0], changed=[True, False])
>>> found = rates.mean([daily, yearly])
>>> bool(found[daily] > 1), bool(found[yearly] < 0.05)
(True, True)
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lycosa.snapshots import StateReader, StateWriter

Floats = NDArray[np.float64]

RATES: Final[Floats] = np.geomspace(8.0, 1 / 2000, 20)
"""The classes: changes a day, from every three hours to every five and a half years."""
PRIOR_PAGES: Final = 20.0
"""How many pages the prior before any visit counts for, spread evenly over the classes."""
_INITIAL_PAGES: Final = 1024
_PAGES_AT_ONCE: Final = 1 << 15  # whose probabilities are in memory


class ChangeRates:
    """The rates of pages, which are numbered from 0; 80 bytes a page.

    All methods take arrays of numbers of pages and work on all of them at once.
    """

    def __init__(self) -> None:
        self._evidence = np.zeros((_INITIAL_PAGES, len(RATES)), np.float32)  # log-likelihoods
        self._visited = np.zeros(_INITIAL_PAGES, np.bool_)

    def observe(self, pages: ArrayLike, days: ArrayLike, changed: ArrayLike) -> None:
        """Record visits: the days since the visit before, and whether the page has changed.

        A page may occur once in a call. Visits at the same moment say nothing.
        """
        numbers = np.asarray(pages, np.int64)
        intervals = np.asarray(days, np.float64)[:, None]
        has_changed = np.asarray(changed, np.bool_)[:, None]
        if not len(numbers):
            return
        self._make_room(int(numbers.max()))
        exponent = RATES * np.maximum(intervals, 0.0)
        with np.errstate(divide="ignore"):
            likelihood = np.where(has_changed, np.log(-np.expm1(-exponent)), -exponent)
        useful = intervals[:, 0] > 0
        self._evidence[numbers[useful]] += likelihood[useful]
        self._visited[numbers[useful]] = True

    def prior(self) -> Floats:
        """Return how probable each class is for a page that was never visited twice."""
        even = np.full(len(RATES), 1 / len(RATES))
        counts = np.full(len(RATES), PRIOR_PAGES / len(RATES))
        visited = np.flatnonzero(self._visited)
        for start in range(0, len(visited), _PAGES_AT_ONCE):
            some = visited[start : start + _PAGES_AT_ONCE]
            counts += self._posterior(self._evidence[some], even).sum(0)
        return np.asarray(counts / counts.sum())

    def posterior(self, pages: ArrayLike, prior: Floats | None = None) -> Floats:
        """Return how probable each class is for each page: one row a page.

        `prior` is what `prior` returns, for those who call this many times.
        """
        numbers = np.asarray(pages, np.int64)
        self._make_room(int(numbers.max(initial=0)))
        return self._posterior(self._evidence[numbers], self.prior() if prior is None else prior)

    def mean(self, pages: ArrayLike) -> Floats:
        """Return the expected changes a day of each page."""
        return np.asarray(self.posterior(pages) @ RATES)

    def save(self, state: StateWriter) -> None:
        """Save what the visits have shown."""
        seen = np.flatnonzero(self._visited)
        state.array("pages", seen)
        state.array("evidence", self._evidence[seen])

    def restore(self, state: StateReader) -> None:
        """Take over what was saved."""
        seen = state.array("pages")
        self._make_room(int(seen.max(initial=0)))
        self._evidence[seen] = state.array("evidence")
        self._visited[seen] = True

    @staticmethod
    def _posterior(evidence: NDArray[np.float32], prior: Floats) -> Floats:
        weights = evidence + np.log(prior)
        weights = np.exp(weights - weights.max(1, keepdims=True, initial=-np.inf))
        return np.asarray(weights / weights.sum(1, keepdims=True))

    def _make_room(self, number: int) -> None:
        size = len(self._visited)
        if number >= size:
            more = max(number + 1, 2 * size) - size
            self._evidence = np.vstack((self._evidence, np.zeros((more, len(RATES)), np.float32)))
            self._visited = np.append(self._visited, np.zeros(more, np.bool_))
