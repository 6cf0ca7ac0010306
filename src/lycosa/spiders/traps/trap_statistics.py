"""What is known of each shape of URL, and what is doubted.

The counters of a shape take 42 bytes, its name and number some 180 more; what
is known of its URLs is kept by `Wary`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from lycosa.content import Table
from lycosa.web.url_shapes import ENDLESS, SESSION

PATIENCE = 8
"""So many bad pages in a row at least before a shape is doubted."""
CHAIN = 24
"""So many pages at least, each found on one of its own shape, that brought nothing."""


class Why(IntEnum):
    """Why a link is deferred; NOT if it is not."""

    NOT = 0
    SESSION_ID = 1
    ENDLESS_PATH = 2
    DUPLICATES = 3
    SOFT_404 = 4
    FAILURES = 5
    CALENDAR = 6

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


class Verdict(IntEnum):
    """What a page turned out to be."""

    NEW = 0
    DUPLICATE = 1
    SOFT_404 = 2
    FAILED = 3


class Doubt(NamedTuple):
    """A shape whose links are deferred, for people.

    >>> print(Doubt("http://a.org/cal/{n}.html", "calendar", 27, 26, 5))
    http://a.org/cal/{n}.html: calendar; 27 asked for, 26 new, 5 wait
    """

    shape: str
    why: str
    asked: int
    new: int
    waiting: int

    def __str__(self) -> str:
        counts = f"{self.asked:,} asked for, {self.new:,} new, {self.waiting:,} wait"
        return f"{self.shape}: {self.why}; {counts}"


class Doubts:
    """Counters for every shape, known by its number.

    >>> doubts = Doubts()
    >>> shape = doubts.number("http://a.org/copy/*.html")
    >>> [doubts.judge(shape, Verdict.DUPLICATE) for _ in range(8)][-2:]
    [False, True]
    >>> doubts.why(shape), doubts.judge(shape, Verdict.NEW), doubts.why(shape)
    (3, True, 0)
    """

    def __init__(self) -> None:
        self._shapes = Table()
        self.seen = array("i")
        self.asked = array("i")
        self.targets = array("i")
        self._came = tuple(array("i") for _ in Verdict)
        self._bad = array("i")  # bad pages in a row
        self._idle = array("i")  # pages in a row that brought nothing
        self._fruitful = array("i")
        self._why = array("B")
        self._looks = array("B")  # what its URLs are doubted for at once, if not trusted

    def __len__(self) -> int:
        return len(self._why)

    def number(self, shape: str) -> int:
        """The number of a shape, given now if it had none."""
        number = self._shapes.number(shape)
        if number == len(self._why):
            for counter in (self.seen, self.asked, self.targets, *self._came):
                counter.append(0)
            for counter in (self._bad, self._idle, self._fruitful):
                counter.append(0)
            self._why.append(Why.NOT)
            looks = Why.ENDLESS_PATH if shape.endswith(ENDLESS) else Why.NOT
            self._looks.append(Why.SESSION_ID if SESSION in shape else looks)
        return number

    def why(self, shape: int) -> int:
        """Why all links of a shape are deferred."""
        return self._why[shape]

    def looks(self, shape: int) -> int:
        """Why a link of that shape is to be deferred on sight."""
        return self._looks[shape]

    def promises(self, shape: int) -> bool:
        """Whether anything is still to be hoped from links of a shape."""
        return self.targets[shape] > 0 or self.asked[shape] < PATIENCE

    def judge(
        self,
        shape: int,
        verdict: Verdict,
        *,
        fruitful: bool = False,
        chained: bool = False,
        on_trial: bool = False,
    ) -> bool:
        """Count a page; whether the links of its shape are now doubted, or no longer.

        A page is `fruitful` if it is a target or leads to something new, and
        `chained` if it was found on a page of the same shape. It was `on_trial`
        if its own link was doubted on sight, or a sample of those.
        """
        self.asked[shape] += 1
        self._came[verdict][shape] += 1
        new = verdict is Verdict.NEW
        self._bad[shape] = 0 if new else self._bad[shape] + 1
        if new and fruitful:
            self._idle[shape] = 0
            self._fruitful[shape] += 1
        elif chained or not new:
            self._idle[shape] += 1
        # Another spelling that shows another page is none; a path without end may well say
        # something new at every turn.
        proven = new and (fruitful or self._looks[shape] == Why.SESSION_ID)
        lifted = on_trial and proven and self._looks[shape] != Why.NOT
        if lifted:
            self._looks[shape] = Why.NOT
        why = self._reason(shape)
        changed = why != self._why[shape] or lifted
        self._why[shape] = why
        return changed

    def _reason(self, shape: int) -> Why:
        new, duplicates, soft, failed = (counter[shape] for counter in self._came)
        if self._bad[shape] >= max(PATIENCE, new):
            if duplicates >= max(soft, failed):
                return Why.DUPLICATES
            return Why.SOFT_404 if soft >= failed else Why.FAILURES
        name = self._shapes[shape]
        if self._idle[shape] >= max(CHAIN, self._fruitful[shape]) and ("{" in name or "?" in name):
            return Why.CALENDAR
        return Why.NOT

    def __iter__(self) -> Iterator[Doubt]:
        """All shapes that are doubted, those with the most links first."""
        for shape in sorted(range(len(self)), key=lambda shape: -self.seen[shape]):
            why = Why(self.why(shape) or self.looks(shape))
            if why:
                asked, new = self.asked[shape], self._came[Verdict.NEW][shape]
                waiting = max(0, self.seen[shape] - asked)
                yield Doubt(self._shapes[shape], str(why), asked, new, waiting)

    @property
    def nbytes(self) -> int:
        """The memory of the counters, without that of the names."""
        arrays = [value for value in vars(self).values() if isinstance(value, array)]
        return sum(one.itemsize * len(one) for one in (*arrays, *self._came))
