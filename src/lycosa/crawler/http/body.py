"""The body of a response while it is received: decoded as it arrives, within limits."""

from __future__ import annotations

from time import monotonic

from lycosa.archive.content_encoding import Decoder, decoder_for
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import Limits

MAX_EXEMPT_BYTES = 1 << 20
"""A decoded body up to this size is never taken for a decompression bomb."""
_DECODER_INPUT_BYTES = 4096  # fed to the decoder between two checks of the limits


class AbortedResponse(Exception):
    """Reading a response was aborted, with a fault."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


class Body:
    """The body received so far.

    `limits` are those of a response: `receive` raises an `AbortedResponse` when one is
    exceeded.

    >>> body = Body(Limits(transferred=10))
    >>> body.receive(b"Hello")
    >>> body.end(), body.transferred
    (b'Hello', 5)
    """

    __slots__ = ("_content", "_decoded", "_decoder", "_limits", "_started", "_used", "transferred")

    def __init__(self, limits: Limits) -> None:
        self.transferred = 0
        """Bytes on the wire."""
        self._limits = limits
        self._content: bytes | bytearray = b""
        self._used = 0  # of the transferred bytes, those fed to the decoder
        self._decoded = 0
        self._decoder: Decoder | None = None
        self._started = monotonic()

    def decode(self, coding: str) -> None:
        """Decode what is received by a Content-Encoding."""
        self._decoder = decoder_for(coding, self)

    def receive(self, piece: bytes) -> None:
        """Take in bytes from the wire."""
        limits = self._limits
        self.transferred += len(piece)
        if self.transferred > limits.transferred:
            raise AbortedResponse(Fault.TOO_LARGE)
        spent = monotonic() - self._started
        if spent > limits.grace and self.transferred < limits.rate * spent:
            raise AbortedResponse(Fault.TOO_SLOW)
        decoder = self._decoder
        if decoder is None:
            self._append(piece)
            return
        for at in range(0, len(piece), _DECODER_INPUT_BYTES):
            part = piece[at : at + _DECODER_INPUT_BYTES]
            self._used += len(part)
            decoder.write(part)

    def write(self, data: bytes) -> None:
        """Append decoded bytes."""
        self._decoded += len(data)
        swollen = self._decoded > self._limits.ratio * self._used
        if self._decoded > self._limits.decoded:
            raise AbortedResponse(Fault.BOMB if swollen else Fault.TOO_LARGE)
        if swollen and self._decoded > MAX_EXEMPT_BYTES:
            raise AbortedResponse(Fault.BOMB)
        self._append(data)

    def end(self) -> bytes:
        """Return the decoded body; raise `BrokenCoding` if its coding is incomplete."""
        if self._decoder is not None:
            self._decoder.close()
        return bytes(self._content)

    def _append(self, data: bytes) -> None:
        # Most bodies arrive in one piece, which is not copied. A list of pieces would take
        # twenty times the memory of a body that a server sends in chunks of two bytes.
        if not self._content:
            self._content = data
        else:
            if isinstance(self._content, bytes):
                self._content = bytearray(self._content)
            self._content += data
