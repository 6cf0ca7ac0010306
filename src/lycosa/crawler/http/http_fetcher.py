"""The HTTP fetcher: one GET request in, one response or one named fault out.

`HttpFetcher` never raises for what a server does. It does not follow redirects.
Every limit is checked while the body is read, so no server decides how much
time or memory a request costs.
"""

from __future__ import annotations

import logging
import re
from base64 import b64encode
from datetime import UTC, datetime
from time import monotonic
from types import TracebackType
from typing import Self, cast

import aiohttp
from yarl import URL

from lycosa.archive.content_encoding import ACCEPTED, BrokenCoding, Decoder, decoder_for
from lycosa.crawler.http.addresses import AddressPolicy, Lookup, system_lookup
from lycosa.crawler.http.client_response import ClientResponse, ConnectionMonitor, fault_of
from lycosa.crawler.http.credentials import (
    Credentials,
    redacted_headers,
    redacted_response_headers,
)
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import Accept, ClientConfig, Fetcher, Limits
from lycosa.crawler.http.resolver import NameResolver, connector
from lycosa.crawler.http.response import Response
from lycosa.errors import UsageError
from lycosa.web.urls import canonical, host_of

_log = logging.getLogger("lycosa.crawler")

# A URL of this form is canonical: to normalise it again would cost a tenth of a
# request. Other spellings of addresses, user names and non-ASCII do not match.
_QUAD = r"[1-9]\d{0,2}(?:\.(?:0|[1-9]\d{0,2})){3}"
_PLAIN = re.compile(
    rf"https?://(?:(?:[a-z0-9_-]+\.)*[a-z][a-z0-9-]*|{_QUAD})(?::[1-5]?\d{{1,4}})?/[!\"$-~]*",
    re.ASCII,
)
MAX_EXEMPT_BYTES = 1 << 20
"""A decoded body up to this size is never taken for a decompression bomb."""
_DECODER_INPUT_BYTES = 4096  # fed to the decoder between two checks of the limits


