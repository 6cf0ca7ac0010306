"""Scratch arrays: large arrays in temporary files, whose pages can leave memory.

An array of the size of a corpus is read at many places, few of them at a time. In a file that
is mapped into memory it needs no memory of its own: the operating system keeps the pages
that are used, and `Scratch.release` gives up the others. The files have no names, so they are
gone when the arrays are, however the process ends.

>>> numbers = Scratch().array(np.int32)
>>> numbers.reserve(2)[:2] = 7, 8
>>> numbers.reserve(5000)[:3].tolist()
[7, 8, 0]
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO
from weakref import WeakSet, finalize

import numpy as np
from numpy.typing import DTypeLike, NDArray

KEPT_BYTES = 256_000_000
"""Arrays that take less in all are not released: they fit into memory."""
MIN_FILE_BYTES = 1_000_000
"""Arrays that do not grow are in a file only if they take as much."""
PLACES_AT_ONCE = 10_000
"""Rows that `Scratch.take` reads before it releases pages."""
FIRST_ROWS = 1 << 10
"""Room of an array that begins to grow."""
GROWTH = 1.5
"""How many times more room an array has than was asked for."""


class Scratch:
    """Makes arrays in temporary files of a folder, or in memory.

    Parameters
    ----------
    folder
        The folder of the files; None for memory. It should be on a disk: a folder in memory,
        as /tmp often is, saves nothing.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._maps: WeakSet[mmap.mmap] = WeakSet()

    def array(self, dtype: DTypeLike, *width: int) -> GrowingArray:
        """Return an array without rows; a row has the shape `width`."""
        return GrowingArray(self, np.dtype(dtype), width)

    def zeros(self, size: int, dtype: DTypeLike) -> NDArray[Any]:
        """Return an array of so many zeros, which does not grow."""
        if size * np.dtype(dtype).itemsize < MIN_FILE_BYTES:
            return np.zeros(size, dtype)
        return self.array(dtype).reserve(size, exactly=True)

    def stored(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return a copy of an array in a file; without a folder, or if it is small, the array."""
        if self.folder is None or rows.nbytes < MIN_FILE_BYTES:
            return rows
        found = self.zeros(len(rows), rows.dtype)
        found[:] = rows
        return found

    def mapped(self, file: BinaryIO, size: int = 0, access: int = mmap.ACCESS_WRITE) -> mmap.mmap:
        """Map so many bytes of a file into memory, by default all of them."""
        found = mmap.mmap(file.fileno(), size, access=access)
        self._maps.add(found)
        return found

    def take(self, array: NDArray[Any], places: NDArray[np.int64]) -> NDArray[Any]:
        """Return some rows of an array, a copy; the pages that are read leave memory again.

        The operating system reads pages around those that are asked for, so that many places
        would bring the whole array into memory.
        """
        found = np.empty((len(places), *array.shape[1:]), array.dtype)
        for start in range(0, len(places), PLACES_AT_ONCE):
            some = places[start : start + PLACES_AT_ONCE]
            found[start : start + len(some)] = array[some]
            self.release()
        return found

    def release(self) -> None:
        """Let the pages of all arrays leave memory, if they are many; they stay in their files."""
        maps = [*self._maps]
        if sum(map(len, maps)) > KEPT_BYTES and hasattr(mmap, "MADV_DONTNEED"):
            for each in maps:
                each.madvise(mmap.MADV_DONTNEED)


class GrowingArray:
    """An array that grows at its end; made by `Scratch.array`.

    `rows` is the array with its room. It is replaced when it grows: where it is in a file, the
    former one shows the same rows; in memory they are copied.
    """

    def __init__(self, scratch: Scratch, dtype: np.dtype[Any], width: tuple[int, ...]) -> None:
        self._scratch = scratch
        self._file: BinaryIO | None = None
        self.rows: NDArray[Any] = np.zeros((0, *width), dtype)

    def reserve(self, size: int, *, exactly: bool = False) -> NDArray[Any]:
        """Return the array with room for at least so many rows; new ones are 0."""
        if size > len(self.rows):
            room = size if exactly else max(int(size * GROWTH), FIRST_ROWS)
            shape = room, *self.rows.shape[1:]
            if self._scratch.folder is None:
                larger = np.zeros(shape, self.rows.dtype)
                larger[: len(self.rows)] = self.rows
                self.rows = larger
            else:
                self.rows = self._in_file(self._scratch.folder, shape)
        return self.rows

    def _in_file(self, folder: Path, shape: tuple[int, ...]) -> NDArray[Any]:
        if self._file is None:
            self._file = TemporaryFile(dir=folder)  # noqa: SIM115 - open as long as it may grow
            finalize(self, self._file.close)
        size = int(np.prod(shape)) * self.rows.dtype.itemsize
        if hasattr(os, "posix_fallocate"):
            # A full disk is an error here; where a page of a hole is written it ends the process.
            os.posix_fallocate(self._file.fileno(), 0, size)
        else:
            self._file.truncate(size)
        mapped = self._scratch.mapped(self._file, size)
        return np.frombuffer(mapped, self.rows.dtype).reshape(shape)
