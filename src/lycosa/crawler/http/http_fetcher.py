"""The HTTP fetcher: one GET request in, one response or one named fault out.

`HttpFetcher` never raises for what a server does. It does not follow redirects.
Every limit is checked while the body is read, so no server decides how much
time or memory a request costs.

Requests go over connections of its own (`lycosa.crawler.http.connection_pool`), in less
than a third of the CPU time that they take by aiohttp; with a proxy, or with the cookies
that hosts set, they go by aiohttp.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import re
import ssl
from collections.abc import Mapping
from datetime import UTC, datetime
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from lycosa.archive.content_encoding import ACCEPTED
from lycosa.crawler.http.addresses import (
    AddressPolicy,
    ForbiddenAddress,
    Lookup,
    UnknownHost,
    is_literal,
    system_lookup,
)
from lycosa.crawler.http.connection import Connection
from lycosa.crawler.http.connection_pool import ConnectionPool, Origin
from lycosa.crawler.http.credentials import (
    Credentials,
    redacted_headers,
    redacted_response_headers,
)
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import (
    Accept,
    ClientConfig,
    Fetcher,
    Limits,
    SendCheck,
    allow_sending,
)
from lycosa.crawler.http.resolver import NameResolver
from lycosa.crawler.http.response import Response
from lycosa.crawler.http.response_parser import ResponseParser
from lycosa.errors import UsageError
from lycosa.web.urls import canonical, host_of

if TYPE_CHECKING:
    from lycosa.crawler.http.client_session import ClientSession

_log = logging.getLogger("lycosa.crawler")

# A URL of this form is canonical: to normalise it again would cost a tenth of a
# request. Other spellings of addresses, user names and non-ASCII do not match.
_QUAD = r"[1-9]\d{0,2}(?:\.(?:0|[1-9]\d{0,2})){3}"
_PLAIN = re.compile(
    rf"https?://(?:(?:[a-z0-9_-]+\.)*[a-z][a-z0-9-]*|{_QUAD})(?::[1-5]?\d{{1,4}})?/[!\"$-~]*",
    re.ASCII,
)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_SCHEME_CHARACTERS = len("https://")
_MAX_SITES = 10_000  # whose request headers are kept


class _Site(NamedTuple):
    """What all requests to one site have in common."""

    origin: Origin
    headers: tuple[tuple[str, str], ...]
    head: bytes
    """The headers as they are sent."""
    is_literal: bool
    """Whether its host is an address."""


class HttpFetcher(Fetcher):
    """Fetches pages over HTTP, many at a time, over connections that are kept alive.

        async with HttpFetcher(ClientConfig("you@example.org")) as fetcher:
            page = await fetcher.fetch("https://example.org/")

    `client` says how the crawler identifies itself, `limits` bound each request
    and `addresses` says which addresses may be connected to. `per_host` is the
    maximum number of connections to one host, `max_connections` that of all
    connections, and `lookup` turns names into addresses. `credentials` decide
    which request carries the headers and cookies of the client; without them,
    only those to hosts that the client names do. `before_send` can stop each
    request at the last moment.
    """

    def __init__(
        self,
        client: ClientConfig,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        addresses: AddressPolicy = AddressPolicy(),  # noqa: B008
        *,
        per_host: int = 2,
        max_connections: int = 256,
        lookup: Lookup = system_lookup,
        credentials: Credentials | None = None,
        before_send: SendCheck = allow_sending,
    ) -> None:
        self.client = client
        self.credentials = Credentials(client) if credentials is None else credentials
        self.limits = limits
        self.addresses = addresses
        self._per_host = per_host
        self._max_connections = max_connections
        self._before_send = before_send
        # The proxy is configured by the user: it may have any address.
        anywhere = AddressPolicy(allow_loopback=True, allow_private=True)
        self._dialled = anywhere if client.proxy else addresses
        self.names = NameResolver(self._dialled, lookup, timeout=limits.connect)
        self._headers = {
            "User-Agent": client.user_agent,
            "Accept": "text/html,application/xhtml+xml,*/*;q=0.5",
            "Accept-Encoding": ACCEPTED,
        }
        self._sites: dict[str, _Site] = {}
        self._pool: ConnectionPool | None = None
        self._session: ClientSession | None = None

    async def __aenter__(self) -> Self:
        limits, client = self.limits, self.client
        if client.proxy or client.cookies:
            from lycosa.crawler.http.client_session import ClientSession

            self._session = ClientSession(
                client,
                limits,
                self.names,
                self._dialled,
                self._headers,
                per_host=self._per_host,
                max_connections=self._max_connections,
                before_send=self._before_send,
            )
        else:
            self._pool = ConnectionPool(
                self.names,
                self.addresses,
                limits,
                per_origin=self._per_host,
                in_all=self._max_connections,
                verify=client.verify,
            )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None
        if self._pool is not None:
            self._pool.close()
            self._pool = None
        await self.names.close()

    async def fetch(
        self,
        url: str,
        *,
        accept: Accept | None = None,
        etag: str | None = None,
        modified: str | None = None,
    ) -> Response:
        """Return the server's response to one GET request, or a response with a fault."""
        pool, session = self._pool, self._session
        if pool is None and session is None:
            raise UsageError(
                "This fetcher is not open: fetch inside `async with HttpFetcher(...) as fetcher:`."
            )
        when = datetime.now(UTC)
        address = url if _PLAIN.fullmatch(url) else canonical(url)
        if address is None:
            return Response(url, when, fault=Fault.BAD_URL)
        credentials = self.credentials.credentials_for(address)
        conditions = _conditions(etag, modified) if etag or modified else {}
        if session is not None:
            if self.client.proxy and not self._literal_is_allowed(host_of(address)):
                return Response(address, when, fault=Fault.PRIVATE_ADDRESS)
            return await session.get(address, when, credentials, conditions, accept)
        assert pool is not None  # noqa: S101 - one of them is open
        return await self._get(pool, address, when, credentials, conditions, accept)

    async def _get(
        self,
        pool: ConnectionPool,
        address: str,
        when: datetime,
        credentials: Mapping[str, str],
        conditions: Mapping[str, str],
        accept: Accept | None,
    ) -> Response:
        started = monotonic()
        deadline = started + self.limits.total
        root = address.find("/", _SCHEME_CHARACTERS)
        site = self._sites.get(address[: root + 1])
        if site is None:
            site = self._site(*address[:root].split("://"))
        added = {**credentials, **conditions} if credentials or conditions else {}
        request = f"GET {address[root:]} HTTP/1.1\r\n".encode() + site.head + _lines(added)
        connection, reuse = pool.take_idle(site.origin), True
        while True:
            if connection is None:
                opened = await self._open(pool, site.origin, deadline, reuse=reuse)
                if isinstance(opened, Fault):
                    return Response(address, when, fault=opened, seconds=monotonic() - started)
                connection = opened
            was_idle = connection.has_answered
            parser = ResponseParser(self.limits, accept)
            fault = await self._exchange(pool, site.origin, connection, request, parser, deadline)
            if not was_idle or connection.has_answered or fault != Fault.RESET:
                break
            # The server closed the idle connection before it saw the request.
            connection, reuse = None, False
        headers = parser.headers
        return Response(
            address,
            when,
            0 if fault else parser.status,
            parser.line,
            redacted_response_headers(headers) if credentials else headers,
            b"" if fault else parser.content,
            fault,
            connection.address,
            monotonic() - started,
            parser.transferred,
            request=(*site.headers, *redacted_headers(added.items())) if added else site.headers,
        )

    async def _open(
        self, pool: ConnectionPool, origin: Origin, deadline: float, *, reuse: bool
    ) -> Connection | Fault:
        """Return a connection to an origin, or why there is none."""
        total = asyncio.timeout(deadline - monotonic())
        try:
            async with total:
                return await pool.open(origin, reuse=reuse)
        except OSError as error:
            fault = Fault.TIMEOUT_TOTAL if total.expired() else _connection_fault(error)
            _log.debug("Connecting to %s failed: %s", origin.host, fault, exc_info=True)
            return fault

    async def _exchange(
        self,
        pool: ConnectionPool,
        origin: Origin,
        connection: Connection,
        request: bytes,
        parser: ResponseParser,
        deadline: float,
    ) -> str | None:
        """Send a request and wait for its response; return its fault, None if there is none."""
        waiter: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        keep = False
        try:
            self._before_send()
            connection.send(request, parser, waiter)
            pool.watch(connection, deadline)
            fault = await waiter
            keep = fault is None and parser.keep_alive
            return fault
        finally:
            pool.unwatch(connection)
            pool.release(origin, connection, keep=keep)

    def _site(self, scheme: str, authority: str) -> _Site:
        host, _, port = authority.rpartition(":") if _has_port(authority) else (authority, "", "")
        origin = Origin(scheme, host.strip("[]"), int(port) if port else _DEFAULT_PORTS[scheme])
        headers = (("Host", authority), *self._headers.items())
        head = "".join(f"{name}: {value}\r\n" for name, value in headers).encode()
        if len(self._sites) >= _MAX_SITES:
            self._sites.clear()
        site = _Site(origin, tuple(redacted_headers(headers)), head, is_literal(origin.host))
        self._sites[f"{scheme}://{authority}/"] = site
        return site

    def known_address(self, url: str) -> str | None:
        """Return the address of a host, as `address` does, if that takes no look-up."""
        if self.client.proxy:
            return ""
        site = self._sites.get(url[: url.find("/", _SCHEME_CHARACTERS) + 1])
        if site is None:
            return None
        return site.origin.host if site.is_literal else self.names.known(site.origin.host)

    async def address(self, url: str) -> str:
        """Return the address of a host; empty if a proxy resolves it, or if it has none."""
        if self.client.proxy:
            return ""
        name = host_of(url)
        if is_literal(name):
            return name
        try:
            return (await self.names.addresses(name))[0]
        except OSError:
            _log.debug("No address of %s", name, exc_info=True)
            return ""  # the request will have the fault

    def _literal_is_allowed(self, host: str) -> bool:
        return not is_literal(host) or self.addresses.allows(host)


