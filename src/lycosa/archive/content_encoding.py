"""Streaming decoders of content codings: gzip, deflate, br and zstd (RFC 9110, 8.4.1).

Decoders are chained: each writes what it decodes to the next, at most a few
megabytes at a time, and the last writes to a sink, which may raise to stop the
chain. A small body that would decode to gigabytes is decoded only as far as
the sink accepts.

>>> import zlib
>>> class List(list):
...     write = list.append
>>> body = List()
>>> decoder = decoder_for("gzip", body)
>>> decoder.write(zlib.compress(b"a spider's body", wbits=31))
>>> decoder.close()
>>> body
[b"a spider's body"]
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from typing import Any, Protocol

import brotli
import zstandard

ACCEPTED = "gzip, deflate, br, zstd"
"""The codings that can be decoded: the value of Accept-Encoding in requests."""

_MAX_CODINGS = 3
_MAX_MEMBERS = 100  # starting a member costs far more than the few bytes of an empty one
_MAX_OUTPUT_BYTES = 1 << 16  # of one call to zlib or brotli
# A block of zstd is at least 4 bytes and at most 128 KiB when decoded, and all
# blocks of one write are decoded at once: 128 bytes are 4 MiB at worst.
_ZSTD_INPUT_BYTES = 128
_MAX_ZSTD_WINDOW_BYTES = 1 << 23  # RFC 9659
_NAMES = {"gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate", "br": "br", "zstd": "zstd"}


class BrokenCoding(Exception):
    """A body is not coded as its Content-Encoding says."""


class Sink(Protocol):
    """The receiver of decoded bytes."""

    def write(self, data: bytes, /) -> Any:
        """Receive some bytes; raise to stop decoding."""


class Decoder(Protocol):
    """Decodes one coding."""

    def write(self, data: bytes, /) -> Any:
        """Decode some bytes."""

    def close(self) -> None:
        """End the body; raise `BrokenCoding` if it is incomplete."""


def codings(header: str) -> list[str]:
    """Return the codings that a Content-Encoding names; none if any of them is unknown.

    Servers put charsets and other words there; as browsers do, the caller then
    leaves the body as it is.

    >>> codings("GZIP, identity,br"), codings("utf-8")
    (['gzip', 'br'], [])
    """
    names = [name.strip().lower() for name in header.split(",")]
    names = [name for name in names if name not in ("", "identity")]
    if len(names) > _MAX_CODINGS or not all(name in _NAMES for name in names):
        return []
    return [_NAMES[name] for name in names]


def decoder_for(header: str, sink: Sink) -> Decoder | None:
    """Return a decoder of all codings of a Content-Encoding; None if there are none."""
    decoder: Decoder | None = None
    for name in codings(header):  # in the order they were applied: the last is decoded first
        target: Decoder = decoder or _SinkEnd(sink)
        match name:
            case "br":
                decoder = _Brotli(target)
            case "zstd":
                decoder = _Zstd(target)
            case _:
                decoder = _Zlib(target, gzip=name == "gzip")
    return decoder


def decode_body(body: bytes, header: str, limit: int) -> bytes:
    """Decode a whole body, cut off at `limit` bytes; one that ends early is decoded that far.

    Raises `BrokenCoding` if the body is damaged or not coded at all.

    >>> decode_body(zlib.compress(b"a spider's body", wbits=31), "gzip", 8)
    b'a spider'
    """
    sink = _LimitedSink(limit)
    decoder = decoder_for(header, sink)
    if decoder is None:
        return body
    with suppress(_LimitReached):
        decoder.write(body)
    return b"".join(sink.pieces)[:limit]


class _LimitReached(Exception):
    """A sink has all the bytes it accepts."""


class _LimitedSink:
    """Collects bytes and stops the decoders at a limit."""

    def __init__(self, limit: int) -> None:
        self.pieces: list[bytes] = []
        self._room = limit

    def write(self, data: bytes) -> None:
        self.pieces.append(data)
        self._room -= len(data)
        if self._room <= 0:
            raise _LimitReached


class _SinkEnd:
    """The end of a chain of decoders: passes bytes to the sink."""

    def __init__(self, sink: Sink) -> None:
        self.write = sink.write

    def close(self) -> None:
        pass


def _count_member(members: int) -> int:
    if members == _MAX_MEMBERS:
        raise BrokenCoding("The compressed body is in too many parts.")
    return members + 1


class _Zlib:
    """gzip, of one or more members, and deflate, with or without its header."""

    def __init__(self, target: Decoder, *, gzip: bool) -> None:
        self._target = target
        self._gzip = gzip
        self._engine = zlib.decompressobj(wbits=31) if gzip else None
        self._members = 0

    def write(self, data: bytes) -> None:
        more = False
        while data or more:
            if self._engine is None:
                # The standard says zlib, some servers send the bare stream; no
                # encoder begins one with these four bits.
                self._engine = zlib.decompressobj(wbits=15 if data[0] & 15 == 8 else -15)
            elif self._engine.eof:
                # Bytes after the end that begin no other member are ignored, as browsers do.
                if not self._gzip or data[0] != 0x1F:
                    return
                self._engine = zlib.decompressobj(wbits=31)
                self._members = _count_member(self._members)
            self._members = self._members or 1
            try:
                text = self._engine.decompress(data, _MAX_OUTPUT_BYTES)
            except zlib.error as error:
                raise BrokenCoding("The compressed body is damaged.") from error
            if text:
                self._target.write(text)
            data = self._engine.unused_data or self._engine.unconsumed_tail
            more = len(text) == _MAX_OUTPUT_BYTES and not self._engine.eof

    def close(self) -> None:
        if self._members and not (self._engine and self._engine.eof):
            raise BrokenCoding("The compressed body ends too early.")
        self._target.close()


class _Brotli:
    """br (RFC 7932)."""

    def __init__(self, target: Decoder) -> None:
        self._target = target
        self._engine = brotli.Decompressor()
        self._empty = True

    def write(self, data: bytes) -> None:
        self._empty = False
        more = True
        while more and not self._engine.is_finished():
            try:
                text = self._engine.process(data, output_buffer_limit=_MAX_OUTPUT_BYTES)
            except brotli.error as error:
                raise BrokenCoding("The compressed body is damaged.") from error
            if text:
                self._target.write(text)
            data = b""
            # A decompressor that holds back output reports that it cannot accept data.
            more = len(text) >= _MAX_OUTPUT_BYTES or not self._engine.can_accept_more_data()

    def close(self) -> None:
        if not self._empty and not self._engine.is_finished():
            raise BrokenCoding("The compressed body ends too early.")
        self._target.close()


class _Zstd:
    """zstd (RFC 8878), of one or more frames."""

    def __init__(self, target: Decoder) -> None:
        self._target = target
        self._context = zstandard.ZstdDecompressor(max_window_size=_MAX_ZSTD_WINDOW_BYTES)
        self._engine = self._context.decompressobj()
        self._members = 0

    def write(self, data: bytes) -> None:
        for at in range(0, len(data), _ZSTD_INPUT_BYTES):
            piece = data[at : at + _ZSTD_INPUT_BYTES]
            while piece:
                if self._engine.eof:
                    self._engine = self._context.decompressobj()
                    self._members = _count_member(self._members)
                self._members = self._members or 1
                try:
                    text = self._engine.decompress(piece)
                except zstandard.ZstdError as error:
                    raise BrokenCoding("The compressed body is damaged.") from error
                if text:
                    self._target.write(text)
                piece = self._engine.unused_data

    def close(self) -> None:
        if self._members and not self._engine.eof:
            raise BrokenCoding("The compressed body ends too early.")
        self._target.close()
