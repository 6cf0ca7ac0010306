"""The plan of revisits of a crawl: which pages to request again now.

Every page that was fetched has a number, a time of its last visit, a rate of change and a
rate of new targets that its links have brought. The plan orders pages by what a visit is
worth (`revisit_index`): for targets, the age of what the portal shows; for all pages, the
targets that are not seen yet.

>>> plan = RevisitPlan()
>>> plan.fetched(0, day=0.0, target=True)
>>> plan.fetched(1, day=0.0, target=False)
>>> plan.revisited(0, day=1.0, changed=True)
>>> plan.revisited(1, day=1.0, changed=False)
>>> plan.due(day=9.0, count=1).tolist()
[0]
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from lycosa.crawler.revisit.change_rate import ChangeRates, Floats
from lycosa.crawler.revisit.revisit_index import age_index, hub_index
from lycosa.snapshots import StateReader, StateWriter

PRIOR_DAYS: Final = 60.0
"""Days for which what pages like it have brought counts in the rate of new targets of a page."""
LINK_DAYS: Final = 1000.0
"""Days in which a page gets one more link to a target for each that it has, before any visit:
the links that it has were made in some years."""
OTHER_LINKS: Final = 0.02
"""Links to targets that every page is taken to have: any may become a hub."""
NEW_TARGET: Final = 20.0
"""What a day of delay of a new target is worth, beside a day of age of a known one: a work that
nobody can find is worse than one whose page has changed since, most often in small things."""
GONE_DAYS: Final = 60.0
"""Days for which a page that is gone is requested again: after a day, and whenever it has been
gone for twice as long."""
RETURN_SHARE: Final = 0.05
"""The share of such requests that is taken to find the page back, before any was made."""
RETURN_TRIES: Final = 20.0
"""How many requests this counts for."""
_INITIAL_PAGES: Final = 1024
_PAGES_AT_ONCE: Final = 1 << 15  # whose probabilities are in memory
_FIELDS: Final = np.dtype(
    [
        ("last", np.float64),  # the day of the last visit; NaN before the first one
        ("watched", np.float64),  # days between the first visit and the last
        ("links", np.float64),  # links to targets that it had at the first visit
        ("found", np.float64),  # targets that links new on the page led to
        ("since", np.float64),  # the day on which it was found gone; NaN if it is there
        ("target", np.bool_),  # whether it is one, or was one when it was there
    ]
)


class RevisitPlan:
    """What is known of the pages of a crawl that bears on revisits; 122 bytes a page.

    Days are any moment's days since some fixed one; pages are numbered from 0.
    """

    def __init__(self) -> None:
        self.rates = ChangeRates()
        """The rates of change."""
        self._pages = _unknown(_INITIAL_PAGES)
        self._tries = self._returns = 0  # visits to pages that were gone, and those found back
        self._visits: list[tuple[int, float, bool]] = []  # not yet in `rates`

    def fetched(self, page: int, day: float, *, target: bool, links: int = 0) -> None:
        """Record the first visit of a page, which has `links` to targets."""
        self._make_room(page)
        for name, value in (("last", day), ("target", target), ("links", links)):
            self._pages[name][page] = value

    def revisited(
        self, page: int, day: float, *, changed: bool, target: bool | None = None
    ) -> None:
        """Record another visit; `target` says whether the page is one now, if that is known."""
        self._make_room(page)
        days = day - self._pages["last"][page]
        if days > 0:  # not before the first visit
            self._visits.append((page, days, changed))
            self._pages["watched"][page] += days
        self._pages["last"][page] = day
        if not np.isnan(self._pages["since"][page]):
            self._tries += 1
            self._returns += 1
        self._pages["since"][page] = np.nan
        if target is not None:
            self._pages["target"][page] = target

    def gone(self, page: int, day: float) -> None:
        """Record that a page is not there.

        For the rates of the others it is a page that has changed. It may come back: for
        `GONE_DAYS` it may be requested again, after ever longer times, if pages come back.
        """
        self._make_room(page)
        since = self._pages["since"][page]
        if np.isnan(since):
            self.revisited(page, day, changed=True)
        else:
            self._tries += 1
        self._pages["last"][page] = day
        self._pages["since"][page] = day if np.isnan(since) else since

    @property
    def gone_pages(self) -> int:
        """The number of pages that are not there any more."""
        return int(np.count_nonzero(~np.isnan(self._pages["since"])))

    def has_link_to_target(self, page: int) -> None:
        """Record that a link which a page had at its first visit has led to a target."""
        self._make_room(page)
        self._pages["links"][page] += 1

    def led_to_target(self, page: int) -> None:
        """Record that a link which was new on a page has led to a target."""
        self._make_room(page)
        self._pages["found"][page] += 1

    def due(self, day: float, count: int) -> NDArray[np.int64]:
        """Return the pages to request again now, the most worthwhile first, at most `count`."""
        known = np.flatnonzero(self._pages["last"] < day)
        worth = self.worth(known, day)
        best = np.argsort(-worth, kind="stable")[:count]
        return known[best[worth[best] > 0]]

    def worth(self, pages: NDArray[np.int64], day: float) -> Floats:
        """Return what a visit to each of some pages is worth now."""
        self._settle()
        prior, for_a_link = self.rates.prior(), self._targets_for_a_link()
        found = np.empty(len(pages))
        for start in range(0, len(pages), _PAGES_AT_ONCE):
            part = slice(start, start + _PAGES_AT_ONCE)
            found[part] = self._worth(pages[part], day, prior, for_a_link)
        return found

    def _worth(
        self, pages: NDArray[np.int64], day: float, prior: Floats, for_a_link: float
    ) -> Floats:
        asked = self._pages[pages]
        days = day - asked["last"]
        age = age_index(self.rates.posterior(pages, prior), days) * asked["target"]
        hub = NEW_TARGET * hub_index(_target_rates(asked, for_a_link), days)
        gone_for, before = day - asked["since"], asked["last"] - asked["since"]
        is_checked = (gone_for <= GONE_DAYS) & (days >= np.maximum(before, 1.0))
        back = (self._returns + RETURN_TRIES * RETURN_SHARE) / (self._tries + RETURN_TRIES)
        is_there = np.isnan(asked["since"])
        return np.asarray(np.where(is_there, age + hub, is_checked * back * age))

    def target_rates(self, pages: NDArray[np.int64]) -> Floats:
        """Return how many new targets a day the links of each page are expected to bring.

        As many for each link to a target as all pages together have brought, and what the
        page itself has brought in the days since it is known.
        """
        return _target_rates(self._pages[pages], self._targets_for_a_link())

    def _targets_for_a_link(self) -> float:
        every = self._pages[self._known()]
        link_days = ((every["links"] + OTHER_LINKS) * every["watched"]).sum()
        return float((every["found"].sum() + 1) / (link_days + LINK_DAYS))

    def save(self, state: StateWriter) -> None:
        """Save the plan."""
        self._settle()
        known = self._known()
        state.array("pages", known)
        state.value("gone", [self._tries, self._returns])
        for name in _FIELDS.names or ():
            state.array(name, self._pages[name][known])
        self.rates.save(state.part("rates"))

    def restore(self, state: StateReader) -> None:
        """Take over a plan that was saved."""
        known = state.array("pages")
        self._tries, self._returns = state.value("gone")
        self._make_room(int(known.max(initial=0)))
        for name in _FIELDS.names or ():
            self._pages[name][known] = state.array(name)
        self.rates.restore(state.part("rates"))

    def _known(self) -> NDArray[np.int64]:
        return np.flatnonzero(~np.isnan(self._pages["last"]))

    def _settle(self) -> None:
        """Tell the rates of the visits so far; of two visits to a page, the second later."""
        while self._visits:
            first = {visit[0]: visit for visit in reversed(self._visits)}
            numbers, days, changed = zip(*first.values(), strict=True)
            self.rates.observe(numbers, days, changed)
            self._visits = [visit for visit in self._visits if first[visit[0]] is not visit]

    def _make_room(self, page: int) -> None:
        size = len(self._pages)
        if page >= size:
            self._pages = np.append(self._pages, _unknown(max(page + 1, 2 * size) - size))


def _unknown(count: int) -> NDArray[np.void]:
    """Return records of pages that were never visited."""
    pages = np.zeros(count, _FIELDS)
    pages["last"] = pages["since"] = np.nan
    return pages


def _target_rates(pages: NDArray[np.void], for_a_link: float) -> Floats:
    expected = for_a_link * (pages["links"] + OTHER_LINKS)
    return np.asarray((pages["found"] + expected * PRIOR_DAYS) / (pages["watched"] + PRIOR_DAYS))
