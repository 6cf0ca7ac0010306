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

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection

MOST = 20_000
"""Clients that are remembered; whoever was away longest is forgotten first."""


class Buckets:
    """Each client's bucket is filled at a rate, up to a burst; every request takes out a token."""

    def __init__(
        self,
        rate: float,
        burst: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        most: int = MOST,
    ) -> None:
        self._rate = rate
        self._burst = max(burst, 1.0)
        self._clock = clock
        self._most = most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str, cost: float = 1.0) -> float:
        """Take out tokens: 0.0, or in how many seconds there will be enough of them."""
        if not self._rate:
            return 0.0
        cost = min(cost, self._burst)
        now = self._clock()
        left, when = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - when) * self._rate)
        enough = left >= cost
        self._left[client] = (left - cost if enough else left, now)
        while len(self._left) > self._most:
            self._left.popitem(last=False)
        return 0.0 if enough else (cost - left) / self._rate

    def __len__(self) -> int:
        return len(self._left)


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
