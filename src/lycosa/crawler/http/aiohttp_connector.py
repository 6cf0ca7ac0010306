"""A connector of aiohttp that resolves names as the fetcher does, and dials allowed addresses."""

from __future__ import annotations

import socket
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from lycosa.crawler.http.addresses import AddressPolicy, ForbiddenAddress
from lycosa.crawler.http.resolver import NameResolver


class AiohttpResolver(AbstractResolver):
    """A `NameResolver` as aiohttp calls one; `names` outlives it."""

    def __init__(self, names: NameResolver) -> None:
        self._names = names

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses for aiohttp to dial."""
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        results = []
        for address in await self._names.addresses(host):
            kind = socket.AF_INET6 if ":" in address else socket.AF_INET
            if family in (socket.AF_UNSPEC, kind):
                results.append(
                    ResolveResult(
                        hostname=host, host=address, port=port, family=kind, proto=0, flags=flags
                    )
                )
        return results

    async def close(self) -> None:
        """Do nothing: the owner of the resolver closes it."""


def connector(
    names: AbstractResolver, policy: AddressPolicy, **options: Any
) -> aiohttp.TCPConnector:
    """Return a connector that resolves by `names` and opens no socket to a forbidden address.

    An address that stands in a URL is never looked up, so the check at the socket
    covers every path.
    """

    def open_socket(info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = info
        if not policy.allows(address[0]):
            raise ForbiddenAddress(f"{address[0]} is not an allowed address.")
        return socket.socket(family, kind, protocol)

    return aiohttp.TCPConnector(
        resolver=names, use_dns_cache=False, socket_factory=open_socket, **options
    )
