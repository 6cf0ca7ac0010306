"""Request slots: how many requests the shards of one worker may have in flight together."""

from __future__ import annotations

from collections.abc import Callable
from math import inf


class RequestSlots:
    """Slots for requests, given to the shards of a worker in the order in which they asked.

    `limit` is the number of requests that may be in flight at a time.

    >>> slots = RequestSlots(1)
    >>> slots.has_room(lambda: print("first")), slots.take()
    (True, None)
    >>> slots.has_room(lambda: print("second")), slots.has_room(lambda: print("third"))
    (False, False)
    >>> slots.give_back()
    second
    """

    def __init__(self, limit: float = inf) -> None:
        self._limit = limit
        self._taken = 0
        self._waiting: dict[Callable[[], None], None] = {}  # in the order in which they asked

    def has_room(self, wake: Callable[[], None]) -> bool:
        """Return whether a slot is free; if none is, `wake` is called when there is one."""
        if self._taken < self._limit:
            self._waiting.pop(wake, None)
            return True
        self._waiting[wake] = None
        return False

    def take(self) -> None:
        """Take a slot."""
        self._taken += 1

    def give_back(self) -> None:
        """Free a slot, and wake the shard that has waited longest."""
        self._taken -= 1
        if self._waiting:
            wake = next(iter(self._waiting))
            del self._waiting[wake]
            wake()
