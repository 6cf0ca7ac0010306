"""A search of all files of a project for a text, inside archives and compressed files too."""

import gzip
import io
import tarfile
import zlib
from pathlib import Path


def files_with(folder: Path, text: str) -> set[str]:
    """Return the names of the files below a folder that have a text, in any case of letters."""
    found = set()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found |= _within(path.relative_to(folder).as_posix(), path.read_bytes(), text.lower())
    return found


def _within(name: str, data: bytes, text: str) -> set[str]:
    found = {name} if _has(data, text) else set()
    if name.endswith(".tar"):
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            for member in tar:
                file = tar.extractfile(member)
                if file is not None:
                    names = _within(member.name, file.read(), text)
                    found |= {f"{name}:{each}" for each in names}
    inner = [gzip.decompress(data)] if name.endswith(".gz") else []
    if name.endswith(".store"):
        inner = [*stored_blocks(data)]
    if any(_has(part, text) for part in inner):
        found.add(name)
    return found


def stored_blocks(data: bytes):
    """Yield the blocks of stored fields of a segment of the index, decompressed.

    Each is the size of its content and an LZ4 block; behind them is an index of them.
    """
    at = 0
    while at + 4 < len(data):
        size = int.from_bytes(data[at : at + 4], "little")
        block, at = _lz4_block(data, at + 4, size)
        if block is None:
            return
        yield block


def _lz4_block(data: bytes, at: int, size: int):
    """Return a block of a known size and where it ends; None if there is none."""

    def length(at, first):
        total = first
        while first == 15 and (more := data[at]) is not None:
            total += more
            at += 1
            if more < 255:
                break
        return total, at

    found = bytearray()
    try:
        while len(found) < size:
            token = data[at]
            literals, at = length(at + 1, token >> 4)
            found += data[at : at + literals]
            at += literals
            if len(found) >= size:
                break
            offset = int.from_bytes(data[at : at + 2], "little")
            copied, at = length(at + 2, token & 15)
            if not 0 < offset <= len(found):
                return None, at
            for _ in range(copied + 4):
                found.append(found[-offset])
    except IndexError:
        return None, at
    return (bytes(found) if len(found) == size else None), at


def _has(data: bytes, text: str) -> bool:
    lower = data.lower()
    if text.encode() in lower or text.encode("utf-16-le") in lower:
        return True
    # Conversions of documents are compressed by zlib, each in a row of crawl.db.
    at = -1
    while (at := data.find(b"x\x9c", at + 1)) >= 0:
        try:
            if text.encode() in zlib.decompressobj().decompress(data[at:]).lower():
                return True
        except zlib.error:
            continue
    return False
