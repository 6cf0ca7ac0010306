"""The host queue: heaps that find the host to ask next.

A host that is not due is in a heap by the time at which it is. A host that is
due is in the heap of its address, by the key of its first request. An address
with room is in a heap by the least of those keys. A host has at most one valid
entry in all heaps, the one that has its ticket; stale entries are removed when
they surface, so no heap is ever searched.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

from lycosa.crawler.politeness.host_state import Address, Host, Key


class HostQueue:
    """The hosts that wait until they are due, or for room at their address, or are ready.

    `per_host` is the number of requests that may be in flight at one host, and
    `address_delay` the seconds between two requests to one address.

    >>> from lycosa.crawler.politeness.pace import Pace
    >>> host = Host("a.example", Pace(delay=2.0), Address("192.0.2.1", 1, 0))
    >>> host.queue.add((0.0, 1), 70)
    >>> host.pace.request_started(0.0)
    >>> queue = HostQueue(per_host=1)
    >>> queue.update(host, now=0.5)
    >>> queue.best_address(0.5), queue.next_due()
    (None, 2.0)
    >>> queue.pop(queue.best_address(2.0)).name
    'a.example'
    """

    __slots__ = ("_address_delay", "_addresses", "_delayed", "_per_host", "_tickets", "_timers")

    def __init__(self, per_host: int, address_delay: float = 0.0) -> None:
        self._per_host = per_host
        self._address_delay = address_delay
        self._tickets = count(1)
        self._timers: list[tuple[float, int, Host]] = []
        self._addresses: list[tuple[Key, int, Address]] = []
        self._delayed: list[tuple[float, int, Address]] = []  # a heap

    def update(self, host: Host, now: float) -> None:
        """Put a host into the heap it belongs to, if any; call this after every change of it."""
        host.ticket = ticket = next(self._tickets)
        if host.starting or host.in_flight >= self._per_host:
            return
        first = host.first
        if first is None:
            return
        due = host.pace.due
        if due > now:
            heappush(self._timers, (due, ticket, host))
        else:
            heappush(host.address.hosts, (first, ticket, host))
            self._enqueue(host.address)

    def delay(self, address: Address, now: float) -> None:
        """Begin the delay of an address at which a request is made now, if it is known."""
        if self._address_delay and address.name:
            address.due = now + self._address_delay
            heappush(self._delayed, (address.due, address.serial, address))

    def best_address(self, now: float) -> Address | None:
        """Return the address of the best request that is allowed now; None if there is none."""
        timers, addresses = self._timers, self._addresses
        self.end_delays(now)
        while timers and timers[0][0] <= now:
            _, ticket, host = heappop(timers)
            if ticket == host.ticket:
                self.update(host, now)
        while addresses:
            key, _, address = addresses[0]
            if key == address.queued_key:
                if address.has_room and address.first() == key:
                    return address
                address.queued_key = None
            heappop(addresses)
            self._enqueue(address)
        return None

    def pop(self, address: Address) -> Host:
        """Remove and return the first host of the best address; a slot there is taken."""
        host = heappop(address.hosts)[2]
        host.ticket = next(self._tickets)
        heappop(self._addresses)
        address.queued_key = None
        address.in_flight += 1
        self._enqueue(address)
        return host

    def release(self, address: Address) -> None:
        """Free a slot at an address."""
        address.in_flight -= 1
        self._enqueue(address)

    def next_due(self) -> float | None:
        """Return when the next host or address with URLs is due; None if none waits for that."""
        timers = self._timers
        while timers and timers[0][1] != timers[0][2].ticket:
            heappop(timers)
        due = [timers[0][0]] if timers else []
        due += [until for until, _, address in self._delayed if address.first() is not None]
        return min(due, default=None)

    def end_delays(self, now: float) -> None:
        """Let the hosts of addresses whose delays are over be asked again."""
        while self._delayed and self._delayed[0][0] <= now:
            until, _, address = heappop(self._delayed)
            if address.due == until:  # else there was another request since
                address.due = None
                self._enqueue(address)

    def _enqueue(self, address: Address) -> None:
        if not address.has_room:
            return
        first = address.first()
        if first is not None and (address.queued_key is None or first < address.queued_key):
            address.queued_key = first
            heappush(self._addresses, (first, address.serial, address))
