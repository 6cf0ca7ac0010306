"""The order of revisits: what a visit now is worth, for the age of what a portal shows.

J. Cho and H. Garcia-Molina, Effective page refresh policies for Web crawlers, ACM
Transactions on Database Systems 28(4), 2003, call the *age* of a copy the time since the
page first differed from it, 0 while it does not. A page that changes r times a day and was
visited t days ago has the expected age

    A(t) = t - (1 - exp(-r t)) / r.

Visiting it every T days with a price c for each visit costs (c + the integral of A up to
T) / T a day, which is least when c = T A(T) - the integral of A up to T. So the price at
which a visit becomes worth while after t days is

    I(t) = t A(t) - integral of A = t²/2 + t exp(-r t) / r - (1 - exp(-r t)) / r²,

and visiting always the page with the largest I(t), times what the page is worth, is the
best plan for the requests there are (an index in the sense of P. Whittle, Restless
bandits, Journal of Applied Probability 25A, 1988). Where the rate is not known, I is
averaged over its probable values: a page of which little is known is visited sooner than
one of the same mean rate that is known to change so seldom.

A hub brings new links: n a day that lead to targets. Until they are seen, each of
them is a day older every day, so the cost after t days is that of n t unseen targets, and
the index of a visit is n t² / 2.

>>> import numpy as np
>>> seldom, often = np.eye(len(RATES))[[-1, 0]]
>>> index = age_index(np.array([seldom, often]), days=np.array([10.0, 10.0]))
>>> bool(index[1] > 100 * index[0])
True
>>> hub_index(np.array([0.5]), days=np.array([4.0])).tolist()
[4.0]
"""

from __future__ import annotations

import numpy as np

from lycosa.crawler.revisit.change_rate import RATES, Floats

SMALL = 1e-3
"""Below this r t the series of I is used: the formula would lose all its digits."""


def age_index(probabilities: Floats, days: Floats) -> Floats:
    """Return the worth of a visit to each page now.

    `probabilities` has a row a page, how probable each of `RATES` is; `days` are those
    since the last visits.
    """
    return np.asarray((probabilities * _index(RATES, days[:, None])).sum(1))


def hub_index(targets: Floats, days: Floats) -> Floats:
    """Return the worth of a visit to each hub now; `targets` are the new ones a day."""
    return targets * days**2 / 2


def _index(rate: Floats, days: Floats) -> Floats:
    x = rate * days
    gone = -np.expm1(-x)
    exact = x**2 / 2 + x * (1 - gone) - gone
    return np.asarray(np.where(x < SMALL, x**3 / 3, exact) / rate**2)
