"""Trap statistics: counters for each URL shape, and the shapes that are deferred.

The counters of a shape take 42 bytes, its name and number some 90 more. `Wary`
keeps the state of the URLs themselves.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from lycosa.snapshots import StateReader, StateWriter
from lycosa.web.compact_table import CompactTable
from lycosa.web.url_shapes import ENDLESS, SESSION

MIN_BAD_PAGES = 8
"""Consecutive bad pages before a shape is deferred."""
MIN_CHAIN_PAGES = 24
"""Consecutive fruitless pages, each linked from its own shape, before a shape is a calendar."""


class DeferralReason(IntEnum):
    """The reason for deferring a link; NOT if it is not deferred."""

    NOT = 0
    SESSION_ID = 1
    ENDLESS_PATH = 2
    DUPLICATES = 3
    SOFT_404 = 4
    FAILURES = 5
    CALENDAR = 6

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


class PageVerdict(IntEnum):
    """The classification of a fetched page."""

    NEW = 0
    DUPLICATE = 1
    SOFT_404 = 2
    FAILED = 3


class DeferredShape(NamedTuple):
    """A report of a URL shape whose links are deferred.

    >>> print(DeferredShape("http://a.org/cal/{n}.html", "calendar", 27, 26, 5))
    http://a.org/cal/{n}.html: calendar; 27 fetched, 26 new, 5 waiting
    """

    shape: str
    """The URL with `{n}` and the like for its varying parts."""
    reason: str
    """The name of its `DeferralReason`."""
    fetched: int
    """The number of its pages that were fetched."""
    new: int
    """The number of these that were no duplicate, no soft 404 and no failure."""
    waiting: int
    """The number of its URLs that were found and not fetched."""

    def __str__(self) -> str:
        counts = f"{self.fetched:,} fetched, {self.new:,} new, {self.waiting:,} waiting"
        return f"{self.shape}: {self.reason}; {counts}"


class TrapStatistics:
    """Counters for every URL shape, which is known by its number.

    >>> statistics = TrapStatistics()
    >>> shape = statistics.number("http://a.org/copy/*.html")
    >>> [statistics.judge(shape, PageVerdict.DUPLICATE) for _ in range(8)][-2:]
    [False, True]
    >>> statistics.reason(shape), statistics.judge(shape, PageVerdict.NEW), statistics.reason(shape)
    (3, True, 0)
    """

    def __init__(self) -> None:
        self._shapes = CompactTable()
        self.seen = array("i")
        self.fetched = array("i")
        self.targets = array("i")
        self._verdicts = tuple(array("i") for _ in PageVerdict)
        self._bad = array("i")  # consecutive bad pages
        self._idle = array("i")  # consecutive fruitless pages
        self._fruitful = array("i")
        self._reasons = array("B")
        self._on_sight = array("B")  # reasons visible in the URL, until a page disproves them

    def __len__(self) -> int:
        return len(self._reasons)

    def number(self, shape: str) -> int:
        """Return the number of a shape, a new one for a new shape."""
        number = self._shapes.number(shape)
        if number == len(self._reasons):
            for counter in (self.seen, self.fetched, self.targets, *self._verdicts):
                counter.append(0)
            for counter in (self._bad, self._idle, self._fruitful):
                counter.append(0)
            self._reasons.append(DeferralReason.NOT)
            on_sight = (
                DeferralReason.ENDLESS_PATH if shape.endswith(ENDLESS) else DeferralReason.NOT
            )
            self._on_sight.append(DeferralReason.SESSION_ID if SESSION in shape else on_sight)
        return number

    def save(self, state: StateWriter) -> None:
        """Save the shapes and their counters."""
        state.strings("shapes", self._shapes.strings)
        for name, counter in self._counters():
            state.array(name, counter)

    def restore(self, state: StateReader) -> None:
        """Take over saved shapes and counters."""
        self._shapes.restore(state.strings("shapes"))
        for name, counter in self._counters():
            state.fill(name, counter)

    def _counters(self) -> Iterator[tuple[str, array[int]]]:
        """Yield every array of counters with a name."""
        for name, value in vars(self).items():
            if isinstance(value, array):
                yield name, value
        for verdict, counter in zip(PageVerdict, self._verdicts, strict=True):
            yield f"verdict {verdict.name}", counter

    def reason(self, shape: int) -> int:
        """Return the reason for deferring all links of a shape."""
        return self._reasons[shape]

    def reason_on_sight(self, shape: int) -> int:
        """Return the reason for deferring new links of a shape by the URL alone."""
        return self._on_sight[shape]

    def is_promising(self, shape: int) -> bool:
        """Return whether links of a shape may still lead to targets."""
        return self.targets[shape] > 0 or self.fetched[shape] < MIN_BAD_PAGES

    def judge(
        self,
        shape: int,
        verdict: PageVerdict,
        *,
        fruitful: bool = False,
        chained: bool = False,
        on_trial: bool = False,
    ) -> bool:
        """Count a page; return whether its shape is now deferred, or no longer.

        A page is `fruitful` if it is a target or links to a promising new shape,
        and `chained` if it was found on a page of the same shape. It is
        `on_trial` if its own link was deferred on sight, or is a sample of those.
        """
        self.fetched[shape] += 1
        self._verdicts[verdict][shape] += 1
        new = verdict is PageVerdict.NEW
        self._bad[shape] = 0 if new else self._bad[shape] + 1
        if new and fruitful:
            self._idle[shape] = 0
            self._fruitful[shape] += 1
        elif chained or not new:
            self._idle[shape] += 1
        # A session id that leads to a new page was none; an endless path may well lead to
        # new text at every level, so there only a fruitful page counts.
        proven = new and (fruitful or self._on_sight[shape] == DeferralReason.SESSION_ID)
        lifted = on_trial and proven and self._on_sight[shape] != DeferralReason.NOT
        if lifted:
            self._on_sight[shape] = DeferralReason.NOT
        reason = self._judged(shape)
        changed = reason != self._reasons[shape] or lifted
        self._reasons[shape] = reason
        return changed

    def _judged(self, shape: int) -> DeferralReason:
        bad = self._bad[shape]
        if bad >= MIN_BAD_PAGES and bad >= self._verdicts[PageVerdict.NEW][shape]:
            _, duplicates, soft, failed = (counter[shape] for counter in self._verdicts)
            if duplicates >= max(soft, failed):
                return DeferralReason.DUPLICATES
            return DeferralReason.SOFT_404 if soft >= failed else DeferralReason.FAILURES
        if self._idle[shape] >= max(MIN_CHAIN_PAGES, self._fruitful[shape]):
            name = self._shapes[shape]
            if "{" in name or "?" in name:
                return DeferralReason.CALENDAR
        return DeferralReason.NOT

    def __iter__(self) -> Iterator[DeferredShape]:
        """Yield the deferred shapes, those with the most links first."""
        for shape in sorted(range(len(self)), key=lambda shape: -self.seen[shape]):
            reason = DeferralReason(self.reason(shape) or self.reason_on_sight(shape))
            if reason:
                fetched, new = self.fetched[shape], self._verdicts[PageVerdict.NEW][shape]
                waiting = max(0, self.seen[shape] - fetched)
                yield DeferredShape(self._shapes[shape], str(reason), fetched, new, waiting)

    @property
    def nbytes(self) -> int:
        """The size of the counters in bytes, without the names of the shapes."""
        return sum(counter.itemsize * len(counter) for _, counter in self._counters())
