"""The step index: which step requested a URL, which URLs are targets, what each host was asked."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import numpy as np

from lycosa.content import Ints
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.politeness.robots_cache import authority
from lycosa.snapshots import StateReader, StateWriter

_INITIAL_URLS = 1024


class StepIndex:
    """The steps of a crawl by the numbers of their URLs: five bytes for each known URL.

    >>> index = StepIndex()
    >>> index.add(3, 5)
    >>> index.add_target(3)
    >>> index.step(3), index.step(4), index.is_target(3), index.told().tolist()
    (5, 0, True, [3])
    """

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        """The requests of all runs, by host."""
        self._last: tuple[str, datetime | str] = "", ""
        self._steps = np.zeros(_INITIAL_URLS, np.int32)
        self._targets = np.zeros(_INITIAL_URLS, np.bool_)

    @property
    def last(self) -> list[str]:
        """The URL and the time of the latest step."""
        url, when = self._last
        return [url, when if isinstance(when, str) else when.astimezone(UTC).isoformat()]

    def step(self, number: int) -> int:
        """Return the step that requested a URL, or led to it; 0 if there is none."""
        return self._steps.item(number) if 0 <= number < len(self._steps) else 0

    def add(self, number: int, step: int) -> None:
        """Record the step of a URL."""
        self._make_room(number)
        self._steps[number] = step

    def is_target(self, number: int) -> bool:
        """Return whether a URL is a target."""
        return number < len(self._targets) and self._targets.item(number)

    def add_target(self, number: int) -> None:
        """Record that a URL is a target."""
        self._make_room(number)
        self._targets[number] = True

    def told(self) -> Ints:
        """Return the numbers of all URLs that have a step."""
        return np.flatnonzero(self._steps).astype(np.int32)

    def count(self, url: str, final: str, fault: str | None, when: datetime) -> None:
        """Count the requests of the latest step at their hosts."""
        self._last = url, when
        self.requests[authority(url)] += 1
        if final != url and fault != Fault.ROBOTS:
            self.requests[authority(final)] += 1

    def save(self, state: StateWriter) -> None:
        """Save the index."""
        state.value("last", self.last)
        state.array("steps", self._steps)
        state.array("targets", self._targets)
        state.keys("hosts", self.requests)
        state.array("requests", np.fromiter(self.requests.values(), np.int64, len(self.requests)))

    def restore(self, state: StateReader) -> None:
        """Take over a saved index."""
        url, when = state.value("last")
        self._last = url, when
        self._steps = state.array("steps", self._steps)
        self._targets = state.array("targets", self._targets)
        counts = state.array("requests").tolist()
        self.requests = Counter(dict(zip(state.strings("hosts"), counts, strict=True)))

    def _make_room(self, number: int) -> None:
        missing = number + 1 - len(self._steps)
        if missing > 0:
            added = missing + len(self._steps) // 16 + _INITIAL_URLS
            self._steps = np.concatenate((self._steps, np.zeros(added, np.int32)))
            self._targets = np.concatenate((self._targets, np.zeros(added, np.bool_)))