def _has_port(authority: str) -> bool:
    return ":" in authority and not authority.endswith("]")


def _lines(headers: Mapping[str, str]) -> bytes:
    """Return the last lines of a request."""
    if not headers:
        return b"\r\n"
    return "".join([*(f"{name}: {value}\r\n" for name, value in headers.items()), "\r\n"]).encode()


def _connection_fault(error: OSError) -> Fault:
    """Return the fault of a connection that could not be opened."""
    match error:
        case ForbiddenAddress():
            return Fault.PRIVATE_ADDRESS
        case UnknownHost():
            return Fault.DNS
        case ssl.SSLError() | ssl.CertificateError():
            return Fault.TLS
        case ConnectionRefusedError():
            return Fault.REFUSED
        case ConnectionResetError():
            return Fault.RESET
        case TimeoutError() | ConnectionAbortedError():  # the latter by a slow TLS handshake
            return Fault.TIMEOUT_CONNECT
    return Fault.TIMEOUT_CONNECT if error.errno == errno.ETIMEDOUT else Fault.UNREACHABLE


def _conditions(etag: str | None, modified: str | None) -> dict[str, str]:
    pairs = {"If-None-Match": etag, "If-Modified-Since": modified}
    # The values come from servers: one that cannot be a header is not sent.
    return {name: value for name, value in pairs.items() if value and value.isprintable()}
