"""Name resolution that enforces the address policy.

`NameResolver` removes forbidden addresses from every lookup. What opens sockets checks
the address once more, wherever it came from.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from lycosa.crawler.http.addresses import (
    AddressPolicy,
    ForbiddenAddress,
    Lookup,
    UnknownHost,
    system_lookup,
)

_log = logging.getLogger("lycosa.crawler")


@dataclass(frozen=True, slots=True)
class _CachedName:
    """The addresses of a name, those of them that are allowed, and until when they are valid."""

    addresses: tuple[str, ...]
    allowed: tuple[str, ...]
    until: float


class NameResolver:
    """A caching resolver that returns allowed addresses only.

    Concurrent requests for one name share one lookup.

    `policy` says which addresses are allowed and `lookup` asks the operating
    system unless another function is given. A result is cached for `lifetime`
    seconds, a failure for `failed_lifetime`. A lookup may take `timeout`
    seconds, `max_lookups` run at a time, and `capacity` names are cached. `clock`
    returns seconds.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        lookup: Lookup = system_lookup,
        *,
        lifetime: float = 300.0,
        failed_lifetime: float = 30.0,
        timeout: float = 10.0,
        capacity: int = 10_000,
        max_lookups: int = 16,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._policy = policy
        self._lookup = lookup
        self._lifetime = lifetime
        self._failed_lifetime = failed_lifetime
        self._timeout = timeout
        self._capacity = capacity
        self._clock = clock
        self._slots = asyncio.Semaphore(max_lookups)
        self._cache: dict[str, _CachedName] = {}
        self._lookups: dict[str, asyncio.Task[_CachedName]] = {}

    def __len__(self) -> int:
        return len(self._cache)

    async def addresses(self, name: str) -> tuple[str, ...]:
        """Return the allowed addresses of a name.

        Raises UnknownHost if it has none at all, ForbiddenAddress if none is allowed.
        """
        known = self._cache.get(name)
        if known is None or known.until <= self._clock():
            task = self._lookups.get(name)
            if task is None:
                task = self._lookups[name] = asyncio.create_task(self._look_up(name))
                task.add_done_callback(lambda _: self._lookups.pop(name, None))
            # A request that is cancelled must not cancel the lookup that others wait for.
            known = await asyncio.shield(task)
        if not known.addresses:
            raise UnknownHost(f"{name} has no address.")
        if not known.allowed:
            raise ForbiddenAddress(f"{name} has no allowed address.")
        return known.allowed

    def known(self, name: str) -> str | None:
        """Return the first allowed address of a name that is in the cache; empty without any.

        None if the name must be looked up.
        """
        known = self._cache.get(name)
        if known is None or known.until <= self._clock():
            return None
        return known.allowed[0] if known.allowed else ""

    async def _look_up(self, name: str) -> _CachedName:
        async with self._slots:
            try:
                async with asyncio.timeout(self._timeout):
                    found = tuple(await self._lookup(name))
            except (OSError, UnicodeError):  # a timeout is an OSError; odd names fail in IDNA
                _log.debug("The lookup of %s failed", name, exc_info=True)
                found = ()
        lifetime = self._lifetime if found else self._failed_lifetime
        self._cache.pop(name, None)
        while len(self._cache) >= self._capacity:
            del self._cache[next(iter(self._cache))]  # the oldest
        allowed = tuple(filter(self._policy.allows, found))
        known = self._cache[name] = _CachedName(found, allowed, self._clock() + lifetime)
        return known

    async def close(self) -> None:
        """Cancel the lookups in flight."""
        tasks = list(self._lookups.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