class _Abort(Exception):
    """Abort reading the response, with a fault."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


class _Body:
    """The body received so far, checked against the limits."""

    __slots__ = ("decoded", "limits", "parts", "transferred", "used")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.parts: list[bytes] = []
        self.transferred = 0
        self.used = 0  # of the transferred bytes, those fed to the decoder
        self.decoded = 0

    def write(self, data: bytes) -> None:
        """Append decoded bytes; abort if a limit is exceeded."""
        self.decoded += len(data)
        swollen = self.decoded > self.limits.ratio * self.used
        if self.decoded > self.limits.decoded:
            raise _Abort(Fault.BOMB if swollen else Fault.TOO_LARGE)
        if swollen and self.decoded > MAX_EXEMPT_BYTES:
            raise _Abort(Fault.BOMB)
        self.parts.append(data)


class HttpFetcher(Fetcher):
    """Fetches pages over HTTP, many at a time, over connections that are kept alive.

        async with HttpFetcher(ClientConfig("you@example.org")) as fetcher:
            page = await fetcher.fetch("https://example.org/")

    `client` says how the crawler identifies itself, `limits` bound each request
    and `addresses` says which addresses may be connected to. `per_host` is the
    maximum number of connections to one host, `max_connections` that of all
    connections, and `lookup` turns names into addresses. `credentials` decide
    which request carries the headers and cookies of the client; without them,
    only those to hosts that the client names do.
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
    ) -> None:
        self.client = client
        self.credentials = Credentials(client) if credentials is None else credentials
        self.limits = limits
        self.addresses = addresses
        self._per_host = per_host
        self._max_connections = max_connections
        # The proxy is configured by the user: it may have any address.
        anywhere = AddressPolicy(allow_loopback=True, allow_private=True)
        self._dialled = anywhere if client.proxy else addresses
        self._proxy_headers = _proxy_headers(client.proxy)
        self.names = NameResolver(self._dialled, lookup, timeout=limits.connect)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        limits, client = self.limits, self.client
        self._session = aiohttp.ClientSession(
            connector=connector(
                self.names,
                self._dialled,
                limit=self._max_connections,
                limit_per_host=self._per_host,
                ssl=client.verify,
            ),
            headers={
                "User-Agent": client.user_agent,
                "Accept": "text/html,application/xhtml+xml,*/*;q=0.5",
                "Accept-Encoding": ACCEPTED,
            },
            timeout=aiohttp.ClientTimeout(
                total=limits.total, sock_connect=limits.connect, sock_read=limits.read
            ),
            cookie_jar=aiohttp.CookieJar() if client.cookies else aiohttp.DummyCookieJar(),
            auto_decompress=False,
            max_line_size=limits.head,
            max_field_size=limits.head,
            response_class=ClientResponse,
            # Without user and password in the URL no message of an exception can show them.
            proxy=URL(client.proxy).with_user(None) if client.proxy else None,
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
        if self._session is None:
            raise UsageError(
                "This fetcher is not open: fetch inside `async with HttpFetcher(...) as fetcher:`."
            )
        when, started = datetime.now(UTC), monotonic()
        address = url if _PLAIN.fullmatch(url) else canonical(url)
        if address is None:
            return Response(url, when, fault=Fault.BAD_URL)
        target = URL(address, encoded=True)
        if self.client.proxy and not self._literal_is_allowed(target.raw_host or ""):
            return Response(address, when, fault=Fault.PRIVATE_ADDRESS)
        credentials = self.credentials.credentials_for(address)
        reply: ClientResponse | None = None
        body = _Body(self.limits)
        fault: str | None = None
        try:
            headers = credentials | _conditions(etag, modified)
            tunnelled = self._proxy_headers if target.scheme == "https" else None
            if tunnelled is None:
                headers |= self._proxy_headers  # the proxy reads, and removes, them itself
            found = await self._session.get(
                target, headers=headers, allow_redirects=False, proxy_headers=tunnelled
            )
            reply = cast("ClientResponse", found)  # the session's response_class
            await self._read(reply, accept, body)
        except _Abort as abort:
            fault = abort.fault
        except BrokenCoding:
            _log.debug("The body of %s cannot be decoded", address, exc_info=True)
            fault = Fault.BROKEN_BODY
        except (aiohttp.ClientError, OSError) as error:
            fault = fault_of(error, reply.handler if reply is not None else None)
            _log.debug("Fetching %s failed: %s", address, fault, exc_info=True)
        finally:
            if reply is not None and not reply.closed:
                reply.release()  # closes the connection if part of the body is unread
        seconds = monotonic() - started
        if reply is None:
            return Response(address, when, fault=fault, seconds=seconds)
        return Response(
            address,
            when,
            0 if fault else reply.status,
            reply.line,
            redacted_response_headers(reply.raw_headers) if credentials else reply.raw_headers,
            b"" if fault else b"".join(body.parts),
            fault,
            reply.address,
            seconds,
            body.transferred,
            request=tuple(redacted_headers(reply.request_info.headers.items())),
        )

    async def address(self, url: str) -> str:
        """Return the address of a host; empty if a proxy resolves it, or if it has none."""
        if self.client.proxy:
            return ""
        name = host_of(url)
        if ":" in name or name.replace(".", "").isdecimal():
            return name
        try:
            return (await self.names.addresses(name))[0]
        except OSError:
            _log.debug("No address of %s", name, exc_info=True)
            return ""  # the request will have the fault

    def _literal_is_allowed(self, host: str) -> bool:
        is_address = ":" in host or host.replace(".", "").isdecimal()
        return not is_address or self.addresses.allows(host)

    async def _read(self, reply: ClientResponse, accept: Accept | None, body: _Body) -> None:
        limits, headers = self.limits, reply.headers
        if reply.status < 200 or sum(len(k) + len(v) for k, v in reply.raw_headers) > limits.head:
            raise _Abort(Fault.BAD_ANSWER)
        length = reply.content_length
        if accept is not None:
            fault = accept(reply.status, headers.get("Content-Type", ""), length)
            if fault is not None:
                raise _Abort(fault)
        if length is not None and length > limits.transferred:
            raise _Abort(Fault.TOO_LARGE)
        coding = headers.get("Content-Encoding")
        decoder = decoder_for(coding, body) if coding else None
        monitor = (
            ConnectionMonitor(reply) if length is None and not reply.content.is_eof() else None
        )
        try:
            await self._read_body(reply, decoder, body)
        finally:
            if monitor is not None:
                monitor.cancel()
        if decoder is not None:
            decoder.close()
        if length is None and reply.handler is not None:
            # A body of unknown length ends with the connection, or was cut off by an error.
            broken = reply.handler.exception()
            if isinstance(broken, OSError):
                raise broken

    async def _read_body(self, reply: ClientResponse, decoder: Decoder | None, body: _Body) -> None:
        limits, started = self.limits, monotonic()
        content = reply.content
        while not content.at_eof() and (piece := await content.readany()):
            body.transferred += len(piece)
            if body.transferred > limits.transferred:
                raise _Abort(Fault.TOO_LARGE)
            spent = monotonic() - started
            if spent > limits.grace and body.transferred < limits.rate * spent:
                raise _Abort(Fault.TOO_SLOW)
            if decoder is None:
                body.parts.append(piece)
                continue
            for at in range(0, len(piece), _DECODER_INPUT_BYTES):
                part = piece[at : at + _DECODER_INPUT_BYTES]
                body.used += len(part)
                decoder.write(part)


def _proxy_headers(proxy: str | None) -> dict[str, str]:
    """Return the header with the user name and password in the URL of a proxy."""
    url = URL(proxy or "")
    if not url.user:
        return {}
    pair = f"{url.user}:{url.password or ''}".encode()
    return {"Proxy-Authorization": f"Basic {b64encode(pair).decode()}"}


def _conditions(etag: str | None, modified: str | None) -> dict[str, str]:
    if not etag and not modified:
        return {}
    pairs = {"If-None-Match": etag, "If-Modified-Since": modified}
    # The values come from servers: one that cannot be a header is not sent.
    return {name: value for name, value in pairs.items() if value and value.isprintable()}
