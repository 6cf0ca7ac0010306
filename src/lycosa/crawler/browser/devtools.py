"""The DevTools protocol over a pipe: commands to the browser, and events from it.

Messages are JSON objects, each ended by a zero byte. A pipe has no port that
another program, or a page, could connect to; and the browser ends by itself
when its end of the pipe is closed, however the other end's process died.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from itertools import count
from typing import Any, TypeAlias

_log = logging.getLogger("lycosa.crawler")

MAX_MESSAGE_BYTES = 256 << 20
"""A larger message ends the connection; a rendered document is far smaller."""

Handler: TypeAlias = Callable[[str, dict[str, Any]], None]
"""Is called with the method and the parameters of an event."""


class BrowserGone(Exception):
    """The connection to the browser has ended."""


class CommandFailed(Exception):
    """The browser answered a command with an error, or not in time."""


class DevTools:
    """A connection to a browser; `reader` and `writer` are the ends of its two pipes.

    Events of a session go to the handler that `listen` sets for it.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.WriteTransport) -> None:
        self._reader = reader
        self._writer = writer
        self._numbers = count(1)
        self._replies: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._handlers: dict[str, Handler] = {}
        self._task = asyncio.create_task(self._read())

    @property
    def is_open(self) -> bool:
        """Whether the browser still listens."""
        return not self._task.done()

    def listen(self, session: str, handler: Handler | None) -> None:
        """Set the handler of a session's events; None removes it."""
        if handler is None:
            self._handlers.pop(session, None)
        else:
            self._handlers[session] = handler

    def send(self, method: str, session: str | None = None, **parameters: Any) -> int:
        """Send a command without waiting for its reply; return its number."""
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        if self.is_open:
            self._writer.write(json.dumps(message).encode() + b"\0")
        return number

    async def call(
        self, method: str, session: str | None = None, *, within: float = 30.0, **parameters: Any
    ) -> dict[str, Any]:
        """Send a command and return its result.

        Raises BrowserGone if the connection ends, CommandFailed if the browser
        refuses the command or does not answer `within` seconds.
        """
        if not self.is_open:
            raise BrowserGone
        number = self.send(method, session, **parameters)
        reply = self._replies[number] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(within):
                message = await reply
        except TimeoutError:
            raise CommandFailed(f"{method}: no reply within {within:g} s") from None
        finally:
            self._replies.pop(number, None)
        if "error" in message:
            raise CommandFailed(f"{method}: {message['error'].get('message')}")
        result: dict[str, Any] = message.get("result", {})
        return result

    async def close(self) -> None:
        """Close the pipes."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _read(self) -> None:
        try:
            while True:
                self._handle(json.loads((await self._reader.readuntil(b"\0"))[:-1]))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError, ValueError):
            _log.debug("The connection to the browser has ended", exc_info=True)
        finally:
            self._writer.close()
            for reply in self._replies.values():
                if not reply.done():
                    reply.set_exception(BrowserGone())
            for handler in list(self._handlers.values()):
                handler("Inspector.detached", {})

    def _handle(self, message: dict[str, Any]) -> None:
        if "id" in message:
            reply = self._replies.get(message["id"])
            if reply is not None and not reply.done():
                reply.set_result(message)
        elif handler := self._handlers.get(message.get("sessionId", "")):
            handler(message["method"], message.get("params", {}))
