"""The parse process: another core for the pages of a crawl whose loop is busy.

The loop writes bodies to the pipe of a subprocess and reads what was parsed from another
one, without threads: a thread would have to wait for the interpreter lock, which a busy
loop holds most of the time. Several bodies are in the pipe at once, so the subprocess never
waits for the next. It has the limits of a `DocumentWorker`.

It is nothing but an accelerator: what it cannot parse, for whatever reason, is left to the
caller. If it dies, so are all bodies that it was given, and another one is started for
later ones, at most `MAX_STARTS` times.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections import deque
from contextlib import suppress
from typing import cast

from lycosa.documents.worker import (
    READY,
    decode_result,
    encode_request,
    worker_command,
    worker_environment,
)
from lycosa.web.parsed_body import BodyDecoder, ParsedBody

READER = "lycosa.crawler.live.page_worker:read_next_page"
"""What the subprocess calls."""
MAX_STARTS = 20
"""A process that dies is replaced so often; a healthy one always is, after `MAX_BYTES`."""
MAX_BYTES = 512 << 20
"""Bytes of bodies after which the process is replaced, because C libraries may leak memory."""
MAX_WAITING = 8
"""Bodies in the pipe at once; while there are so many, the caller is as fast."""

_log = logging.getLogger("lycosa.crawler")
_STDIN, _STDOUT = 0, 1


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ParseProcess:
    """Parses pages in a subprocess that is fed by the event loop.

    Parameters
    ----------
    seconds, memory, size
        The limits for one body, as those of a `DocumentWorker`.
    """

    def __init__(self, *, seconds: float, memory: int, size: int) -> None:
        self._command = worker_command(READER, 1, 0, size, memory, seconds)
        self._size = size
        self._run: _Run | None = None
        self._starting: asyncio.Task[None] | None = None
        self._starts = 0

    @property
    def pid(self) -> int | None:
        """The process id of the subprocess; None if there is none now."""
        return None if self._run is None or self._run.is_over else self._run.pid

    @property
    def is_started(self) -> bool:
        """Whether there is a subprocess, or one is being started."""
        return self._starting is not None or not (self._run is None or self._run.is_over)

    @property
    def is_free(self) -> bool:
        """Whether a body would be parsed soon."""
        run = self._run
        if run is None or run.is_over:
            return False
        return run.is_ready and self.waiting < MAX_WAITING and run.bytes < MAX_BYTES

    @property
    def waiting(self) -> int:
        """The number of bodies that were sent and are not parsed yet."""
        return 0 if self._run is None else len(self._run.waiting)

    async def read(self, request: bytes, type: str) -> ParsedBody | None:
        """Return what is parsed of a page, when the subprocess has started; None if it fails.

        `request` is that of `page_worker.read_next_page`.
        """
        self.start()
        if self._starting is not None:
            await asyncio.wait((self._starting,))
        if self._run is None or self._run.is_over or len(request) > self._size:
            return None
        return await self._run.ask(encode_request(request, type))

    def start(self) -> None:
        """Start the subprocess, if it is not started and did not die too often."""
        if not self.is_started and self._starts < MAX_STARTS:
            self._starts += self._run is None or self._run.bytes < MAX_BYTES
            self._starting = asyncio.create_task(self._begin())

    async def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            _, self._run = await loop.subprocess_exec(
                _Run,
                *self._command,
                stderr=asyncio.subprocess.DEVNULL,
                env=worker_environment(),
                start_new_session=True,  # so that Ctrl-C reaches the crawl alone
            )
        except OSError:
            _log.debug("No second process can be started for parsing", exc_info=True)
        finally:
            self._starting = None

    async def close(self) -> None:
        """End the subprocess."""
        self._starts = MAX_STARTS
        if self._starting is not None:
            await asyncio.gather(self._starting, return_exceptions=True)
        if self._run is not None:
            await self._run.close()


class _Run(asyncio.SubprocessProtocol):
    """One subprocess from its start to its end."""

    def __init__(self) -> None:
        self.waiting: deque[asyncio.Future[ParsedBody | None]] = deque()
        self.bytes = 0
        self.is_ready = False
        self.is_over = False
        self._output = bytearray()
        self._decoder = BodyDecoder()
        self._exited = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport; the type of the base class is too general."""
        self._transport = cast("asyncio.SubprocessTransport", transport)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._transport.get_pid()

    def ask(self, request: bytes) -> asyncio.Future[ParsedBody | None]:
        """Send a request; return its result to be awaited."""
        answer = asyncio.get_running_loop().create_future()
        self.waiting.append(answer)
        self.bytes += len(request)
        pipe = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(_STDIN))
        pipe.write(request)
        return answer

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Take in output: a byte at the start, then results in the order of the requests."""
        self._output += data
        if not self.is_ready:
            self.is_ready = True
            del self._output[: len(READY)]
        while self.waiting and (result := decode_result(self._output)) is not None:
            content, end = result
            del self._output[:end]
            # Also what nobody waits for any more: the next page may have words in common.
            parsed = None if content is None else self._decoder.decode(content)
            self._answer(parsed)
            if parsed is None and content is not None:
                self._end()
                return
        if self.bytes >= MAX_BYTES and not self.waiting:
            self._end()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Give up what was sent, if the subprocess ends or breaks a pipe."""
        self._end()

    def process_exited(self) -> None:
        """Note that there is nothing left to wait for."""
        self._end()
        if not self._exited.done():
            self._exited.set_result(None)

    async def close(self) -> None:
        """End the subprocess and wait until it has ended."""
        self._end()
        await self._exited

    def _end(self) -> None:
        self.is_over = True
        with suppress(ProcessLookupError, PermissionError):
            if self._transport.get_returncode() is None:
                os.killpg(self.pid, signal.SIGKILL)
        self._transport.close()
        while self.waiting:
            self._answer(None)

    def _answer(self, parsed: ParsedBody | None) -> None:
        answer = self.waiting.popleft()
        if not answer.done():  # its page may be given up meanwhile
            answer.set_result(parsed)
