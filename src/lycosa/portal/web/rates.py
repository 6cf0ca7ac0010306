"""How often a client may ask: a bucket of tokens for each.

>>> now = 0.0
>>> buckets = Buckets(rate=2.0, burst=3.0, clock=lambda: now)
>>> [buckets.wait("a") for _ in range(4)]
[0.0, 0.0, 0.0, 0.5]
>>> now = 0.5
>>> buckets.wait("a"), buckets.wait("b")
(0.0, 0.0)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, MutableSequence
from contextlib import AbstractContextManager
from ipaddress import IPv6Address, ip_address, ip_network
from multiprocessing.context import SpawnContext

from starlette.requests import HTTPConnection
from xxhash import xxh3_64_intdigest

MOST = 32_768
"""Clients that are remembered; of those whose buckets may stand in the same places, whoever was
away longest is forgotten first."""
PLACES = 8
"""Places where the bucket of a client may stand."""
_FIELDS = 3  # of a bucket: whose it is, what is left in it, and since when


class Table:
    """The buckets of all clients, in memory that several processes may share."""

    def __init__(
        self,
        memory: MutableSequence[float] | None = None,
        lock: AbstractContextManager[object] | None = None,
    ) -> None:
        self.memory = [0.0] * (MOST * _FIELDS) if memory is None else memory
        self.lock = lock or threading.Lock()

    @classmethod
    def shared(cls, context: SpawnContext) -> Table:
        """For processes that are begun in this context."""
        return cls(context.RawArray("d", MOST * _FIELDS), context.Lock())

    def place(self, client: str) -> tuple[int, bool]:
        """Where the bucket of a client is, or may stand from now on; and whether it is new."""
        # As many bits as a float keeps, and never nothing.
        name = float(xxh3_64_intdigest(client.encode()) >> 11 or 1)
        row = PLACES * _FIELDS
        start = int(name) % (len(self.memory) // row) * row
        places = range(start, start + row, _FIELDS)
        known = next((at for at in places if self.memory[at] == name), None)
        if known is not None:
            return known, False
        free = min(places, key=lambda at: (self.memory[at] > 0, self.memory[at + 2]))
        self.memory[free] = name
        return free, True


class Buckets:
    """Each client's bucket is filled at a rate, up to a burst; every request takes out a token."""

    def __init__(
        self,
        rate: float,
        burst: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        table: Table | None = None,
    ) -> None:
        self._rate = rate
        self._burst = max(burst, 1.0)
        self._clock = clock
        self._table = table or Table()

    def wait(self, client: str, cost: float = 1.0) -> float:
        """Take out tokens: 0.0, or in how many seconds there will be enough of them."""
        if not self._rate:
            return 0.0
        cost = min(cost, self._burst)
        memory = self._table.memory
        with self._table.lock:
            now = self._clock()
            at, new = self._table.place(client)
            left, when = (self._burst, now) if new else (memory[at + 1], memory[at + 2])
            left = min(self._burst, left + (now - when) * self._rate)
            enough = left >= cost
            memory[at + 1] = left - cost if enough else left
            memory[at + 2] = now
        return 0.0 if enough else (cost - left) / self._rate


def client_of(request: HTTPConnection, *, trust_proxy: bool) -> str:
    """Who asks, by address; all of a network of IPv6 that one customer gets (/64) are one.

    Behind a proxy that is the last address it wrote down: those before it were
    written by whoever asked the proxy.
    """
    address = request.client.host if request.client else ""
    if trust_proxy:
        told = ",".join(request.headers.getlist("x-forwarded-for"))
        address = told.rpartition(",")[2].strip() or address
    return network(address)


def network(address: str) -> str:
    """An address as a client is known by.

    >>> network("192.0.2.7"), network("::ffff:192.0.2.7"), network("2001:db8::1:2:3:4")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64')
    """
    try:
        found = ip_address(address.strip("[]"))
    except ValueError:
        return "unknown"
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((int(found), 64), strict=False))
