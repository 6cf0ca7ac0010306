"""The bytes of a file, decompressed piece by piece, going on after damage.

gzip and zstd files may be many compressed members one after another. A member
that cannot be decompressed is given up, and reading goes on at the next place
that looks like the beginning of one.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import zstandard

# A fault costs at most this much of what came before it; and after a member the
# rest of a chunk is copied, so that a large one would make many small members slow.
_CHUNK = 1 << 14


@dataclass(frozen=True, slots=True)
class Piece:
    """Some bytes, and how far the file was read for them.

    `offset` is set where they can be read again from that place.
    """

    data: bytes
    offset: int | None
    reached: int


@dataclass(frozen=True, slots=True)
class Break:
    """Bytes of the file that could not be decompressed."""

    lost: int


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class _Format:
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


def pieces(path: Path, offset: int = 0) -> Iterator[Piece | Break]:
    """The content of a file from `offset` on, by what its suffix says it is."""
    with path.open("rb") as file:
        file.seek(offset)
        form = _FORMATS.get(path.suffix)
        if form is None:
            while data := file.read(1 << 20):
                yield Piece(data, file.tell() - len(data), file.tell())
        else:
            yield from _members(file, form)


def _members(file: BinaryIO, form: _Format) -> Iterator[Piece | Break]:
    """One member after another."""
    # What is in `data` is read but not used: it begins at `file.tell() - len(data)`.
    data = file.read(_CHUNK)
    while data:
        if len(data) < len(form.magic):  # the end of a chunk cuts it in two
            data += file.read(_CHUNK)
        begin = file.tell() - len(data)
        if not data.startswith(form.magic):
            padding = not data.strip(b"\0")
            data = _to_magic(file, data, form.magic)
            if not padding or data:
                yield Break(file.tell() - len(data) - begin)
            continue
        engine: _Decompressor = form.new()
        first: int | None = begin
        try:
            while data and not engine.eof:
                text = engine.decompress(data)
                yield Piece(text, first, file.tell())
                first = None
                data = engine.unused_data or file.read(_CHUNK)
            whole = engine.eof
        except form.error:
            whole = False
            data = _to_magic(file, data[1:], form.magic)
        if not whole:
            yield Break(file.tell() - len(data) - begin)


def _to_magic(file: BinaryIO, data: bytes, magic: bytes) -> bytes:
    """Read on to where a member seems to begin; empty at the end of the file."""
    while (found := data.find(magic)) < 0:
        more = file.read(_CHUNK)
        if not more:
            return b""
        data = data[1 - len(magic) :] + more
    return data[found:]
