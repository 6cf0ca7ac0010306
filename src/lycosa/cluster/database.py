"""Connections to PostgreSQL, in an event loop of their own.

A store commits in a thread, a worker waits in its event loop, and both use the same
connections: those live in the loop of one background thread. A connection that has failed is
closed and never used again. Nothing that is raised or logged has the URL of the database in
it, because that may have a password.

    with Database(url) as database:
        database.run(lambda connection: connection.fetchval("SELECT 1"))
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeAlias, TypeVar

from lycosa.closing import Closing
from lycosa.errors import StoreError

_log = logging.getLogger("lycosa.cluster")

Connection: TypeAlias = Any
"""An asyncpg connection."""
T = TypeVar("T")
Work: TypeAlias = Callable[[Connection], Awaitable[T]]
"""What is done with a connection."""

MAX_CONNECTIONS = 4
"""Connections of one process; more work waits."""
CONNECT_SECONDS = 5.0
"""Maximum time to connect."""
COMMAND_SECONDS = 30.0
"""Maximum time of one command, unless a caller gives less."""
IDLE_TRANSACTION_MILLISECONDS = 2000
"""A transaction that hears nothing for so long is rolled back by the server: its locks do not
outlast the partition of a network."""


class Unreachable(StoreError):
    """PostgreSQL cannot be reached, or did not answer in time; the same call may succeed later."""


class Refused(StoreError):
    """PostgreSQL refused a command: to repeat it would not help."""


class Database(Closing):
    """The connections of one process to a PostgreSQL database.

    Parameters
    ----------
    url
        `postgresql://user@host/name`. What it leaves out, the password above all, is taken
        from the environment (`PGPASSWORD`, `PGSSLMODE` …) and from `~/.pgpass`.
    command_seconds
        Maximum time of one command.
    """

    def __init__(self, url: str, *, command_seconds: float = COMMAND_SECONDS) -> None:
        self._url = url
        self._command_seconds = command_seconds
        self._idle: list[Connection] = []
        self._loop = asyncio.new_event_loop()
        self._slots = asyncio.Semaphore(MAX_CONNECTIONS)
        self._thread = threading.Thread(target=self._serve, name="postgresql", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.close()

    def start(self, task: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine in the loop of the connections."""
        return asyncio.run_coroutine_threadsafe(task, self._loop)

    def run(self, work: Work[T], *, seconds: float | None = None) -> T:
        """Do something with a connection and wait for it; for threads without a loop."""
        return self.start(self.use(work, seconds=seconds)).result()

    async def call(self, work: Work[T], *, seconds: float | None = None) -> T:
        """Do something with a connection; for coroutines of another loop."""
        return await asyncio.wrap_future(self.start(self.use(work, seconds=seconds)))

    async def use(self, work: Work[T], *, seconds: float | None = None) -> T:
        """Do something with a connection; for coroutines in the loop of the connections.

        Raises `Unreachable` or `Refused`. `seconds` limits the whole of it.
        """
        import asyncpg

        limit = self._command_seconds if seconds is None else seconds
        async with self._slots:
            connection = None
            try:
                connection = self._take() or await self._connect()
                found = await _within(limit, work, connection)
            except (
                TimeoutError,
                OSError,
                asyncpg.PostgresConnectionError,
                # The server has ended the session, and asyncpg has read no more than that: as
                # when this process was suspended in a transaction.
                asyncpg.InternalClientError,
            ) as error:
                self._discard(connection)
                raise self._unreachable(error) from None
            except asyncpg.InterfaceError as error:
                closed = connection is None or connection.is_closed()
                self._discard(connection)
                if closed:
                    raise self._unreachable(error) from None
                raise
            except asyncpg.PostgresError as error:
                self._discard(connection)
                _log.debug("PostgreSQL refused a command", exc_info=True)
                if _is_transient(error):
                    raise Unreachable(f"PostgreSQL cannot do it now: {error}.") from None
                raise Refused(f"PostgreSQL refused: {error}.") from None
            except BaseException:
                self._discard(connection)
                raise
            self._idle.append(connection)
            return found

    def close(self) -> None:
        """Close all connections; may be called twice."""
        if self._thread.is_alive():
            self.start(self._close_all()).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    async def _close_all(self) -> None:
        mine = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not mine]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        for connection in self._idle:
            self._discard(connection)
        self._idle.clear()
        await asyncio.sleep(0)  # transports close in the next turn

    def _take(self) -> Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
        return None

    async def _connect(self) -> Connection:
        import asyncpg

        settings = {
            "application_name": "lycosa",
            "idle_in_transaction_session_timeout": str(IDLE_TRANSACTION_MILLISECONDS),
        }
        return await asyncpg.connect(
            self._url, timeout=CONNECT_SECONDS, server_settings=settings, statement_cache_size=100
        )

    def _discard(self, connection: Connection | None) -> None:
        if connection is not None:
            connection.terminate()

    def _unreachable(self, error: BaseException) -> Unreachable:
        _log.debug("PostgreSQL cannot be reached", exc_info=True)
        why = "it did not answer in time" if isinstance(error, TimeoutError) else _reason(error)
        return Unreachable(f"PostgreSQL cannot be reached: {why}.")


async def _within(seconds: float, work: Work[T], connection: Connection) -> T:
    """Do something with a connection; close it, and raise a `TimeoutError`, if it takes longer.

    To cancel it would not be enough: a transaction that is cancelled is rolled back, which
    waits for a server that may not answer.
    """
    task = asyncio.ensure_future(work(connection))
    try:
        await asyncio.wait([task], timeout=seconds)
        if not task.done():
            raise TimeoutError
    finally:
        if not task.done():
            connection.terminate()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    return task.result()


def _reason(error: BaseException) -> str:
    """Return what an error says; an `OSError` by its number, which names no address."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return type(error).__name__ if isinstance(error, OSError) else str(error).rstrip(".")


def _is_transient(error: Exception) -> bool:
    """Return whether the same command may succeed later: a restart, a full disk, a deadlock."""
    state = str(getattr(error, "sqlstate", ""))
    return state[:2] in ("08", "40", "53", "57", "58") or state in ("55P03", "25P03")
