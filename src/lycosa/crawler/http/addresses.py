"""SSRF protection: which addresses the crawler may connect to.

A page may link to `http://127.0.0.1/`, or to a name whose owner points it
there, to make a crawler talk to machines that only the crawler can reach. The
policy therefore applies to the address that is dialled, never to the name
(`lycosa.crawler.http.resolver` enforces it), so a name that resolves
differently the second time (DNS rebinding; Jackson et al. 2007) gains nothing.

>>> AddressPolicy().allows("93.184.215.14"), AddressPolicy().allows("169.254.169.254")
(True, False)
>>> AddressPolicy(allow_loopback=True).allows("::ffff:127.0.0.1")
True
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

Lookup: TypeAlias = Callable[[str], Awaitable[Sequence[str]]]
"""Returns the addresses of a name; raises OSError if it has none."""

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_PRIVATE = tuple(
    ip_network(n)
    for n in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
)


class ForbiddenAddress(OSError):
    """An address that must not be connected to."""


class UnknownHost(OSError):
    """A name without an address."""


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Which addresses may be connected to: public ones, and those allowed besides.

    Multicast, link-local, reserved and unspecified addresses are never allowed.
    """

    allow_loopback: bool = False
    """This machine: 127.0.0.0/8 and ::1."""
    allow_private: bool = False
    """Private and carrier networks: RFC 1918, RFC 6598, RFC 4193."""

    def allows(self, address: str) -> bool:
        """Return whether a connection to this address is allowed."""
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


def is_literal(host: str) -> bool:
    """Return whether the host of a canonical URL is an address, and not a name.

    >>> is_literal("127.0.0.1"), is_literal("::1"), is_literal("www.example.org")
    (True, True, False)
    """
    return ":" in host or host.replace(".", "").isdecimal()


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    if isinstance(ip, IPv4Address):
        return ip.is_global and not (ip.is_multicast or ip.is_reserved)
    # An address that a gateway translates to IPv4 is as public as the IPv4 address.
    if ip in _NAT64:
        return _is_public(IPv4Address(int(ip) & 0xFFFFFFFF))
    if ip.sixtofour:
        return _is_public(ip.sixtofour)
    # `is_global` is also true of ranges that were never allocated, or were returned.
    return ip in _GLOBAL_UNICAST and ip.is_global


async def system_lookup(name: str) -> list[str]:
    """Look a name up with the resolver of the operating system, in a thread."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    # A scope such as %eth0 occurs in link-local addresses only, which are never allowed.
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
