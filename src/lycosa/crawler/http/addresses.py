"""Which addresses may be connected to, and how names become addresses.

A page of the open web may link to `http://127.0.0.1/`, or to a name whose owner
points it there, to make a crawler talk to machines only it can reach. So what
is checked is the address that is dialled, never the name: `NameResolver` drops
forbidden addresses from every look-up, and `connector` makes no socket to one,
however it was come by. A name that answers differently the second time (DNS
rebinding; Jackson et al. 2007) gains nothing.

>>> AddressPolicy().allows("93.184.215.14"), AddressPolicy().allows("169.254.169.254")
(True, False)
>>> AddressPolicy(allow_loopback=True).allows("::ffff:127.0.0.1")
True
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, TypeAlias

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

Lookup: TypeAlias = Callable[[str], Awaitable[Sequence[str]]]
"""The addresses of a name; raises OSError if it has none."""

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_PRIVATE = tuple(
    ip_network(n)
    for n in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
)


class ForbiddenAddress(OSError):
    """An address that must not be connected to."""


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Which addresses may be connected to: public ones, and what is allowed besides.

    Multicast, link-local, reserved and unspecified addresses are never allowed.
    """

    allow_loopback: bool = False
    """This machine: 127.0.0.0/8 and ::1."""
    allow_private: bool = False
    """The networks of organisations and of providers: RFC 1918, RFC 6598, RFC 4193."""

    def allows(self, address: str) -> bool:
        """Whether a connection to this address may be made."""
        try:
            ip = ip_address(address)
        except ValueError:
            return False
        if isinstance(ip, IPv6Address) and ip.ipv4_mapped:
            ip = ip.ipv4_mapped
        if ip.is_loopback:
            return self.allow_loopback
        if any(ip in network for network in _PRIVATE):
            return self.allow_private
        return _is_public(ip)


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    if isinstance(ip, IPv4Address):
        return ip.is_global and not (ip.is_multicast or ip.is_reserved)
    # Addresses through which a gateway reaches an IPv4 address are as public as that one.
    if ip in _NAT64:
        return _is_public(IPv4Address(int(ip) & 0xFFFFFFFF))
    if ip.sixtofour:
        return _is_public(ip.sixtofour)
    # `is_global` is also said of ranges that were never given out, or were taken back.
    return ip in _GLOBAL_UNICAST and ip.is_global


async def system_lookup(name: str) -> list[str]:
    """Ask the resolver of the operating system, in a thread."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    # A scope such as %eth0 belongs to link-local addresses only: they are not allowed anyway.
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@dataclass(frozen=True, slots=True)
class _Known:
    addresses: tuple[str, ...]
    until: float


class NameResolver(AbstractResolver):
    """Looks names up, remembers them for a while, and lets only allowed addresses through.

    Requests that want the same name share one look-up. `lookup` asks the
    operating system unless another is given; a failure is remembered too, for
    a shorter time.
    """

    def __init__(
        self,
        reach: AddressPolicy,
        lookup: Lookup = system_lookup,
        *,
        lifetime: float = 300.0,
        failed_lifetime: float = 30.0,
        patience: float = 10.0,
        capacity: int = 10_000,
        at_once: int = 16,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reach = reach
        self._lookup = lookup
        self._lifetime = lifetime
        self._failed_lifetime = failed_lifetime
        self._patience = patience
        self._capacity = capacity
        self._clock = clock
        self._room = asyncio.Semaphore(at_once)
        self._known: dict[str, _Known] = {}
        self._asked: dict[str, asyncio.Task[_Known]] = {}

    def __len__(self) -> int:
        return len(self._known)

    async def addresses(self, name: str) -> tuple[str, ...]:
        """The allowed addresses of a name; raises OSError or ForbiddenAddress if there are none."""
        known = self._known.get(name)
        if known is None or known.until <= self._clock():
            task = self._asked.get(name)
            if task is None:
                task = self._asked[name] = asyncio.create_task(self._ask(name))
                task.add_done_callback(lambda _: self._asked.pop(name, None))
            # Whoever gives up waiting must not take the answer from the others.
            known = await asyncio.shield(task)
        if not known.addresses:
            raise OSError(f"{name} cannot be looked up.")
        allowed = tuple(filter(self._reach.allows, known.addresses))
        if not allowed:
            raise ForbiddenAddress(f"{name} is at no public address.")
        return allowed

    async def _ask(self, name: str) -> _Known:
        async with self._room:
            try:
                async with asyncio.timeout(self._patience):
                    found = tuple(await self._lookup(name))
            except (OSError, UnicodeError):  # a time-out is an OSError; odd names fail in IDNA
                found = ()
        lifetime = self._lifetime if found else self._failed_lifetime
        self._known.pop(name, None)
        while len(self._known) >= self._capacity:
            del self._known[next(iter(self._known))]  # the one asked longest ago
        known = self._known[name] = _Known(found, self._clock() + lifetime)
        return known

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """What aiohttp dials."""
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        results = []
        for address in await self.addresses(host):
            kind = socket.AF_INET6 if ":" in address else socket.AF_INET
            if family in (socket.AF_UNSPEC, kind):
                results.append(
                    ResolveResult(
                        hostname=host, host=address, port=port, family=kind, proto=0, flags=flags
                    )
                )
        return results

    async def close(self) -> None:
        """Give up the look-ups that are under way."""
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def connector(
    names: AbstractResolver, reach: AddressPolicy, **options: Any
) -> aiohttp.TCPConnector:
    """A connector that dials what `names` says and makes no socket to a forbidden address.

    Addresses in URLs are never looked up, so the socket is where all ways meet.
    """

    def guarded(info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = info
        if not reach.allows(address[0]):
            raise ForbiddenAddress(f"{address[0]} is not a public address.")
        return socket.socket(family, kind, protocol)

    return aiohttp.TCPConnector(
        resolver=names, use_dns_cache=False, socket_factory=guarded, **options
    )
