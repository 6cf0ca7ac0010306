"""Fair queue: in which order the requests of several clients are served.

Start-time fair queueing (Goyal, Vin & Cheng 1996) with measured service times.
Every client has a FIFO and a tag, the virtual time at which its next request
starts; the client with the lowest tag is served next, and the seconds that its
request took are added to its tag. A client that was idle starts at the current
virtual time, the tag of the request served last, so that it cannot save up
service. Between two clients that are waiting all the time, the seconds of
service differ by at most one request of each, however many requests either
sends and however expensive they are.

The queue only decides: it does not wait, and does not run anything.

>>> queue = FairQueue()
>>> for number in range(3):
...     queue.put("a", f"a{number}")
>>> queue.put("b", "b0")
>>> order = []
>>> while served := queue.take():
...     client, item = served
...     order.append(item)
...     queue.finish(client, seconds=1.0)
>>> order
['a0', 'b0', 'a1', 'a2']
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Generic, TypeVar

MAX_RUNNING = 1
"""Requests of one client that are served at the same time."""
MAX_WAITING = 8
"""Requests of one client that wait."""
MAX_TOTAL_WAITING = 200
"""Requests of all clients that wait: the last of them waits for a few seconds."""
MAX_IDLE = 1_000
"""Clients without a request whose tags are remembered."""

T = TypeVar("T")


class QueueFull(Exception):
    """No further request can wait."""


class ClientQueueFull(QueueFull):
    """No further request of this client can wait."""


@dataclass(slots=True)
class _Client(Generic[T]):
    tag: float
    """The virtual time at which its next request starts."""
    waiting: deque[T] = field(default_factory=deque)
    running: int = 0


class FairQueue(Generic[T]):
    """The waiting requests of all clients.

    Parameters
    ----------
    max_running
        Requests of one client that are served at the same time.
    max_waiting
        Requests of one client that may wait.
    max_total_waiting
        Requests of all clients that may wait.
    """

    def __init__(
        self,
        max_running: int = MAX_RUNNING,
        max_waiting: int = MAX_WAITING,
        max_total_waiting: int = MAX_TOTAL_WAITING,
    ) -> None:
        self._max_running = max_running
        self._max_waiting = max_waiting
        self._max_total_waiting = max_total_waiting
        self._clients: dict[str, _Client[T]] = {}
        """In the order in which they were added, by which equal tags are ordered."""
        self._waiting = 0
        self._running = 0
        self._virtual_time = 0.0

    def __len__(self) -> int:
        """Return the number of requests that wait."""
        return self._waiting

    def put(self, client: str, item: T) -> None:
        """Add a request; raise `QueueFull` if too many wait."""
        known = self._clients.get(client)
        if known is not None and len(known.waiting) >= self._max_waiting:
            raise ClientQueueFull
        if self._waiting >= self._max_total_waiting:
            raise QueueFull
        if known is None:
            known = self._clients[client] = _Client(self._virtual_time)
        elif not known.waiting and not known.running:
            known.tag = max(known.tag, self._virtual_time)
        known.waiting.append(item)
        self._waiting += 1

    def take(self) -> tuple[str, T] | None:
        """Remove the request that is served next; None if none may be served now."""
        best = None
        for name, client in self._clients.items():
            ready = client.waiting and client.running < self._max_running
            if ready and (best is None or client.tag < self._clients[best].tag):
                best = name
        if best is None:
            return None
        chosen = self._clients[best]
        chosen.running += 1
        self._running += 1
        self._waiting -= 1
        self._virtual_time = max(self._virtual_time, chosen.tag)
        return best, chosen.waiting.popleft()

    def finish(self, client: str, seconds: float) -> None:
        """Note that a request of a client was served, and how long that took."""
        known = self._clients[client]
        known.running -= 1
        known.tag += seconds
        self._running -= 1
        if not self._running and not self._waiting:
            # The busy period is over: clients start equal in the next.
            self._clients.clear()
            self._virtual_time = 0.0
        elif len(self._clients) > MAX_IDLE:
            self._forget()

    def discard(self, client: str, item: T) -> None:
        """Remove a waiting request; nothing happens if it does not wait."""
        known = self._clients.get(client)
        if known is not None and item in known.waiting:
            known.waiting.remove(item)
            self._waiting -= 1

    def _forget(self) -> None:
        """Forget idle clients: first those that have received no more than others."""
        idle = [name for name, each in self._clients.items() if not (each.waiting or each.running)]
        idle.sort(key=lambda name: self._clients[name].tag)
        past = sum(self._clients[name].tag <= self._virtual_time for name in idle)
        for name in idle[: max(past, len(idle) // 2)]:
            del self._clients[name]
