"""Content codings undone piece by piece: gzip, deflate, br and zstd (RFC 9110, 8.4.1).

Decoders are chained: each writes what it decodes to the next, at most a few
megabytes at a time, and the last writes to a sink that may raise to stop them
all. However much a body grows, no more of it is made than the sink takes.

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
from typing import Any, Protocol

import brotli
import zstandard

ACCEPTED = "gzip, deflate, br, zstd"
"""What may be asked of servers: the value of Accept-Encoding."""

_MOST_CODINGS = 3
_MOST_MEMBERS = 100  # to begin one costs far more than the few bytes of an empty one
_PIECE = 1 << 16
# A block of zstd is at least 4 bytes and at most 128 KiB when decoded, and all
# blocks of one write are decoded at once: 128 bytes are 4 MiB at worst.
_ZSTD_PIECE = 128
_ZSTD_WINDOW = 1 << 23  # RFC 9659
_NAMES = {"gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate", "br": "br", "zstd": "zstd"}


class BrokenCoding(Exception):
    """A body that is not what its Content-Encoding says."""


class Sink(Protocol):
    """Where decoded bytes go."""

    def write(self, data: bytes, /) -> Any:
        """Take some bytes."""


class Decoder(Protocol):
    """Undoes one coding."""

    def write(self, data: bytes, /) -> Any:
        """Take some encoded bytes."""

    def close(self) -> None:
        """Nothing more will come: raises `BrokenCoding` if something is missing."""


def codings(header: str) -> list[str]:
    """The codings a Content-Encoding names; none if we do not know all of them.

    Servers put charsets and other words there; like browsers we then leave the
    body alone.

    >>> codings("GZIP, identity,br"), codings("utf-8")
    (['gzip', 'br'], [])
    """
    names = [name.strip().lower() for name in header.split(",")]
    names = [name for name in names if name not in ("", "identity")]
    if len(names) > _MOST_CODINGS or not all(name in _NAMES for name in names):
        return []
    return [_NAMES[name] for name in names]


def decoder_for(header: str, sink: Sink) -> Decoder | None:
    """What undoes all codings of a Content-Encoding, or None if there are none."""
    decoder: Decoder | None = None
    for name in codings(header):  # in the order they were applied: the last is undone first
        target: Decoder = decoder or _End(sink)
        match name:
            case "br":
                decoder = _Brotli(target)
            case "zstd":
                decoder = _Zstd(target)
            case _:
                decoder = _Zlib(target, gzip=name == "gzip")
    return decoder


class _End:
    def __init__(self, sink: Sink) -> None:
        self.write = sink.write

    def close(self) -> None:
        pass


def _one_more(members: int) -> int:
    if members == _MOST_MEMBERS:
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
                # What is behind the end and is no other member is passed over, as browsers do.
                if not self._gzip or data[0] != 0x1F:
                    return
                self._engine = zlib.decompressobj(wbits=31)
                self._members = _one_more(self._members)
            self._members = self._members or 1
            try:
                text = self._engine.decompress(data, _PIECE)
            except zlib.error as error:
                raise BrokenCoding("The compressed body is damaged.") from error
            if text:
                self._target.write(text)
            data = self._engine.unused_data or self._engine.unconsumed_tail
            more = len(text) == _PIECE and not self._engine.eof

    def close(self) -> None:
        if self._members and not (self._engine and self._engine.eof):
            raise BrokenCoding("The compressed body ends too early.")
        self._target.close()


class _Brotli:
    def __init__(self, target: Decoder) -> None:
        self._target = target
        self._engine = brotli.Decompressor()
        self._empty = True

    def write(self, data: bytes) -> None:
        self._empty = False
        more = True
        while more and not self._engine.is_finished():
            try:
                text = self._engine.process(data, output_buffer_limit=_PIECE)
            except brotli.error as error:
                raise BrokenCoding("The compressed body is damaged.") from error
            if text:
                self._target.write(text)
            data = b""
            # It also takes more while it still holds back what did not fit.
            more = len(text) >= _PIECE or not self._engine.can_accept_more_data()

    def close(self) -> None:
        if not self._empty and not self._engine.is_finished():
            raise BrokenCoding("The compressed body ends too early.")
        self._target.close()


class _Zstd:
    def __init__(self, target: Decoder) -> None:
        self._target = target
        self._context = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        self._engine = self._context.decompressobj()
        self._members = 0

    def write(self, data: bytes) -> None:
        for at in range(0, len(data), _ZSTD_PIECE):
            piece = data[at : at + _ZSTD_PIECE]
            while piece:
                if self._engine.eof:
                    self._engine = self._context.decompressobj()
                    self._members = _one_more(self._members)
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
