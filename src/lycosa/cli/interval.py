"""A timer for output that is repeated at intervals."""

from __future__ import annotations

from collections.abc import Callable

Clock = Callable[[], float]


class Interval:
    """A timer that fires at most once in `seconds`; the first time after `first` seconds.

    >>> now = 0.0
    >>> due = Interval(2.0, lambda: now)
    >>> due(), due()
    (True, False)
    >>> now = 2.0
    >>> due()
    True
    """

    def __init__(self, seconds: float, clock: Clock, first: float = 0.0) -> None:
        self._seconds = seconds
        self._clock = clock
        self._next = clock() + first

    def __call__(self) -> bool:
        """Return whether the interval has passed, and start the next one if so."""
        now = self._clock()
        if now < self._next:
            return False
        self._next = now + self._seconds
        return True
