"""Columns of members: names and packed fields of millions, in a few large pieces of memory.

>>> names = NameColumn(["w1", "w22"])
>>> names.extend(["w3"])
>>> names[1], len(names), names.array.tolist()
('w22', 3, [b'w1', b'w22', b'w3'])
>>> packed = PackedColumn([b"one", b"three"])
>>> packed.append(b"two")
>>> packed[1] = b"four"
>>> packed[1:], len(packed)
([b'four', b'two'], 3)
"""

from __future__ import annotations

import mmap
import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from tempfile import TemporaryFile
from typing import Any, BinaryIO, overload
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from lycosa.scratch import Scratch

NAME_BYTES = 17
"""A letter and a hash of sixteen; a longer name widens the column."""

NAMES_AT_ONCE = 10_000
"""Names that are decoded at once."""
PIECE_BYTES = 16_000_000
"""Size of the pieces in which packed members are stored."""


class NameColumn(Sequence[str]):
    """Names of members as one array of bytes; `scratch` makes it."""

    def __init__(self, names: Iterable[str] = (), scratch: Scratch | None = None) -> None:
        self._scratch = scratch or Scratch()
        self._column = self._scratch.array(f"S{NAME_BYTES}")
        self._count = 0
        self.extend(list(names))

    @classmethod
    def of(cls, rows: NDArray[np.bytes_]) -> NameColumn:
        """Return a column that has an array of names."""
        found = cls()
        found._column.rows, found._count = rows, len(rows)
        return found

    @property
    def array(self) -> NDArray[np.bytes_]:
        """The names as bytes."""
        return self._column.rows[: self._count]

    def append(self, name: str) -> None:
        """Add a name."""
        self.extend([name])

    def extend(self, names: Sequence[str]) -> None:
        """Add names."""
        more = np.array([name.encode("ascii", "replace") for name in names], "S")
        end = self._count + len(more)
        if more.dtype.itemsize > self._column.rows.dtype.itemsize:
            wider = self._scratch.array(more.dtype)
            wider.reserve(end)[: self._count] = self.array
            self._column = wider
        self._column.reserve(end)[self._count : end] = more
        self._count = end

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [each.decode() for each in self.array[number].tolist()]
        name: bytes = self.array[number]
        return name.decode()

    def __iter__(self) -> Iterator[str]:
        for start in range(0, self._count, NAMES_AT_ONCE):
            yield from self[start : start + NAMES_AT_ONCE]

    def numbers_of(self, wanted: Iterable[str]) -> dict[str, int]:
        """Return the numbers of some names; those that are not in the column are left out."""
        asked = np.array(sorted({name.encode("ascii", "replace") for name in wanted}), "S")
        if not len(asked) or not self._count:
            return {}
        # The few names are sorted, not the many of the column.
        nearest = np.minimum(np.searchsorted(asked, self.array), len(asked) - 1)
        places = np.flatnonzero(asked[nearest] == self.array)
        return {self[int(place)]: int(place) for place in places[::-1]}


class PackedColumn(Sequence[bytes]):
    """Packed fields of members in a few pieces of memory, which may be memory-mapped files.

    A member that is replaced leaves its old bytes where they are. `scratch` makes the pieces.
    """

    def __init__(self, members: Iterable[bytes] = (), scratch: Scratch | None = None) -> None:
        self._scratch = scratch or Scratch()
        self._pieces: list[NDArray[np.uint8]] = []
        self._ends: list[int] = [0]  # of the bytes in all pieces before a piece, and in all
        self._more = bytearray()
        self._file: BinaryIO | None = (
            None  # with the bytes before them, if the scratch has a folder
        )
        self._starts = self._scratch.array(np.int64)
        self._sizes = self._scratch.array(np.int32)
        self._count = 0
        for member in members:
            self.append(member)

    @classmethod
    def of(
        cls, pieces: Iterable[NDArray[np.uint8]], starts: NDArray[Any], sizes: NDArray[Any]
    ) -> PackedColumn:
        """Return a column whose members are parts of the bytes in all pieces."""
        found = cls()
        found._pieces = [piece for piece in pieces if len(piece)]
        found._ends = [0, *accumulate(map(len, found._pieces))]
        found._starts.rows, found._sizes.rows, found._count = starts, sizes, len(starts)
        return found

    @property
    def pieces(self) -> list[NDArray[np.uint8]]:
        """All bytes, in pieces."""
        pieces = [*self._pieces, np.frombuffer(bytes(self._more), np.uint8)]
        if self._file is not None:
            whole = self._scratch.mapped(self._file, access=mmap.ACCESS_READ)
            pieces.insert(0, np.frombuffer(whole, np.uint8))
        return pieces

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where the bytes of each member begin."""
        return self._starts.rows[: self._count]

    @property
    def sizes(self) -> NDArray[np.int32]:
        """How many bytes each member has."""
        return self._sizes.rows[: self._count]

    def append(self, member: bytes) -> None:
        """Add a member."""
        self._count += 1
        self._starts.reserve(self._count)
        self._sizes.reserve(self._count)
        self[self._count - 1] = member

    def __setitem__(self, number: int, member: bytes) -> None:
        self._starts.rows[number] = self._ends[-1] + len(self._more)
        self._sizes.rows[number] = len(member)
        self._more += member
        if len(self._more) >= PIECE_BYTES:
            self._seal()

    def _seal(self) -> None:
        """Store the last bytes: as a piece, or in a file."""
        folder = self._scratch.folder
        if folder is None:
            self._pieces.append(np.frombuffer(bytes(self._more), np.uint8))
            self._ends.append(self._ends[-1] + len(self._more))
        else:
            if self._file is None:
                self._file = TemporaryFile(dir=folder)  # noqa: SIM115 - open while it is read
                finalize(self, self._file.close)
            self._file.write(self._more)
            self._file.flush()
            self._ends[-1] += len(self._more)
        self._more = bytearray()

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, number: int) -> bytes: ...
    @overload
    def __getitem__(self, number: slice) -> list[bytes]: ...
    def __getitem__(self, number: int | slice) -> bytes | list[bytes]:
        if isinstance(number, slice):
            return [self[n] for n in range(*number.indices(self._count))]
        if not -self._count <= number < self._count:
            raise IndexError(number)
        number %= self._count
        start, size = int(self._starts.rows[number]), int(self._sizes.rows[number])
        if self._file is not None and start < self._ends[-1]:
            # Members are read in any order: mapped, the whole file would come into memory.
            return os.pread(self._file.fileno(), size, start)
        piece = bisect_right(self._ends, start) - 1
        start -= self._ends[piece]
        if piece < len(self._pieces):
            return self._pieces[piece][start : start + size].tobytes()
        return bytes(self._more[start : start + size])
