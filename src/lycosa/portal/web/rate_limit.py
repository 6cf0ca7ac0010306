"""Rate limit per client: a token bucket for each.

>>> now = 0.0
>>> limiter = RateLimiter(rate=2.0, burst=3.0, clock=lambda: now)
>>> [limiter.wait("a") for _ in range(4)]
[0.0, 0.0, 0.0, 0.5]
>>> now = 0.5
>>> limiter.wait("a"), limiter.wait("b")
(0.0, 0.0)

What a request costs beyond its token is known only when it has been served, and is
then charged: the client pays with its next requests.

>>> limiter.charge("b", seconds=0.06)
>>> round(limiter.wait("b"), 2)
1.5
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, MutableSequence
from contextlib import AbstractContextManager
from ipaddress import IPv6Address, ip_address, ip_network
from multiprocessing.context import BaseContext
from multiprocessing.synchronize import Lock

from starlette.requests import HTTPConnection
from xxhash import xxh3_64_intdigest

MAX_CLIENTS = 32_768
"""Buckets in a table."""
SLOTS_PER_ROW = 8
"""Slots that a client's bucket may occupy; if all are taken, the least recently used is reused."""
VALUES_PER_BUCKET = 3
"""A bucket holds the hash of its client, the tokens left, and the time of the last request."""
INCLUDED_SECONDS = 0.02
"""Seconds of a thread that the token of a request pays for: more than an ordinary page takes."""
SECONDS_PER_TOKEN = 0.01
"""Further seconds that a token pays for. At the default rate of 20 tokens a second, expensive
requests of one client can keep a fifth of a core busy in the long run."""

RECOVERY_SECONDS = 0.5
"""How long a lock must be held to belong to a dead process; requests hold it for microseconds."""


class BucketTable:
    """The buckets of all clients, a set-associative table in memory that processes may share.

    Parameters
    ----------
    memory
        Numbers that hold the table, initially zeros; its length is a multiple
        of `SLOTS_PER_ROW * VALUES_PER_BUCKET`.
    lock
        Held while a bucket is read and written.
    """

    def __init__(
        self,
        memory: MutableSequence[float] | None = None,
        lock: AbstractContextManager[object] | None = None,
    ) -> None:
        self.memory = [0.0] * (MAX_CLIENTS * VALUES_PER_BUCKET) if memory is None else memory
        self.lock = lock or threading.Lock()

    @classmethod
    def shared(cls, context: BaseContext) -> BucketTable:
        """Return a table that processes started in this context share."""
        return cls(context.RawArray("d", MAX_CLIENTS * VALUES_PER_BUCKET), context.Lock())

    def recover(self) -> None:
        """Release the lock if a process was killed while it held it; the caller is its parent.

        What such a process had half written is one bucket.
        """
        assert isinstance(self.lock, Lock)  # noqa: S101 - shared tables have one
        self.lock.acquire(timeout=RECOVERY_SECONDS)
        self.lock.release()

    def slot(self, client: str) -> tuple[int, bool]:
        """Return where a client's bucket starts in memory, and whether it was just assigned."""
        # 53 bits, which a float holds exactly; 0 marks a free slot.
        key = float(xxh3_64_intdigest(client.encode()) >> 11 or 1)
        row = SLOTS_PER_ROW * VALUES_PER_BUCKET
        start = int(key) % (len(self.memory) // row) * row
        slots = range(start, start + row, VALUES_PER_BUCKET)
        known = next((at for at in slots if self.memory[at] == key), None)
        if known is not None:
            return known, False
        free = min(slots, key=lambda at: (self.memory[at] > 0, self.memory[at + 2]))
        self.memory[free] = key
        return free, True


class RateLimiter:
    """Limits requests per client; each request takes tokens from the client's bucket.

    Parameters
    ----------
    rate
        Tokens added to a bucket per second; 0 disables the limit.
    burst
        Tokens that a full bucket holds.
    clock
        Returns the time in seconds.
    table
        Where buckets are kept; shared if several processes serve one portal.
    """

    def __init__(
        self,
        rate: float,
        burst: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        table: BucketTable | None = None,
    ) -> None:
        self._rate = rate
        self._burst = max(burst, 1.0)
        self._clock = clock
        self._table = table or BucketTable()

    @property
    def is_active(self) -> bool:
        """Whether there is a limit."""
        return self._rate > 0

    def wait(self, client: str, cost: float = 1.0) -> float:
        """Take tokens and return 0.0, or return the seconds until there are enough of them."""
        if not self._rate:
            return 0.0
        cost = min(cost, self._burst)
        memory = self._table.memory
        with self._table.lock:
            at, left = self._refill(client)
            enough = left >= cost
            memory[at + 1] = left - cost if enough else left
        return 0.0 if enough else (cost - left) / self._rate

    def charge(self, client: str, seconds: float) -> None:
        """Take the tokens for the time that a request took beyond what it has paid for.

        A client may owe tokens, at most as many as a full bucket holds.
        """
        cost = (seconds - INCLUDED_SECONDS) / SECONDS_PER_TOKEN
        if not self._rate or cost <= 0.0:
            return
        with self._table.lock:
            at, left = self._refill(client)
            self._table.memory[at + 1] = max(left - cost, -self._burst)

    def _refill(self, client: str) -> tuple[int, float]:
        """Add the tokens since the last request; return where the bucket is and what it holds."""
        memory = self._table.memory
        now = self._clock()
        at, new = self._table.slot(client)
        left, since = (self._burst, now) if new else (memory[at + 1], memory[at + 2])
        left = min(self._burst, left + (now - since) * self._rate)
        memory[at + 1], memory[at + 2] = left, now
        return at, left


def client_key(request: HTTPConnection, *, trust_proxy: bool) -> str:
    """Return the key of a request's client: its IPv4 address or its IPv6 network.

    With `trust_proxy` this is the last address in X-Forwarded-For, which the
    proxy wrote; the addresses before it come from the client and may be forged.
    """
    return client_network(client_address(request, trust_proxy=trust_proxy))


def client_address(request: HTTPConnection, *, trust_proxy: bool) -> str:
    """Return the address of a request's client; with `trust_proxy` the one that the proxy wrote."""
    address = request.client.host if request.client else ""
    if trust_proxy:
        forwarded = ",".join(request.headers.getlist("x-forwarded-for"))
        address = forwarded.rpartition(",")[2].strip() or address
    return address


def client_network(address: str) -> str:
    """Return an IPv4 address, or the /64 network of an IPv6 address: one customer has all of it.

    >>> client_network("192.0.2.7"), client_network("::ffff:192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    >>> client_network("2001:db8::1:2:3:4")
    '2001:db8::/64'
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
