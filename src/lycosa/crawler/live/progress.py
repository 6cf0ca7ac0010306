"""How fast a live crawl goes and how far it has come, counted as it runs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from math import exp, expm1

_LATELY = 10.0  # seconds
_POINTS = 64


class Rate:
    """Events a second of late: older ones fade.

    >>> now = 0.0
    >>> rate = Rate(lambda: now)
    >>> for _ in range(1000):
    ...     now += 0.01
    ...     rate.count()
    >>> round(rate.value)
    100
    """

    __slots__ = ("_began", "_clock", "_sum", "_time")

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sum = 0.0
        self._began = self._time = clock()

    def count(self) -> None:
        """One event, now."""
        now = self._clock()
        self._sum = self._sum * exp((self._time - now) / _LATELY) + 1.0
        self._time = now

    @property
    def value(self) -> float:
        """How many a second."""
        now = self._clock()
        # In the beginning there is less to look back at.
        span = _LATELY * -expm1((self._began - now) / _LATELY)
        return self._sum * exp((self._time - now) / _LATELY) / span if span > 0 else 0.0


class Curve:
    """Targets over pages from the beginning to now, in few points.

    >>> curve = Curve()
    >>> for page in range(1, 1001):
    ...     curve.add(page, page // 2)
    >>> len(curve.points) <= 64, curve.points[0], curve.points[-1]
    (True, (0, 0), (1000, 500))
    """

    __slots__ = ("_every", "_last", "_points")

    def __init__(self) -> None:
        self._points = [(0, 0)]
        self._every = 1
        self._last = (0, 0)

    def add(self, pages: int, targets: int) -> None:
        """So many targets were found after so many pages."""
        self._last = (pages, targets)
        if pages % self._every == 0:
            self._points.append(self._last)
            if len(self._points) >= _POINTS:
                self._every *= 2
                self._points = [point for point in self._points if point[0] % self._every == 0]

    @property
    def points(self) -> tuple[tuple[int, int], ...]:
        """At most 64, the first and the last included."""
        last = () if self._points[-1] == self._last else (self._last,)
        return (*self._points, *last)


class Progress:
    """What is counted besides what the crawl itself counts."""

    __slots__ = ("curve", "faults", "rate", "received", "requests", "skipped")

    def __init__(self) -> None:
        self.requests = 0
        """Made in this run."""
        self.received = 0
        """Bytes of bodies, in this run."""
        self.faults = 0
        """Steps without an answer."""
        self.skipped: Counter[str] = Counter()
        """URLs that were not requested, by the reason."""
        self.rate = Rate()
        self.curve = Curve()

    def asked(self, received: int) -> None:
        """A request has ended."""
        self.requests += 1
        self.received += received
        self.rate.count()
