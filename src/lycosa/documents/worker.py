"""Document worker: reads untrusted bytes in a confined subprocess.

The libraries that read documents are written in C, and the bytes come from the
web. So they are read in a separate process with a limit on its memory and one on
the time for each document: a document that hangs or crashes the process has an
outcome with a name, and costs nothing else. The time is that of the processor, so
that a document means the same on a busy machine; by the clock it may take four
times as long. What the process makes of a body is a function, the `reader`.

    parent                               worker
                             <------     it has started
    type, body               ------>     reader(body, type, first, last, size)
    outcome, content, trace  <------     a `ReaderResult`

Each part of a message is preceded by its length.
"""

from __future__ import annotations

import gc
import importlib
import logging
import os
import signal
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TypeAlias

from lycosa.closing import Closing
from lycosa.errors import UsageError

OUTCOMES = (
    "text", "no-text", "encrypted", "damaged", "too-long", "too-large", "no-ghostscript",
    "scanned",
)  # fmt: skip
"""What can become of a document; only `text` comes with content."""

READER = "lycosa.documents.conversion:read_document"
"""The reader of a worker that is not given another one: finds lines with their layout."""
DOCUMENTS_PER_WORKER = 500
"""Documents after which a worker is replaced, because C libraries may leak memory."""
MAX_START_SECONDS = 60.0
"""The time limit for the start of a worker."""
OBJECTS_PER_COLLECTION = 100_000
"""New objects after which a worker looks for reference cycles."""
PATIENCE = 4
"""By the clock a document may take so many times its processor time: others want it too."""
MAX_TRACE = 20_000
"""Characters of a traceback that a worker sends, the last ones."""

_log = logging.getLogger("lycosa.documents")
READY = b"\n"
"""What a subprocess sends when it has started."""
_LENGTH = struct.Struct(">Q")
_HEAD = struct.Struct(">B?QQ")  # outcome, is it a bug of the reader, sizes of content and trace


@dataclass(frozen=True, slots=True)
class ReaderResult:
    """The result of reading a document: `content`, empty unless the outcome is `text`.

    `outcome` is `text`, or the name of what prevented the reading, such as `damaged`;
    `trace` is the traceback of the error behind the outcome, for the log.
    """

    content: bytes
    outcome: str
    trace: str = ""


DocumentReader: TypeAlias = Callable[[bytes, str, int, int, int], ReaderResult]
"""A reader takes a body, its MIME type, how many first and last pages to read, and the
largest size of the body once it is decompressed. It may raise `TooLarge`."""


class TooLarge(Exception):
    """Raised by a reader for a body that is larger than allowed once it is decompressed."""


