"""A table of strings on disk, mapped into memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

_BLOCK = 64  # strings that are decoded at once


def load(path: Path) -> NDArray[Any]:
    """Map the array of a file into memory; the operating system reads it on use."""
    # A plain view: numpy's subclass for mapped files makes every slice slow.
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))


class StoredTable:
    """A read-only `Table` on disk: strings by number, and numbers by string.

    The files hold the strings end to end, where each ends, and a sorted array of
    their hashes; nothing is built when the table is opened. `folder` holds the
    files, whose names begin with `name`.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._bytes = load(folder / f"{name}.bytes.npy").data
        self._ends = load(folder / f"{name}.ends.npy")
        self._places = self._ends.data  # of numbers of Python, which are read faster one by one
        self._hashes = load(folder / f"{name}.hashes.npy")
        self._order = load(folder / f"{name}.order.npy")

    @staticmethod
    def write(folder: Path, name: str, strings: Iterable[str]) -> None:
        """Write strings as a table; a string's number is its position."""
        encoded = [s.encode("utf-8", "surrogatepass") for s in strings]
        ends = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(e) for e in encoded], out=ends[1:])
        hashes = np.array([xxhash.xxh3_64_intdigest(e) for e in encoded], np.uint64)
        order = np.argsort(hashes, kind="stable").astype(np.int32)
        np.save(folder / f"{name}.bytes.npy", np.frombuffer(b"".join(encoded), np.uint8))
        np.save(folder / f"{name}.ends.npy", ends)
        np.save(folder / f"{name}.hashes.npy", hashes[order])
        np.save(folder / f"{name}.order.npy", order)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number: int, /) -> str:
        if number < 0:
            raise IndexError(number)
        places = self._places
        return str(self._bytes[places[number] : places[number + 1]], "utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        data, ends = self._bytes, self._ends
        for first in range(0, len(self), _BLOCK):
            places = ends[first : first + _BLOCK + 1].tolist()
            begin, end = places[0], places[-1]
            text = str(data[begin:end], "utf-8", "surrogatepass")
            if len(text) == end - begin:  # a character is a byte: cut after it is decoded
                yield from [text[start - begin : stop - begin] for start, stop in pairwise(places)]
            else:
                for start, stop in pairwise(places):
                    yield str(data[start:stop], "utf-8", "surrogatepass")

    def beginning_with(self, prefixes: Collection[str], /) -> list[tuple[int, str]]:
        """Return the strings that begin with one of some prefixes, with their numbers.

        Few strings of a large table do, so only those are decoded whose first bytes agree.
        """
        starts, sizes = self._ends[:-1], np.diff(self._ends)
        data = np.asarray(self._bytes)
        first = np.zeros((2, len(self)), np.uint16)  # bytes of each string
        for byte in range(2):
            some = sizes > byte
            first[byte, some] = data.take(starts[some] + byte)
        wanted = np.zeros(2**16, np.bool_)
        for prefix in prefixes:
            head = prefix.encode("utf-8", "surrogatepass")[:2]
            low, high = head.ljust(2, b"\0"), head.ljust(2, b"\xff")
            wanted[int.from_bytes(low, "big") : int.from_bytes(high, "big") + 1] = True
        found = wanted.take((first[0] << 8) | first[1]).nonzero()[0].tolist()
        every = [(number, self[number]) for number in found]
        begins = tuple(prefixes)
        return [(number, text) for number, text in every if text.startswith(begins)]

    def find(self, text: str, /) -> int | None:
        """Return the number of a string, or None if it has none."""
        digest = np.uint64(xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")))
        at = int(np.searchsorted(self._hashes, digest))
        while at < len(self._hashes) and self._hashes[at] == digest:
            number = int(self._order[at])
            if self[number] == text:
                return number
            at += 1
        return None
