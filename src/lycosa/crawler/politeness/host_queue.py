"""Whose turn it is: heaps of hosts by time, of hosts by address, and of addresses.

A host that must wait stands in a heap by the time at which it may go. One that
may go stands in the heap of its address, by the key of what it would be asked
first. An address with room stands in a heap by the least such key. A host has
at most one valid entry in all of them, told by its ticket; void ones are thrown
away when they surface, so that nothing is ever searched for.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

from lycosa.crawler.politeness.host_state import Address, Host, Key


class HostQueue:
    """The hosts that wait for a time, for room at their address, or for nothing.

    >>> from lycosa.crawler.politeness.pace import Pace
    >>> host = Host("a.example", Pace(delay=2.0), Address("192.0.2.1", 1, 0))
    >>> host.line.add((0.0, 1), 70)
    >>> host.tempo.began(0.0)
    >>> turns = HostQueue(per_host=1)
    >>> turns.arrange(host, now=0.5)
    >>> turns.best(0.5), turns.next_time()
    (None, 2.0)
    >>> turns.take(turns.best(2.0)).name
    'a.example'
    """

    __slots__ = ("_open", "_per_host", "_tickets", "_timers")

    def __init__(self, per_host: int) -> None:
        self._per_host = per_host
        self._tickets = count(1)
        self._timers: list[tuple[float, int, Host]] = []
        self._open: list[tuple[Key, int, Address]] = []

    def arrange(self, host: Host, now: float) -> None:
        """Put a host into the heap it belongs to, if any; call it whenever the host has changed."""
        host.ticket = ticket = next(self._tickets)
        if host.starting or host.running >= self._per_host:
            return
        first = host.first
        if first is None:
            return
        due = host.tempo.due
        if due > now:
            heappush(self._timers, (due, ticket, host))
        else:
            heappush(host.address.hosts, (first, ticket, host))
            self._list(host.address)

    def best(self, now: float) -> Address | None:
        """The address of the best that may go now."""
        timers, opened = self._timers, self._open
        while timers and timers[0][0] <= now:
            _, ticket, host = heappop(timers)
            if ticket == host.ticket:
                self.arrange(host, now)
        while opened:
            key, _, address = opened[0]
            if key == address.listed:
                if address.has_room and address.first() == key:
                    return address
                address.listed = None
            heappop(opened)
            self._list(address)
        return None

    def take(self, address: Address) -> Host:
        """The host to ask at the address that `best` gave; it takes up room there."""
        host = heappop(address.hosts)[2]
        host.ticket = next(self._tickets)
        heappop(self._open)
        address.listed = None
        address.taken += 1
        self._list(address)
        return host

    def leave(self, address: Address) -> None:
        """There is room again."""
        address.taken -= 1
        self._list(address)

    def next_time(self) -> float | None:
        """When the first host that waits for a time may go."""
        timers = self._timers
        while timers and timers[0][1] != timers[0][2].ticket:
            heappop(timers)
        return timers[0][0] if timers else None

    def _list(self, address: Address) -> None:
        if not address.has_room:
            return
        first = address.first()
        if first is not None and (address.listed is None or first < address.listed):
            address.listed = first
            heappush(self._open, (first, address.serial, address))
