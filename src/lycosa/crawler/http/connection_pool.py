"""The connections of a fetcher: opened to allowed addresses only, kept alive, and limited.

A request has a slot at its origin and one in all. Connections that are idle for
`KEEP_ALIVE_SECONDS` are closed. One timer looks after all of them and after the limits
of time of all requests, so that a request costs no timers of its own.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections import deque
from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

from lycosa.crawler.http.addresses import AddressPolicy, ForbiddenAddress, is_literal
from lycosa.crawler.http.connection import Connection
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import Limits
from lycosa.crawler.http.resolver import NameResolver

KEEP_ALIVE_SECONDS = 15.0
"""Seconds after which an idle connection is closed."""
NEXT_ADDRESS_SECONDS = 0.25
"""Seconds after which another address of a host is tried beside the first (RFC 8305)."""
_MAX_SWEEP_SECONDS = 1.0
_SWEEPS_PER_LIMIT = 10  # of the shortest limit of time


class Origin(NamedTuple):
    """What a connection leads to."""

    scheme: str
    host: str
    """A name, or an address without brackets."""
    port: int


class _Slots:
    """The connections and the waiting requests of an origin."""

    __slots__ = ("idle", "in_use", "waiters")

    def __init__(self) -> None:
        self.idle: list[Connection] = []
        self.in_use = 0
        self.waiters: deque[asyncio.Future[None]] = deque()


class ConnectionPool:
    """Opens connections and keeps them for later requests.

    Parameters
    ----------
    names
        Resolves the names of hosts.
    policy
        Says which addresses may be connected to, whatever a name resolves to.
    limits
        Has the limits of time.
    per_origin, in_all
        Maximum connections in use.
    verify
        Whether TLS certificates must be valid.
    """

    def __init__(
        self,
        names: NameResolver,
        policy: AddressPolicy,
        limits: Limits,
        *,
        per_origin: int,
        in_all: int,
        verify: bool,
    ) -> None:
        self._names = names
        self._policy = policy
        self._limits = limits
        self._per_origin = per_origin
        self._in_all = in_all
        self._verify = verify
        self._tls: ssl.SSLContext | None = None
        self._origins: dict[Origin, _Slots] = {}
        self._in_use = 0
        self._waiting = 0
        self._idle: dict[Connection, Origin] = {}  # the one that is idle for longest is first
        self._active: dict[Connection, float] = {}  # and when the request must have ended
        self._sweeper: asyncio.TimerHandle | None = None
        shortest = min(limits.read, limits.total) / _SWEEPS_PER_LIMIT
        self._interval = min(shortest, _MAX_SWEEP_SECONDS)

    def close(self) -> None:
        """Close all connections."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for connection in list(self._active):
            connection.fail(Fault.RESET)
        for connection in self._idle:
            connection.close()
        self._idle.clear()
        self._origins.clear()

    def take_idle(self, origin: Origin) -> Connection | None:
        """Return an idle connection, with its slots; None if there is none, or no slot."""
        slots = self._origins.get(origin)
        if slots is None or self._in_use >= self._in_all or slots.in_use >= self._per_origin:
            return None
        while slots.idle:
            connection = slots.idle.pop()
            del self._idle[connection]
            if connection.is_open:
                slots.in_use += 1
                self._in_use += 1
                return connection
        return None

    async def open(self, origin: Origin, *, reuse: bool = True) -> Connection:
        """Wait for a slot; return a connection, a new one unless an idle one may be reused."""
        slots = self._origins.get(origin)
        if slots is None:
            slots = self._origins[origin] = _Slots()
        while self._in_use >= self._in_all or slots.in_use >= self._per_origin:
            waiter = asyncio.get_running_loop().create_future()
            slots.waiters.append(waiter)
            self._waiting += 1
            try:
                await waiter
            except asyncio.CancelledError:
                if not waiter.cancelled():
                    self._wake(slots)  # the slot is for another request
                raise
            finally:
                self._waiting -= 1
        if reuse and (connection := self.take_idle(origin)) is not None:
            return connection
        slots.in_use += 1
        self._in_use += 1
        try:
            if self._idle and len(self._idle) + self._in_use > self._in_all:
                self._close_idle(next(iter(self._idle)))
            return await self._connect(origin)
        except BaseException:
            self._free(origin, slots)
            raise

    def release(self, origin: Origin, connection: Connection, *, keep: bool) -> None:
        """Free the slots of a connection; `keep` it for another request, or close it."""
        slots = self._origins.get(origin)
        if slots is None:  # the pool is closed
            connection.close()
            return
        if keep and connection.is_open:
            connection.last_byte = monotonic()
            slots.idle.append(connection)
            self._idle[connection] = origin
        else:
            connection.close()
        self._free(origin, slots)

    def watch(self, connection: Connection, deadline: float) -> None:
        """Apply the limits of time to a connection that has sent a request."""
        self._active[connection] = deadline
        if self._sweeper is None:
            loop = asyncio.get_running_loop()
            self._sweeper = loop.call_later(self._interval, self._sweep)

    def unwatch(self, connection: Connection) -> None:
        """End what `watch` has begun."""
        self._active.pop(connection, None)

    def _free(self, origin: Origin, slots: _Slots) -> None:
        slots.in_use -= 1
        self._in_use -= 1
        if self._waiting:
            self._wake(slots)
        self._forget(origin, slots)

    def _wake(self, first: _Slots) -> None:
        """Wake a request that waits for a slot, if possible at this origin."""
        for slots in (first, *self._origins.values()):
            while slots.waiters and slots.in_use < self._per_origin:
                waiter = slots.waiters.popleft()
                if not waiter.done():
                    waiter.set_result(None)
                    return

    def _forget(self, origin: Origin, slots: _Slots) -> None:
        """Remove an origin that nothing uses."""
        if not slots.in_use and not slots.idle and not slots.waiters:
            self._origins.pop(origin, None)

    def _close_idle(self, connection: Connection) -> None:
        origin = self._idle.pop(connection)
        connection.close()
        slots = self._origins[origin]
        slots.idle.remove(connection)
        self._forget(origin, slots)

    def _sweep(self) -> None:
        """End requests that exceed a limit of time, and close what is idle for long."""
        now = monotonic()
        silent = now - self._limits.read
        for connection, deadline in list(self._active.items()):
            if now >= deadline:
                connection.fail(Fault.TIMEOUT_TOTAL)
            elif connection.last_byte <= silent:
                connection.fail(Fault.TIMEOUT_READ)
        for connection in list(self._idle):
            if connection.last_byte < now - KEEP_ALIVE_SECONDS or not connection.is_open:
                self._close_idle(connection)
        self._sweeper = None
        if self._active or self._idle:
            loop = asyncio.get_running_loop()
            self._sweeper = loop.call_later(self._interval, self._sweep)

    async def _connect(self, origin: Origin) -> Connection:
        scheme, host, port = origin
        addresses = (host,) if is_literal(host) else await self._names.addresses(host)
        sock = await self._dial(addresses, port)
        loop = asyncio.get_running_loop()
        secure = scheme == "https"
        try:
            _, connection = await loop.create_connection(
                Connection,
                sock=sock,
                ssl=self._tls_context() if secure else None,
                server_hostname=host.rstrip(".") if secure else None,
                ssl_handshake_timeout=self._limits.connect if secure else None,
            )
        except BaseException:
            sock.close()
            raise
        return connection

    def _tls_context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = ssl.create_default_context()
            if not self._verify:
                self._tls.check_hostname = False
                self._tls.verify_mode = ssl.CERT_NONE
            self._tls.set_alpn_protocols(["http/1.1"])
        return self._tls

    async def _dial(self, addresses: Sequence[str], port: int) -> socket.socket:
        """Return a socket that is connected to one of the addresses (RFC 8305)."""
        if len(addresses) == 1:
            return await self._dial_one(addresses[0], port)
        dialling: set[asyncio.Task[socket.socket]] = set()
        error: BaseException | None = None
        rest = list(addresses)
        try:
            while rest or dialling:
                if rest:
                    dialling.add(asyncio.create_task(self._dial_one(rest.pop(0), port)))
                done, dialling = await asyncio.wait(
                    dialling,
                    timeout=NEXT_ADDRESS_SECONDS if rest else None,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                connected = [task.result() for task in done if task.exception() is None]
                for other in connected[1:]:
                    other.close()
                if connected:
                    return connected[0]
                error = next((task.exception() for task in done), error)
        finally:
            for task in dialling:
                task.cancel()
            for late in await asyncio.gather(*dialling, return_exceptions=True):
                if isinstance(late, socket.socket):
                    late.close()
        raise error or OSError("There is no address.")

    async def _dial_one(self, address: str, port: int) -> socket.socket:
        if not self._policy.allows(address):
            raise ForbiddenAddress(f"{address} is not an allowed address.")
        sock = socket.socket(
            socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM
        )
        try:
            sock.setblocking(False)
            async with asyncio.timeout(self._limits.connect):
                await asyncio.get_running_loop().sock_connect(sock, (address, port))
        except BaseException:
            sock.close()
            raise
        return sock
