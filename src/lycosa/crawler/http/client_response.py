"""aiohttp's response with the server's address, and its exceptions translated into faults."""

from __future__ import annotations

import asyncio
import errno
import ssl

import aiohttp
from aiohttp import ClientConnectorError
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection

from lycosa.crawler.http.addresses import ForbiddenAddress
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import header_text

_CHECK_INTERVAL_SECONDS = 0.5


class ClientResponse(aiohttp.ClientResponse):
    """A response that keeps the address of its server after the connection is released."""

    address = ""
    handler: ResponseHandler | None = None
    """The protocol of its connection, which knows of a failure; None before `start`."""

    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        """Read status line and headers."""
        if connection.transport is not None:
            peer = connection.transport.get_extra_info("peername")
            self.address = peer[0] if peer else ""
        self.handler = connection.protocol
        return await super().start(connection)

    @property
    def line(self) -> str:
        """The status line, as sent."""
        version, reason = self.version, self.reason or ""
        if not reason.isascii():
            reason = header_text(reason.encode("utf-8", "surrogateescape"))
        number = f"{version.major}.{version.minor}" if version else "1.1"
        return f"HTTP/{number} {self.status} {reason}".rstrip()


class ConnectionMonitor:
    """Ends the reading of a body whose connection failed.

    After a broken chunk aiohttp closes the connection, but a pending read of
    the body never returns: the monitor sets an exception on it. `reply` is the
    response whose body is read.
    """

    def __init__(self, reply: ClientResponse) -> None:
        self._reply = reply
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(_CHECK_INTERVAL_SECONDS, self._check)

    def cancel(self) -> None:
        """Stop monitoring."""
        self._timer.cancel()

    def _check(self) -> None:
        content, handler = self._reply.content, self._reply.handler
        if handler is None or handler.exception() is None:
            self._timer = self._loop.call_later(_CHECK_INTERVAL_SECONDS, self._check)
        elif content.exception() is None and not content.is_eof():
            content.set_exception(aiohttp.ClientPayloadError())


def fault_of(error: Exception, handler: ResponseHandler | None) -> Fault:
    """Return the fault that an exception of aiohttp or the operating system means."""
    match error:
        case ssl.SSLError() | aiohttp.ClientSSLError():
            return Fault.TLS
        case aiohttp.ClientProxyConnectionError() | aiohttp.ClientHttpProxyError():
            return Fault.PROXY
        case ClientConnectorError(os_error=ForbiddenAddress()):
            return Fault.PRIVATE_ADDRESS
        case aiohttp.ClientConnectorDNSError():
            return Fault.DNS
        case ClientConnectorError(os_error=ConnectionRefusedError()):
            return Fault.REFUSED
        case ClientConnectorError(os_error=ConnectionResetError()):
            return Fault.RESET
        case ClientConnectorError():
            timeout = error.os_error.errno == errno.ETIMEDOUT
            return Fault.TIMEOUT_CONNECT if timeout else Fault.UNREACHABLE
        case aiohttp.ConnectionTimeoutError():
            return Fault.TIMEOUT_CONNECT
        case aiohttp.SocketTimeoutError():
            return Fault.TIMEOUT_READ
        case TimeoutError():
            return Fault.TIMEOUT_TOTAL
        case aiohttp.ClientResponseError():
            return Fault.BAD_ANSWER
        case aiohttp.InvalidURL() | aiohttp.NonHttpUrlClientError():
            return Fault.BAD_URL
        case aiohttp.ClientPayloadError():
            cut = handler is not None and isinstance(handler.exception(), OSError)
            return Fault.RESET if cut else Fault.BROKEN_BODY
    return Fault.RESET
