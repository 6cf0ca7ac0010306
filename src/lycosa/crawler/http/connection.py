"""A connection to a server: one request at a time, its response parsed as it arrives."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import cast

from lycosa.archive.content_encoding import BrokenCoding
from lycosa.crawler.http.body import AbortedResponse
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response_parser import ResponseParser

_log = logging.getLogger("lycosa.crawler")


class Connection(asyncio.Protocol):
    """A connection that is kept alive between requests.

    The parser of a request is complete, or the connection is closed, when the future
    that `send` returned has its result: None, or a fault.
    """

    def __init__(self) -> None:
        self.address = ""
        """The IP address of the server."""
        self.is_open = False
        self.last_byte = monotonic()
        """When something was sent or received last."""
        self.has_answered = False
        """Whether anything was received since the last request was sent."""
        self._parser: ResponseParser | None = None
        self._waiter: asyncio.Future[str | None] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note the address of the server."""
        self._transport = cast("asyncio.Transport", transport)
        self.is_open = True
        peer = transport.get_extra_info("peername")
        self.address = peer[0] if peer else ""

    def send(
        self, request: bytes, parser: ResponseParser, waiter: asyncio.Future[str | None]
    ) -> None:
        """Send a request whose response goes to a parser; `waiter` gets None or a fault."""
        assert self._transport is not None  # noqa: S101 - a pool has connected ones only
        self._parser, self._waiter = parser, waiter
        self.has_answered = False
        self.last_byte = monotonic()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Parse what has arrived."""
        parser = self._parser
        if parser is None:
            self.close()  # nothing was asked: it would be taken for the next response
            return
        self.has_answered = True
        self.last_byte = monotonic()
        try:
            if parser.feed(data):
                self._end(None)
        except AbortedResponse as abort:
            self.fail(abort.fault)
        except BrokenCoding:
            _log.debug("A body cannot be decoded", exc_info=True)
            self.fail(Fault.BROKEN_BODY)

    def connection_lost(self, error: Exception | None) -> None:
        """End the response, if it may end with the connection."""
        self.is_open = False
        self._transport = None
        parser = self._parser
        if parser is None:
            return
        if error is not None:
            _log.debug("A connection was lost: %s", error)
            self.fail(Fault.RESET)
            return
        try:
            parser.feed_eof()
        except AbortedResponse as abort:
            self.fail(abort.fault)
        except BrokenCoding:
            _log.debug("A body cannot be decoded", exc_info=True)
            self.fail(Fault.BROKEN_BODY)
        else:
            self._end(None)

    def fail(self, fault: str) -> None:
        """End the request with a fault, and close the connection."""
        self._end(fault)
        self.close()

    def close(self) -> None:
        """Close the connection at once; what is being received is discarded."""
        self.is_open = False
        self._parser = self._waiter = None
        if self._transport is not None:
            self._transport.abort()
            self._transport = None

    def _end(self, fault: str | None) -> None:
        waiter, self._parser, self._waiter = self._waiter, None, None
        if waiter is not None and not waiter.done():
            waiter.set_result(fault)
