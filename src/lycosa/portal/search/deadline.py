"""The deadline of a search, checked between its stages.

A stage that has begun runs to its end, since tantivy cannot be interrupted;
`cost` limits how long that takes.

>>> now = 0.0
>>> deadline = Deadline(seconds=2.0, clock=lambda: now)
>>> deadline.expired
False
>>> now = 2.5
>>> deadline.check()
Traceback (most recent call last):
lycosa.portal.search.deadline.SearchTimeout: The search took more than 2 seconds and was stopped; \
use fewer words, or try again in a few seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from lycosa.errors import LycosaError
from lycosa.portal.message import Message

MAX_SECONDS = 2.0
"""The default of `Deadline.seconds`: of a search alone, without waiting for a thread."""

TIMEOUT_NOTICE = Message(
    "The search took too long to count topics, authors and so on among the results, or to check "
    "the spelling; use fewer words."
)
"""Of a search whose results were found in time, and what it shows beside them was not."""


class SearchTimeout(LycosaError):
    """A search that has reached its deadline."""


class Deadline:
    """When a search has to end.

    Parameters
    ----------
    seconds
        The time from now.
    clock
        Returns the time in seconds.
    """

    def __init__(
        self, seconds: float = MAX_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    @property
    def expired(self) -> bool:
        """Whether the search has to end now."""
        return self._clock() >= self._end

    def check(self) -> None:
        """Raise `SearchTimeout` if the search has to end now."""
        if self.expired:
            raise SearchTimeout(
                Message(
                    "The search took more than %(seconds)s seconds and was stopped; use fewer "
                    "words, or try again in a few seconds.",
                    seconds=f"{self.seconds:g}",
                )
            )
