"""Counters of a live crawl: requests, bytes, faults, request rate, target curve and notices."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from math import exp, expm1
from typing import Any, NamedTuple

from lycosa.crawler.http.response import Response
from lycosa.snapshots import StateReader, StateWriter

_RATE_DECAY_SECONDS = 10.0
MAX_POINTS = 64


class Rate:
    """Recent events per second, with exponential decay; `clock` returns seconds.

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
        """Count an event that happens now."""
        now = self._clock()
        self._sum = self._sum * exp((self._time - now) / _RATE_DECAY_SECONDS) + 1.0
        self._time = now

    @property
    def value(self) -> float:
        """Events per second."""
        now = self._clock()
        # At the start the window is shorter than the decay.
        span = _RATE_DECAY_SECONDS * -expm1((self._began - now) / _RATE_DECAY_SECONDS)
        return self._sum * exp((self._time - now) / _RATE_DECAY_SECONDS) / span if span > 0 else 0.0


class Curve:
    """Targets over pages from the start to now, in at most 64 points.

    >>> curve = Curve()
    >>> for page in range(1, 1001):
    ...     curve.add(page, page // 2)
    >>> len(curve.points) <= 64, curve.points[0], curve.points[-1]
    (True, (0, 0), (1000, 500))
    """

    __slots__ = ("_interval", "_last", "_points")

    def __init__(self) -> None:
        self._points = [(0, 0)]
        self._interval = 1
        self._last = (0, 0)

    def add(self, pages: int, targets: int) -> None:
        """Add a point: the targets found after so many pages."""
        self._last = (pages, targets)
        if pages % self._interval == 0:
            self._points.append(self._last)
            if len(self._points) >= MAX_POINTS:
                self._interval *= 2
                self._points = [point for point in self._points if point[0] % self._interval == 0]

    def save(self, state: StateWriter) -> None:
        """Save the points."""
        state.value("points", list(self._points))
        state.value("last", [self._interval, *self._last])

    def restore(self, state: StateReader) -> None:
        """Take over saved points."""
        self._points = [(pages, targets) for pages, targets in state.value("points")]
        self._interval, *last = state.value("last")
        self._last = (last[0], last[1])

    @property
    def points(self) -> tuple[tuple[int, int], ...]:
        """The points, the first and the last included."""
        last = () if self._points[-1] == self._last else (self._last,)
        return (*self._points, *last)


class RunTotals(NamedTuple):
    """What several runs of a crawl add up to.

    >>> RunTotals(1, 60.0, 100, 5000) + RunTotals(1, 30.0, 20, 1000)
    RunTotals(runs=2, seconds=90.0, requests=120, received=6000)
    """

    runs: int = 0
    seconds: float = 0.0
    requests: int = 0
    """Those for robots.txt, redirects and retries included."""
    received: int = 0
    """Bytes of bodies on the wire."""

    def __add__(self, other: object) -> RunTotals:
        if not isinstance(other, RunTotals):
            return NotImplemented
        return RunTotals(
            self.runs + other.runs,
            self.seconds + other.seconds,
            self.requests + other.requests,
            self.received + other.received,
        )

    @classmethod
    def of_note(cls, run: Mapping[str, Any] | None) -> RunTotals:
        """Return the totals in the note of the last run; of an older crawl, those of that run."""
        if not run:
            return cls()
        if "totals" in run:
            return cls(**run["totals"])
        return cls(1, run.get("seconds") or 0.0, run.get("requests") or 0)


class Notice(NamedTuple):
    """Something that a person should know of the crawl, beside its figures."""

    kind: str
    """The kind, for programs."""
    words: str
    """One or two sentences: what was seen, and what to do."""


class Progress:
    """Counters of the engine, beside those of `Crawl`."""

    __slots__ = (
        "curve",
        "earlier",
        "fault_names",
        "notices",
        "rate",
        "received",
        "render_faults",
        "replayed",
        "requests",
        "skipped",
        "stored",
    )

    def __init__(self) -> None:
        self.requests = 0
        """Requests of this run."""
        self.received = 0
        """Bytes of bodies on the wire, in this run."""
        self.earlier = RunTotals()
        """What the earlier runs add up to."""
        self.fault_names: Counter[str] = Counter()
        """Steps with a fault, by its name; those of earlier runs included."""
        self.skipped: Counter[str] = Counter()
        """URLs that were not requested, by reason."""
        self.render_faults: Counter[str] = Counter()
        """Pages that could not be rendered, by fault."""
        self.stored = 0
        """Steps of earlier runs that are read again before the first request."""
        self.replayed = 0
        """Of them, those that were read already."""
        self.notices: dict[str, Notice] = {}
        """What a person should know, by kind: a later notice of a kind replaces the earlier."""
        self.rate = Rate()
        self.curve = Curve()

    @property
    def faults(self) -> int:
        """The number of steps with a fault."""
        return self.fault_names.total()

    def save(self, state: StateWriter) -> None:
        """Save what counts for all runs: faults and the curve."""
        state.value("faults", dict(self.fault_names))
        self.curve.save(state.part("curve"))

    def restore(self, state: StateReader) -> None:
        """Take over the counters of earlier runs."""
        self.fault_names = Counter(state.value("faults"))
        self.curve.restore(state.part("curve"))

    def count_request(self, received: int) -> None:
        """Count a request that has ended."""
        self.requests += 1
        self.received += received
        self.rate.count()

    def count_response(self, response: Response) -> None:
        """Count a request that has ended, and what the rendering of its page has cost."""
        self.count_request(response.transferred)
        for resource in response.resources:
            self.count_request(resource.transferred)
        if response.render_fault is not None:
            self.render_faults[response.render_fault] += 1
            names = ", ".join(f"{name}: {n:,}" for name, n in self.render_faults.most_common())
            self.notify("render-faults", f"Pages that could not be rendered: {names}.")

    def notify(self, kind: str, words: str | None) -> None:
        """Add a notice, in the place of an earlier one of its kind; None only removes that."""
        self.notices.pop(kind, None)
        if words is not None:
            self.notices[kind] = Notice(kind, words)

    def totals(self, seconds: float) -> RunTotals:
        """Return what all runs add up to, this one included, which took so many seconds."""
        return self.earlier + RunTotals(1, seconds, self.requests, self.received)
