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

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

NAME_BYTES = 17
"""A letter and a hash of sixteen; a longer name widens the column."""

_FIRST_ROOM = 1 << 10


class NameColumn(Sequence[str]):
    """Names of members as one array of bytes."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._rows = np.empty(0, f"S{NAME_BYTES}")
        self._count = 0
        self.extend(list(names))

    @classmethod
    def of(cls, rows: NDArray[np.bytes_]) -> NameColumn:
        """Return a column that has an array of names."""
        found = cls()
        found._rows, found._count = rows, len(rows)
        return found

    @property
    def array(self) -> NDArray[np.bytes_]:
        """The names as bytes."""
        return self._rows[: self._count]

    def extend(self, names: Sequence[str]) -> None:
        """Add names."""
        more = np.array([name.encode("ascii", "replace") for name in names], "S")
        end = self._count + len(more)
        width = max(self._rows.dtype.itemsize, more.dtype.itemsize)
        if end > len(self._rows) or width > self._rows.dtype.itemsize:
            room = np.empty(max(end + end // 2, _FIRST_ROOM), f"S{width}")
            room[: self._count] = self.array
            self._rows = room
        self._rows[self._count : end] = more
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
        return bytes(self.array[number]).decode()

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

    A member that is replaced leaves its old bytes where they are.
    """

    def __init__(self, members: Iterable[bytes] = ()) -> None:
        self._pieces: list[NDArray[np.uint8]] = []
        self._ends: list[int] = [0]  # of the bytes in all pieces before a piece, and in all
        self._more = bytearray()
        self._starts = np.empty(_FIRST_ROOM, np.int64)
        self._sizes = np.empty(_FIRST_ROOM, np.int32)
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
        found._starts, found._sizes, found._count = starts, sizes, len(starts)
        return found

    @property
    def pieces(self) -> list[NDArray[np.uint8]]:
        """All bytes, in pieces."""
        return [*self._pieces, np.frombuffer(bytes(self._more), np.uint8)]

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where the bytes of each member begin."""
        return self._starts[: self._count]

    @property
    def sizes(self) -> NDArray[np.int32]:
        """How many bytes each member has."""
        return self._sizes[: self._count]

    def append(self, member: bytes) -> None:
        """Add a member."""
        if self._count == len(self._starts):
            room = max(self._count + self._count // 2, _FIRST_ROOM)
            self._starts = np.resize(self._starts, room)
            self._sizes = np.resize(self._sizes, room)
        self._count += 1
        self[self._count - 1] = member

    def __setitem__(self, number: int, member: bytes) -> None:
        self._starts[number] = self._ends[-1] + len(self._more)
        self._sizes[number] = len(member)
        self._more += member

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
        start, size = int(self._starts[number]), int(self._sizes[number])
        piece = bisect_right(self._ends, start) - 1
        start -= self._ends[piece]
        if piece < len(self._pieces):
            return self._pieces[piece][start : start + size].tobytes()
        return bytes(self._more[start : start + size])
