"""Limits of connections: deadlines for slow clients, and a share for every address.

uvicorn waits for a request as long as its client likes, and for a reader that does
not read. A few hundred such sockets use up all connections of a server (the Slowloris
attack). Here a request must arrive in time, a response must be taken in time, a client
has a limited number of connections, and when all are used, one that waits for a
request gives way to a new one: the oldest of the client that has the most.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from uvicorn.protocols.http.h11_impl import H11Protocol

from lycosa.portal.web.rate_limit import client_network

MAX_CONNECTIONS = 400
"""Connections of a process; with more in use, a request gets a 503: the others stay fast."""
MAX_CLIENT_CONNECTIONS = 100
"""Connections of one address in a process; many readers may share the address of their network."""
REQUEST_SECONDS = 20.0
"""For a whole request to arrive, from the connection or its first byte."""
READING_SECONDS = 30.0
"""For the client to read what fills the buffer of its connection."""
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: 53\r\nRetry-After: 10\r\nConnection: close\r\n\r\n"
    b"This address has too many connections to the portal.\n"
)

_log = logging.getLogger("lycosa.portal")


class Connection(Protocol):
    """What the table needs of a connection."""

    @property
    def is_idle(self) -> bool:
        """Whether no request of it is being answered."""

    def abort(self) -> None:
        """Close it at once."""


class ConnectionTable:
    """The open connections of a process, by client.

    Parameters
    ----------
    total
        Connections that may be open before idle ones are closed.
    each
        Connections that one client may have.
    """

    def __init__(self, total: int = MAX_CONNECTIONS, each: int = MAX_CLIENT_CONNECTIONS) -> None:
        self._total = total
        self._each = each
        self._open: dict[str, dict[Connection, None]] = {}  # in the order they were opened
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def admit(self, client: str, connection: Connection) -> bool:
        """Add a connection; return False if its client has too many that are in use.

        One that is idle may be closed for it.
        """
        mine = self._open.setdefault(client, {})
        if len(mine) >= self._each and not self._close_idle(client):
            return False
        if self._count >= self._total:
            crowded = sorted(self._open, key=lambda each: -len(self._open[each]))
            any(self._close_idle(each) for each in crowded)
        self._open.setdefault(client, {})[connection] = None
        self._count += 1
        return True

    def remove(self, client: str, connection: Connection) -> None:
        """Remove a connection; nothing happens if it is not in the table."""
        mine = self._open.get(client, {})
        if connection in mine:
            del mine[connection]
            self._count -= 1
        if not mine:
            self._open.pop(client, None)

    def _close_idle(self, client: str) -> bool:
        """Close the oldest idle connection of a client; return False if there is none."""
        for connection in self._idle(client):
            self.remove(client, connection)
            connection.abort()
            return True
        return False

    def _idle(self, client: str) -> Iterator[Connection]:
        return (each for each in self._open[client] if each.is_idle)


class _Deadline:
    """A timer that can be started again and cancelled."""

    def __init__(self, seconds: float, over: Callable[[], None]) -> None:
        self._seconds = seconds
        self._over = over
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        return self._timer is not None

    def start(self) -> None:
        self.cancel()
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._end)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        self._timer = None
        self._over()


class LimitedConnection(H11Protocol):
    """A connection with deadlines, in a table.

    Parameters
    ----------
    arguments, named
        What uvicorn gives to a protocol.
    table
        The connections of this process.
    request_seconds, reading_seconds
        The deadlines.
    """

    def __init__(
        self,
        *arguments: Any,
        table: ConnectionTable,
        request_seconds: float = REQUEST_SECONDS,
        reading_seconds: float = READING_SECONDS,
        **named: Any,
    ) -> None:
        super().__init__(*arguments, **named)
        self._table = table
        self._network = ""
        self._request_deadline = _Deadline(request_seconds, self._end_slow)
        self._reading_deadline = _Deadline(reading_seconds, self._end_unread)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def abort(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register the connection, or refuse it."""
        super().connection_made(transport)
        self._network = client_network(self.client[0] if self.client else "")
        if self._table.admit(self._network, self):
            self._watch_request()
        else:
            transport.write(REFUSAL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection from the table."""
        self._table.remove(self._network, self)
        self._request_deadline.cancel()
        self._reading_deadline.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a piece of a request."""
        if not self.transport.is_closing():
            if not self.transport.get_write_buffer_size():
                self._reading_deadline.cancel()
            super().data_received(data)
            self._watch_request()

    def on_response_complete(self) -> None:
        """Expect the client to read the end of a response, too."""
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self._reading_deadline.start()

    def pause_writing(self) -> None:
        """Expect the client to read what fills the buffer."""
        super().pause_writing()
        self._reading_deadline.start()

    def resume_writing(self) -> None:
        """Go on writing: the client has read."""
        self._reading_deadline.cancel()
        super().resume_writing()

    def _watch_request(self) -> None:
        """Start the timer of a request that has not arrived whole, or stop it."""
        if not self.is_idle and not self.cycle.more_body:
            self._request_deadline.cancel()
        elif not self._request_deadline.is_running:
            self._request_deadline.start()

    def _end_slow(self) -> None:
        _log.debug("a request of %s did not arrive in time", self._network)
        self.abort()

    def _end_unread(self) -> None:
        if self.transport.get_write_buffer_size():
            _log.debug("a response to %s was not read in time", self._network)
            self.abort()
