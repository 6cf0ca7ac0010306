"""Threads that render pages, with a fair queue in front of them.

A request that finds no thread free waits in the queue (`fair_queue`) until it
is its turn. If its client closes the connection before, it is dropped without
being rendered. The time that a request took its thread is charged to its
client, in the queue and in the rate limit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive

from lycosa.portal.message import Message
from lycosa.portal.web.fair_queue import (
    MAX_RUNNING,
    MAX_TOTAL_WAITING,
    MAX_WAITING,
    ClientQueueFull,
    FairQueue,
    QueueFull,
)
from lycosa.portal.web.rate_limit import RateLimiter, client_key

MAX_THREADS = 2
"""Threads that render pages; with eight of them the slowest pages took twice as long."""
RETRY_SECONDS = 2
"""The Retry-After header of a response to a request that cannot wait."""
WARNING_SECONDS = 60.0
"""How often the log says that requests are refused."""

T = TypeVar("T")
_Turn: TypeAlias = "asyncio.Future[None]"

_log = logging.getLogger("lycosa.portal")


class TooBusy(HTTPException):
    """A request that can neither be served now nor wait.

    `status` is 429 if its client has too many others, 503 if all clients together have;
    `detail` is a sentence for people.
    """

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(status, detail, {"Retry-After": str(RETRY_SECONDS)})


class RenderingThreads:
    """Runs functions in threads, for one client after another.

    Parameters
    ----------
    limiter
        Charged with the time that each request takes. If it has no limit, neither has the
        number of requests that one client may have here.
    trust_proxy
        Whether the proxy says who the client is (`client_key`).
    threads
        How many requests are served at the same time.
    """

    def __init__(
        self, limiter: RateLimiter, *, trust_proxy: bool = False, threads: int = MAX_THREADS
    ) -> None:
        self._limiter = limiter
        self._trust_proxy = trust_proxy
        self._free = threads
        self._threads = CapacityLimiter(threads)
        self._next_warning = 0.0
        self._queue: FairQueue[_Turn] = (
            FairQueue(MAX_RUNNING, MAX_WAITING, MAX_TOTAL_WAITING)
            if limiter.is_active
            else FairQueue(threads, MAX_TOTAL_WAITING, MAX_TOTAL_WAITING)
        )

    async def run(self, request: Request, function: Callable[[], T]) -> T:
        """Run a function in a thread when it is the turn of the request's client.

        Raise `TooBusy` if too many requests wait, and `ClientDisconnect` if the client
        goes away before its turn.
        """
        client = client_key(request, trust_proxy=self._trust_proxy)
        await self._turn(request, client)
        seconds = 0.0

        def timed() -> T:
            nonlocal seconds
            # Of this thread alone: a client does not pay for the load of others.
            began = time.thread_time()
            try:
                return function()
            finally:
                seconds = time.thread_time() - began

        try:
            return await to_thread.run_sync(timed, limiter=self._threads)
        finally:
            self._limiter.charge(client, seconds)
            self._finish(client, seconds)

    async def _turn(self, request: Request, client: str) -> None:
        """Wait until a thread is free for a client."""
        turn: _Turn = asyncio.get_running_loop().create_future()
        try:
            self._queue.put(client, turn)
        except ClientQueueFull:
            _log.debug("too many requests of one client are waiting")
            raise TooBusy(
                429,
                Message(
                    "Too many of your requests are waiting for an answer. Wait %(seconds)s "
                    "seconds, then continue with fewer at a time.",
                    seconds=RETRY_SECONDS,
                ),
            ) from None
        except QueueFull:
            self._warn()
            raise TooBusy(
                503,
                Message(
                    "Too many readers are searching at the moment. Try again in a few seconds."
                ),
            ) from None
        self._dispatch()
        if turn.done():
            return
        leaving = asyncio.ensure_future(_disconnect(request.receive))
        try:
            await asyncio.wait({turn, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not turn.done():
                _log.debug("dropped a request whose client has disconnected")
                raise ClientDisconnect
        except BaseException:
            self._abandon(client, turn)
            raise
        finally:
            leaving.cancel()

    def _dispatch(self) -> None:
        """Give free threads to the requests whose turn it is."""
        while self._free and (following := self._queue.take()):
            self._free -= 1
            following[1].set_result(None)

    def _abandon(self, client: str, turn: _Turn) -> None:
        """Take back the turn of a request that is not served."""
        if turn.done():
            self._finish(client, 0.0)
        else:
            self._queue.discard(client, turn)

    def _warn(self) -> None:
        """Log that the queue is full; not for every request, which would fill the log."""
        now = time.monotonic()
        level = logging.DEBUG if now < self._next_warning else logging.WARNING
        _log.log(level, "%d requests are waiting; others are refused", len(self._queue))
        if level == logging.WARNING:
            self._next_warning = now + WARNING_SECONDS

    def _finish(self, client: str, seconds: float) -> None:
        self._free += 1
        self._queue.finish(client, seconds)
        self._dispatch()


async def _disconnect(receive: Receive) -> None:
    """Return when the client has closed its connection; the body of its request is ignored."""
    while (await receive())["type"] != "http.disconnect":
        pass
