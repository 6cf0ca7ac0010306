"""Documents to plain text: PDF, and PDF or text that was compressed with gzip.

The bytes come from strangers and the library that reads them is written in C.
So they are read in a process of its own, with a limit on its memory and one on
the time for each document: a document that hangs or crashes it costs itself an
outcome with a name, and nothing else.

What the process makes of a body is a function, its `reader`; `read` below finds
plain text, and others may find more.
"""

from __future__ import annotations

import importlib
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, ClassVar, TypeAlias
from urllib.parse import urlsplit

from lycosa.closing import Closing
from lycosa.errors import UsageError
from lycosa.web.decoding import decode

OUTCOMES = (
    "text", "no-text", "encrypted", "damaged", "too-long", "too-large", "no-ghostscript",
)  # fmt: skip
"""What can become of a document; `text` is the one that is wanted."""

_PDF = ("application/pdf", "application/x-pdf")
_GZIP = ("application/gzip", "application/x-gzip")
_VAGUE = ("application/octet-stream", "binary/octet-stream", "application/x-download", "")
_INSIDE = (".pdf.gz", ".txt.gz")
_TURN = 500  # documents; then a new worker, for C libraries lose memory now and then
_REQUEST = struct.Struct(">Q")
_ANSWER = struct.Struct(">BQ")
_HYPHEN = re.compile(r"(?<=[^\W\d_])\x02(?=[^\W\d_])")  # how PDFium marks a word cut by a line end
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]+")


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a document, empty unless the outcome is `text`."""

    text: str
    outcome: str


Read: TypeAlias = Callable[[bytes, str, int, int, int], Document]
"""A reader: body, MIME type, first and last pages, size. It may raise `TooLarge`."""


def is_document(type: str, url: str = "") -> bool:
    """Whether `Documents` may find text in what came back as this MIME type from this URL.

    >>> is_document("application/pdf"), is_document("text/html", "http://a.edu/p.pdf")
    (True, False)
    >>> is_document("application/x-gzip", "http://a.edu/p.pdf.gz")
    True
    """
    kind = type.partition(";")[0].strip().lower()
    try:
        path = urlsplit(url).path.lower()
    except ValueError:
        path = ""
    if kind in _VAGUE:
        return path.endswith((".pdf", *_INSIDE))
    return kind in _PDF or (kind in _GZIP and path.endswith(_INSIDE))


class Documents(Closing):
    """Reads documents one after the other in a worker process, started when it is needed.

    At most the `first` and the `last` pages of a document are read. It may
    take `seconds`, its bytes, compressed or not, may be `size` and the worker
    may use `memory` bytes. `text` may be called from any thread; one waits for
    the other. `reader` is the function that the worker calls, as `module:name`;
    if not given, that of the class.

    >>> with Documents() as documents:
    ...     documents.text(b"%PDF-1.4 and then nothing", "application/pdf")
    Document(text='', outcome='damaged')
    """

    READER: ClassVar[str] = "lycosa.documents.plain_text:read"

    def __init__(
        self,
        first: int = 100,
        last: int = 20,
        *,
        seconds: float = 30.0,
        size: int = 64_000_000,
        memory: int = 1_500_000_000,
        reader: str | None = None,
    ) -> None:
        reader = self.READER if reader is None else reader
        for name, value in {"first": first, "seconds": seconds, "size": size}.items():
            if value <= 0:
                raise UsageError(f"Documents need {name} above 0, not {value!r}.")
        if last < 0:
            raise UsageError(f"Documents need a last of 0 or more, not {last!r}.")
        if memory < 2 * size:
            raise UsageError(
                f"Documents of {size:,} bytes do not fit a memory of {memory:,}; give it more."
            )
        _find(reader)
        self._limits = (reader, first, last, size, memory, int(seconds) + 5)
        self._seconds = seconds
        self._size = size
        self._lock = threading.Lock()
        self._worker: subprocess.Popen[bytes] | None = None
        self._turn = 0

    @property
    def worker(self) -> int | None:
        """The process that reads, if there is one now."""
        return self._worker.pid if self._worker else None

    def close(self) -> None:
        """End the worker. Another text starts another one."""
        with self._lock:
            self._end()

    def text(self, body: bytes, type: str = "") -> Document:
        """The text of a body; nothing that it may hold makes this raise."""
        if len(body) > self._size:
            return Document("", "too-large")
        with self._lock:
            found = self._ask(body, type)
            self._turn += 1
            if found.outcome == "too-large" or self._turn >= _TURN:
                self._end()
            return found

    def _ask(self, body: bytes, type: str) -> Document:
        worker = self._start()
        late = threading.Event()

        def end() -> None:
            late.set()
            _kill(worker)

        # Killing the worker ends whatever we wait for, writing or reading.
        timer = threading.Timer(self._seconds, end)
        timer.start()
        found = None
        try:
            if worker.stdin and worker.stdout:
                _send(worker.stdin, type.encode(errors="replace")[:200], body)
                found = self._answer(worker.stdout)
        except OSError:
            pass
        finally:
            timer.cancel()
            timer.join()
            if late.is_set() or found is None:
                self._end()
        return found or Document("", "too-long" if late.is_set() else "damaged")

    def _answer(self, stream: IO[bytes]) -> Document | None:
        """What the worker says; None if it died, or speaks as none of ours does."""
        head = stream.read(_ANSWER.size)
        if len(head) < _ANSWER.size:
            return None
        outcome, size = _ANSWER.unpack(head)
        if outcome >= len(OUTCOMES) or size > 4 * self._size:
            return None
        text = stream.read(size)
        return (
            Document(text.decode(errors="replace"), OUTCOMES[outcome])
            if len(text) == size
            else None
        )

    def _start(self) -> subprocess.Popen[bytes]:
        if self._worker is not None and self._worker.poll() is not None:
            self._end()
        if self._worker is None:
            # Not multiprocessing, which would run the caller's script again; in a
            # session of its own, so that Ctrl-C reaches the crawl alone.
            self._worker = subprocess.Popen(  # noqa: S603 (our own module)
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "lycosa.documents.plain_text",
                    *map(str, self._limits),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                start_new_session=True,
            )
            self._turn = 0
        return self._worker

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            _kill(worker)
            worker.wait()
            for stream in (worker.stdin, worker.stdout):
                if stream:
                    with suppress(OSError):  # what was not sent yet cannot be flushed
                        stream.close()


def _kill(worker: subprocess.Popen[bytes]) -> None:
    """End a worker and what it has started: they are a group of their own."""
    if worker.returncode is None:  # else the number may be somebody else's by now
        with suppress(ProcessLookupError):
            os.killpg(worker.pid, signal.SIGKILL)


def _find(reader: str) -> Read:
    """The function of a name like `module:name`."""
    module, _, name = reader.partition(":")
    try:
        found: Read = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError):
        raise UsageError(
            f"There is no reader {reader!r}; name a function as 'package.module:function'."
        ) from None
    return found


def _send(stream: IO[bytes], *parts: bytes) -> None:
    for part in parts:
        stream.write(_REQUEST.pack(len(part)))
        stream.write(part)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    head = stream.read(_REQUEST.size)
    return stream.read(_REQUEST.unpack(head)[0]) if len(head) == _REQUEST.size else None


class TooLarge(Exception):
    """A body that is longer than it may be once it is decompressed."""


def _serve(reader: str, first: int, last: int, size: int, memory: int, seconds: int) -> None:
    """The life of a worker: a document in, its text out, until nobody is there."""
    _confine(memory)
    read = _find(reader)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while (kind := _receive(source)) is not None:
        body = _receive(source) or b""
        # The one who asks ends us when it takes too long; should he be gone, this does.
        signal.alarm(seconds)
        try:
            found = read(body, kind.decode(errors="replace"), first, last, size)
        except (MemoryError, TooLarge):
            found = Document("", "too-large")
        signal.alarm(0)
        text = found.text.encode(errors="replace")
        target.write(_ANSWER.pack(OUTCOMES.index(found.outcome), len(text)) + text)
        target.flush()


def _confine(memory: int) -> None:
    """Limit what this process may use, as far as the system can."""
    import resource

    for limit, value in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        with suppress(OSError, ValueError):
            resource.setrlimit(limit, (value, value))


def read(body: bytes, kind: str, first: int, last: int, size: int) -> Document:
    """The text of a body, in this very process: for bytes that can be trusted."""
    if body.startswith(b"\x1f\x8b"):
        # Once only: what is inside may be the same again, for ever.
        kind = ""
        try:
            body = unpacked(body, size)
        except zlib.error:
            return Document("", "damaged")
    if is_pdf(body, kind):
        return _pdf(body, first, last)
    if b"\0" in body[:1024] or body.startswith((b"%!", b"\x04%!")):
        return Document("", "no-text")  # PostScript is a program, and the rest is not text
    return _document(decode(body, kind))


def is_pdf(body: bytes, kind: str) -> bool:
    """Whether a body is to be read as PDF, for it says so or its sender does."""
    return b"%PDF-" in body[:1024] or kind.partition(";")[0].strip().lower() in _PDF


def unpacked(body: bytes, size: int) -> bytes:
    """What gzip had compressed, if it is no larger than `size`; a cut end is left out."""
    tool = zlib.decompressobj(wbits=31)
    whole = tool.decompress(body, size + 1)
    if len(whole) > size:
        raise TooLarge
    return whole


def _pdf(body: bytes, first: int, last: int) -> Document:
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        return Document("", fault(error))
    count = len(document)
    parts = []
    broken = 0
    for number in chosen(count, first, last):
        try:
            parts.append(document[number].get_textpage().get_text_bounded())
        except pdfium.PdfiumError:
            broken += 1
    if not parts:
        return Document("", "damaged" if broken or not count else "no-text")
    return _document("\n".join(parts))


def fault(error: Exception) -> str:
    """The outcome for a PDF that cannot be opened."""
    from pypdfium2.raw import FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY

    locked = getattr(error, "err_code", None) in (FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY)
    return "encrypted" if locked else "damaged"


def chosen(count: int, first: int, last: int) -> list[int]:
    """The numbers of the pages that are read of so many.

    >>> chosen(9, 2, 1), chosen(3, 2, 2)
    ([0, 1, 8], [0, 1, 2])
    """
    ends = (*range(min(first, count)), *range(max(count - last, 0), count))
    return list(dict.fromkeys(ends))


def _document(text: str) -> Document:
    clean = _CONTROL.sub(" ", _HYPHEN.sub("", text.replace("\r\n", "\n"))).strip()
    return Document(clean, "text" if clean else "no-text")


if __name__ == "__main__":
    # By its own name, not as __main__: readers raise the `TooLarge` of that module.
    from lycosa.documents import plain_text  # noqa: PLW0406

    plain_text._serve(sys.argv[1], *map(int, sys.argv[2:]))
