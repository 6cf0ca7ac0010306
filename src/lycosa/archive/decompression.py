"""Streaming decompression of files that continues after damage.

A gzip or zstd file may consist of many compressed members. A member that cannot
be decompressed is skipped, and reading continues at the next position that
looks like the beginning of one.
"""

from __future__ import annotations

import logging
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import zstandard

# Damage costs at most this much of what precedes it; and the rest of a read is
# copied after each member, so that a larger size would make small members slow.
_READ_BYTES = 1 << 14
_PLAIN_READ_BYTES = 1 << 20

_log = logging.getLogger("lycosa.archive")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Decompressed bytes, and their position in the file."""

    data: bytes
    """The decompressed bytes: a piece of a member, of any size."""
    offset: int | None
    """The position in the file from which the bytes can be read again; None inside a member."""
    reached: int
    """The position up to which the file has been read."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Bytes of the file that could not be decompressed."""

    lost: int
    """Their number, counted in the file, not decompressed."""


class _Decompressor(Protocol):
    """What the decompressors of zlib, lzma and zstandard have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class _Format:
    """A compression: how its members begin, its error, and a factory of decompressors."""

    magic: bytes
    error: type[Exception]
    new: Any


_FORMATS = {
    ".gz": _Format(b"\x1f\x8b\x08", zlib.error, lambda: zlib.decompressobj(wbits=31)),
    ".xz": _Format(b"\xfd7zXZ\0", lzma.LZMAError, lzma.LZMADecompressor),
    ".zst": _Format(
        b"\x28\xb5\x2f\xfd",
        zstandard.ZstdError,
        lambda: zstandard.ZstdDecompressor().decompressobj(),
    ),
}


def read_chunks(path: Path, offset: int = 0) -> Iterator[Chunk | Gap]:
    """Yield the content of a file from `offset` on; its suffix names the compression."""
    with path.open("rb") as file:
        file.seek(offset)
        form = _FORMATS.get(path.suffix)
        if form is None:
            while data := file.read(_PLAIN_READ_BYTES):
                yield Chunk(data, file.tell() - len(data), file.tell())
        else:
            yield from _members(file, form)


def _members(file: BinaryIO, form: _Format) -> Iterator[Chunk | Gap]:
    """Yield the content of one member after another."""
    # `data` is read and not yet used: it begins at `file.tell() - len(data)`.
    data = file.read(_READ_BYTES)
    while data:
        if len(data) < len(form.magic):  # the end of a read cuts the magic in two
            data += file.read(_READ_BYTES)
        begin = file.tell() - len(data)
        if not data.startswith(form.magic):
            padding = not data.strip(b"\0")
            data = _to_magic(file, data, form.magic)
            if not padding or data:
                yield Gap(file.tell() - len(data) - begin)
            continue
        engine: _Decompressor = form.new()
        first: int | None = begin
        try:
            while data and not engine.eof:
                text = engine.decompress(data)
                yield Chunk(text, first, file.tell())
                first = None
                data = engine.unused_data or file.read(_READ_BYTES)
            whole = engine.eof
        except form.error:
            _log.debug("A member of %s at byte %d is damaged", file.name, begin, exc_info=True)
            whole = False
            data = _to_magic(file, data[1:], form.magic)
        if not whole:
            yield Gap(file.tell() - len(data) - begin)


def _to_magic(file: BinaryIO, data: bytes, magic: bytes) -> bytes:
    """Return the bytes from the next magic on; empty if the file ends before."""
    while (found := data.find(magic)) < 0:
        more = file.read(_READ_BYTES)
        if not more:
            return b""
        data = data[1 - len(magic) :] + more
    return data[found:]