class DocumentWorker(Closing):
    """Reads documents one after the other in a subprocess, which starts with the first one.

    `read` may be called from any thread; calls wait for each other.

    Parameters
    ----------
    first, last
        How many pages are read from the beginning and from the end of a document.
    seconds
        The limit of processor time for one document; by the clock `PATIENCE` times that.
    size
        The largest body in bytes, compressed or not.
    memory
        The address space of the subprocess in bytes, at least twice `size`.
    reader
        The function that the subprocess calls, as `package.module:function`.

    >>> with DocumentWorker() as worker:
    ...     worker.read(b"%PDF-1.4 and then nothing", "application/pdf").outcome
    'damaged'
    """

    def __init__(
        self,
        first: int = 100,
        last: int = 20,
        *,
        seconds: float = 30.0,
        size: int = 64_000_000,
        memory: int = 1_500_000_000,
        reader: str = READER,
    ) -> None:
        for name, value in {"first": first, "seconds": seconds, "size": size}.items():
            if value <= 0:
                raise UsageError(f"A document worker needs {name} greater than 0, not {value!r}.")
        if last < 0:
            raise UsageError(f"A document worker needs last of 0 or more, not {last!r}.")
        if memory < 2 * size:
            raise UsageError(
                f"Documents of {size:,} bytes do not fit into {memory:,} bytes of memory; "
                f"allow at least {2 * size:,}."
            )
        _load_reader(reader)
        self._arguments = (reader, first, last, size, memory, seconds)
        self._seconds = seconds
        self._size = size
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._documents = 0

    @property
    def pid(self) -> int | None:
        """The process id of the subprocess, None if there is none now."""
        return self._process.pid if self._process else None

    def close(self) -> None:
        """End the subprocess. The next call of `read` starts another one."""
        with self._lock:
            self._end()

    def read(self, body: bytes, type: str = "") -> ReaderResult:
        """Return what the reader finds in a body; no content of a body makes this raise."""
        if len(body) > self._size:
            return ReaderResult(b"", "too-large")
        with self._lock:
            result = self._request(body, type)
            self._documents += 1
            if result.outcome == "too-large" or self._documents >= DOCUMENTS_PER_WORKER:
                self._end()
            return result

    def _request(self, body: bytes, type: str) -> ReaderResult:
        process = self._start()
        timed_out = threading.Event()

        def end() -> None:
            timed_out.set()
            _kill(process)

        # Killing the subprocess ends every wait for it, of writing or of reading.
        timer = threading.Timer(PATIENCE * self._seconds, end)
        timer.start()
        result = None
        try:
            if process.stdin and process.stdout:
                process.stdin.write(encode_request(body, type))
                process.stdin.flush()
                result = self._receive_result(process.stdout, type)
        except OSError:
            _log.debug("The document worker broke its pipe.", exc_info=True)
        finally:
            timer.cancel()
            timer.join()
            if timed_out.is_set() or result is None:
                self._end()
        if result is not None:
            return result
        used_up = timed_out.is_set() or process.returncode == -signal.SIGPROF
        outcome = "too-long" if used_up else "damaged"
        _log.debug(
            "A document of type %.100r and %d bytes is %s: its worker ended with status %s.",
            type, len(body), outcome, process.returncode,
        )  # fmt: skip
        return ReaderResult(b"", outcome)

    def _receive_result(self, stream: IO[bytes], type: str) -> ReaderResult | None:
        """Read a result; None if the subprocess died, or sent what no worker sends."""
        head = stream.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return None
        outcome, is_bug, size, trace_size = _HEAD.unpack(head)
        if outcome >= len(OUTCOMES) or size > 4 * self._size or trace_size > 4 * MAX_TRACE:
            return None
        content, trace = stream.read(size), stream.read(trace_size)
        if len(content) < size or len(trace) < trace_size:
            return None
        result = ReaderResult(content, OUTCOMES[outcome], trace.decode(errors="replace"))
        if is_bug:
            _log.warning(
                "The reader %s failed on a document of type %.100r; this is a bug.\n%s",
                self._arguments[0], type, result.trace,
            )  # fmt: skip
        elif trace:
            _log.debug("A document of type %.100r: %s.\n%s", type, result.outcome, result.trace)
        return result

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            # Not multiprocessing, which would run the caller's script again; in a session
            # of its own, so that Ctrl-C reaches the crawl alone.
            self._process = subprocess.Popen(  # noqa: S603 (our own module)
                worker_command(*self._arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=worker_environment(),
                start_new_session=True,
            )
            self._documents = 0
            # The start takes seconds on a busy machine, which no document shall pay for.
            timer = threading.Timer(MAX_START_SECONDS, _kill, (self._process,))
            timer.start()
            if self._process.stdout:
                self._process.stdout.read(len(READY))
            timer.cancel()
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            _kill(process)
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream:
                    with suppress(OSError):  # what was not sent yet cannot be flushed
                        stream.close()


def worker_command(
    reader: str, first: int, last: int, size: int, memory: int, seconds: float
) -> list[str]:
    """Return the command of a subprocess that reads documents; see `DocumentWorker`."""
    arguments = map(str, (reader, first, last, size, memory, seconds))
    return [sys.executable, "-P", "-m", __name__, *arguments]


def worker_environment() -> dict[str, str]:
    """Return the environment of a subprocess, in which it finds what this process finds."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def encode_request(body: bytes, type: str) -> bytes:
    """Return the message that asks a subprocess to read a body."""
    kind = type.encode(errors="replace")[:200]
    return b"".join((_LENGTH.pack(len(kind)), kind, _LENGTH.pack(len(body)), body))


def decode_result(data: bytes | bytearray) -> tuple[bytes | None, int] | None:
    """Return the content of the first result in the output of a subprocess, and its length.

    The content is None unless the outcome is `text`; there is no result if it is not complete.
    """
    if len(data) < _HEAD.size:
        return None
    outcome, _, size, trace_size = _HEAD.unpack_from(data)
    end = _HEAD.size + size
    if len(data) < end + trace_size:
        return None
    is_text = outcome < len(OUTCOMES) and OUTCOMES[outcome] == "text"
    return bytes(data[_HEAD.size : end]) if is_text else None, end + trace_size


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a subprocess and its children: they are one process group."""
    if process.returncode is None:  # else another process may have the number by now
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _load_reader(reader: str) -> DocumentReader:
    """Import the function that `package.module:function` names."""
    module, _, name = reader.partition(":")
    try:
        found: DocumentReader = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(
            f"There is no reader {reader!r}; name a function as 'package.module:function'."
        ) from error
    return found


def _receive(stream: IO[bytes]) -> bytes | None:
    head = stream.read(_LENGTH.size)
    return stream.read(_LENGTH.unpack(head)[0]) if len(head) == _LENGTH.size else None


def _serve(reader: str, first: int, last: int, size: int, memory: int, seconds: float) -> None:
    """Run the subprocess: read documents from stdin until it is closed."""
    _confine(memory)
    read = _load_reader(reader)
    # The words of a document are many objects without cycles, and the process does not live long.
    gc.freeze()
    gc.set_threshold(OBJECTS_PER_COLLECTION)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    target.write(READY)
    target.flush()
    while (kind := _receive(source)) is not None:
        body = _receive(source) or b""
        signal.setitimer(signal.ITIMER_PROF, seconds)  # its signal ends the process
        # The parent ends us at the limit by the clock; this does if the parent is gone.
        signal.alarm(int(PATIENCE * seconds) + 5)
        is_bug = False
        try:
            result = read(body, kind.decode(errors="replace"), first, last, size)
        except (MemoryError, TooLarge):
            result = ReaderResult(b"", "too-large")
        except Exception:
            is_bug = True
            result = ReaderResult(b"", "damaged", traceback.format_exc())
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        content, trace = result.content, result.trace[-MAX_TRACE:].encode(errors="replace")
        head = _HEAD.pack(OUTCOMES.index(result.outcome), is_bug, len(content), len(trace))
        target.write(head + content + trace)
        target.flush()


def _confine(memory: int) -> None:
    """Limit the memory of this process, as far as the operating system can."""
    import resource

    for limit, value in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        with suppress(OSError, ValueError):
            resource.setrlimit(limit, (value, value))


if __name__ == "__main__":
    # By its own name, not as __main__: readers raise the `TooLarge` of that module.
    from lycosa.documents import worker  # noqa: PLW0406

    first, last, size, memory = map(int, sys.argv[2:6])
    worker._serve(sys.argv[1], first, last, size, memory, float(sys.argv[6]))
