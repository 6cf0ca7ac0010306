"""Requests by aiohttp: through a proxy, or with the cookies that hosts set."""

from __future__ import annotations

import asyncio
import logging
from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from time import monotonic
from typing import Any, cast

import aiohttp
from aiohttp.connector import Connection
from yarl import URL

from lycosa.archive.content_encoding import BrokenCoding
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.aiohttp_connector import AiohttpResolver, connector
from lycosa.crawler.http.body import AbortedResponse, Body
from lycosa.crawler.http.client_response import ClientResponse, ConnectionMonitor, fault_of
from lycosa.crawler.http.credentials import redacted_headers, redacted_response_headers
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import Accept, ClientConfig, Limits, SendCheck, allow_sending
from lycosa.crawler.http.resolver import NameResolver
from lycosa.crawler.http.response import Response

_log = logging.getLogger("lycosa.crawler")


class ClientSession:
    """A session of aiohttp, within the limits of a fetcher.

    Parameters
    ----------
    client
        Says how the crawler identifies itself, and has the proxy.
    limits
        Bound each request.
    names, policy
        Resolve names, and say which addresses may be connected to.
    headers
        Those of every request.
    per_host, max_connections
        Maximum connections to one host, and in all.
    before_send
        Can stop each request at the last moment.
    """

    def __init__(
        self,
        client: ClientConfig,
        limits: Limits,
        names: NameResolver,
        policy: AddressPolicy,
        headers: Mapping[str, str],
        *,
        per_host: int,
        max_connections: int,
        before_send: SendCheck = allow_sending,
    ) -> None:
        self._limits = limits
        self._proxy_headers = _proxy_headers(client.proxy)
        self._session = aiohttp.ClientSession(
            connector=connector(
                AiohttpResolver(names),
                policy,
                limit=max_connections,
                limit_per_host=per_host,
                ssl=client.verify,
            ),
            headers=headers,
            timeout=aiohttp.ClientTimeout(
                total=limits.total, sock_connect=limits.connect, sock_read=limits.read
            ),
            cookie_jar=aiohttp.CookieJar() if client.cookies else aiohttp.DummyCookieJar(),
            auto_decompress=False,
            max_line_size=limits.head,
            max_field_size=limits.head,
            response_class=ClientResponse,
            request_class=_request_class(before_send),
            # Without user and password in the URL no message of an exception can show them.
            proxy=URL(client.proxy).with_user(None) if client.proxy else None,
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def get(
        self,
        address: str,
        when: datetime,
        credentials: Mapping[str, str],
        conditions: Mapping[str, str],
        accept: Accept | None,
    ) -> Response:
        """Return the response to one GET request for a canonical URL, or one with a fault.

        `credentials` and `conditions` are further headers; of a response to a request with
        credentials no cookies are kept.
        """
        started, target = monotonic(), URL(address, encoded=True)
        reply: ClientResponse | None = None
        body = Body(self._limits)
        content = b""
        fault: str | None = None
        try:
            headers = {**credentials, **conditions}
            tunnelled = self._proxy_headers if target.scheme == "https" else None
            if tunnelled is None:
                headers |= self._proxy_headers  # the proxy reads, and removes, them itself
            found = await self._session.get(
                target, headers=headers, allow_redirects=False, proxy_headers=tunnelled
            )
            reply = cast("ClientResponse", found)  # the session's response_class
            body = Body(self._limits)
            await self._read(reply, accept, body)
            content = body.end()
        except AbortedResponse as abort:
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
            b"" if fault else content,
            fault,
            reply.address,
            seconds,
            body.transferred,
            request=tuple(redacted_headers(reply.request_info.headers.items())),
        )

    async def _read(self, reply: ClientResponse, accept: Accept | None, body: Body) -> None:
        limits, headers = self._limits, reply.headers
        if reply.status < 200 or sum(len(k) + len(v) for k, v in reply.raw_headers) > limits.head:
            raise AbortedResponse(Fault.BAD_ANSWER)
        length = reply.content_length
        if accept is not None:
            fault = accept(reply.status, headers.get("Content-Type", ""), length)
            if fault is not None:
                raise AbortedResponse(fault)
        if length is not None and length > limits.transferred:
            raise AbortedResponse(Fault.TOO_LARGE)
        if coding := headers.get("Content-Encoding"):
            body.decode(coding)
        stream = reply.content
        monitor = ConnectionMonitor(reply) if length is None and not stream.is_eof() else None
        try:
            while not stream.at_eof() and (piece := await stream.readany()):
                body.receive(piece)
        finally:
            if monitor is not None:
                monitor.cancel()
        if length is None and reply.handler is not None:
            # A body of unknown length ends with the connection, or was cut off by an error.
            broken = reply.handler.exception()
            if isinstance(broken, OSError):
                raise broken


class _CheckedTransport:
    """A transport that calls a function right before it writes.

    The traces of aiohttp are called before it serialises the headers, which is ten times as long
    before the bytes leave.
    """

    def __init__(self, transport: asyncio.Transport, before_send: SendCheck) -> None:
        self._transport = transport
        self._before_send = before_send

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Write the head of a request: one without a body is written in one piece."""
        self._before_send()
        self._transport.write(data)


def _request_class(before_send: SendCheck) -> type[aiohttp.ClientRequest]:
    """Return the class of requests that are checked after aiohttp has connected."""
    if before_send is allow_sending:
        return aiohttp.ClientRequest

    class CheckedRequest(aiohttp.ClientRequest):
        """A request that `before_send` can stop."""

        async def send(self, conn: Connection) -> aiohttp.ClientResponse:
            """Write the request."""
            protocol = conn.protocol
            transport = None if protocol is None else protocol.transport
            if protocol is None or transport is None or protocol.writing_paused:
                before_send()  # aiohttp writes it later, or finds the connection closed
                return await super().send(conn)
            protocol.transport = cast(
                "asyncio.Transport", _CheckedTransport(transport, before_send)
            )
            try:
                return await super().send(conn)
            finally:
                if protocol.transport is not None:  # else it was closed
                    protocol.transport = transport

    return CheckedRequest


def _proxy_headers(proxy: str | None) -> dict[str, str]:
    """Return the header with the user name and password in the URL of a proxy."""
    url = URL(proxy or "")
    if not url.user:
        return {}
    pair = f"{url.user}:{url.password or ''}".encode()
    return {"Proxy-Authorization": f"Basic {b64encode(pair).decode()}"}
