"""Vectors of works: a table of unit vectors, and the works nearest to a vector.

A component takes one byte, which changes a cosine by less than a hundredth. Of many
works only a part is compared: rows are grouped around centres, and the groups
whose centres are nearest are searched (inverted file, Sivic & Zisserman 2003;
Jégou, Douze & Schmid 2011).

>>> rows = np.eye(3, dtype=np.float32)
>>> table = VectorTable.of(np.array([7, 5, 6], np.uint64), rows)
>>> table.nearest(np.array([0.1, 0.9, 0.0], np.float32), limit=2)[0].tolist()
[5, 7]
>>> table.cosines(rows[0], np.array([7, 5, 99], np.uint64)).round(2).tolist()
[1.0, 0.0, 0.0]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lycosa.processes import single_threaded_blas

MAX_COMPARED: Final = 10_000
"""Rows that a search for the nearest compares; fewer are all compared."""
ROWS_PER_GROUP: Final = 400
"""The mean size of a group."""
MAX_TRAINING_ROWS: Final = 20_000
"""Rows from which centres are computed."""
MAX_GROUP_GROWTH: Final = 1.5
"""How many times larger or smaller groups may become before there should be others."""
_ROUNDS = 6
_SCALE = 127.0

Numbers = NDArray[np.uint64]
Array = NDArray[np.float32]
Rows = NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class VectorTable:
    """The vectors of works by their numbers.

    `rows` are ordered by group; `numbers` has the work of each row, `order` sorts
    the numbers, `centres` are those of the groups, and group g has the rows from
    `starts[g]` to `starts[g + 1]`.
    """

    numbers: Numbers
    rows: Rows
    order: NDArray[np.int64]
    centres: Array
    starts: NDArray[np.int64]
    _ascending: Numbers = field(init=False, repr=False)
    """The numbers in their order: looking them up through `order` takes ten times as long."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ascending", self.numbers[self.order])

    @classmethod
    def of(cls, numbers: Numbers, rows: Array | Rows) -> VectorTable:
        """Group unit vectors, packed or not, around new centres."""
        packed = pack(rows)
        centres = _centres(numbers, packed)
        return cls._sorted(numbers, packed, _nearest_centres(packed, centres), centres)

    @classmethod
    def _sorted(
        cls, numbers: Numbers, rows: Rows, groups: NDArray[np.int64], centres: Array
    ) -> VectorTable:
        # By number within a group: the table does not depend on the order of indexing.
        at = np.lexsort((numbers, groups))
        starts = np.searchsorted(groups[at], np.arange(len(centres) + 1))
        return cls(numbers[at], rows[at], np.argsort(numbers[at]), centres, starts)

    def __len__(self) -> int:
        return len(self.numbers)

    def changed(self, removed: Numbers, numbers: Numbers, rows: Array | Rows) -> VectorTable:
        """Return the table without some works and with others, which replace their old rows."""
        kept = ~np.isin(self.numbers, np.concatenate([removed, numbers]))
        groups = np.repeat(np.arange(len(self.centres)), np.diff(self.starts))[kept]
        packed = pack(rows.reshape(-1, self.rows.shape[1]))
        return VectorTable._sorted(
            np.concatenate([self.numbers[kept], numbers]),
            np.concatenate([self.rows[kept], packed]),
            np.concatenate([groups, _nearest_centres(packed, self.centres)]),
            self.centres,
        )

    @property
    def has_stale_groups(self) -> bool:
        """Whether so many works were added or removed that they should be grouped again."""
        now, wanted = len(self.centres), max(_groups_wanted(len(self)), 1)
        return wanted > MAX_GROUP_GROWTH * now or now > MAX_GROUP_GROWTH * wanted

    def vectors(self, numbers: Numbers) -> Array:
        """Return the vectors of works; zeros for those without one."""
        if not len(self):
            return np.zeros((len(numbers), self.rows.shape[1]), np.float32)
        places = np.minimum(np.searchsorted(self._ascending, numbers), len(self) - 1)
        found = self.rows[self.order[places]].astype(np.float32) / np.float32(_SCALE)
        found[self._ascending[places] != numbers] = 0
        return np.asarray(found, np.float32)

    def cosines(self, vector: Array, numbers: Numbers) -> Array:
        """Return the cosine of a unit vector with each work."""
        return products(self.vectors(numbers), vector)

    def nearest(self, vector: Array, limit: int) -> tuple[Numbers, Array]:
        """Return the works nearest to a unit vector and their cosines, the nearest first."""
        if not limit:
            return self.numbers[:0], np.empty(0, np.float32)
        found = self._compared(vector)
        cosines = products(self.rows[found].astype(np.float32), vector) / np.float32(_SCALE)
        if limit < len(found):
            least = np.partition(cosines, len(cosines) - limit)[len(cosines) - limit]
            likely = np.flatnonzero(cosines >= least)
            found, cosines = found[likely], cosines[likely]
        numbers = self.numbers[found]
        best = np.lexsort((numbers, -cosines))[:limit]
        return numbers[best], cosines[best]

    def _compared(self, vector: Array) -> NDArray[np.int64]:
        """Return the rows of the groups whose centres are nearest."""
        if len(self) <= MAX_COMPARED:
            return np.arange(len(self))
        chosen: list[NDArray[np.int64]] = []
        room = MAX_COMPARED
        for group in np.argsort(-products(self.centres, vector), kind="stable"):
            rows = np.arange(self.starts[group], self.starts[group + 1])[:room]
            chosen.append(rows)
            room -= len(rows)
            if room <= 0:
                break
        return np.concatenate(chosen)


def products(rows: Array, vector: Array) -> Array:
    """Return the product of each row with a vector.

    Without BLAS, whose threads wait for each other: with another process on the
    same cores that took 78 ms instead of 0.5 for 10,000 rows.
    """
    return np.asarray(np.einsum("ij,j->i", rows, vector), np.float32)


def has_vector(rows: Array) -> NDArray[np.bool_]:
    """Return which rows are not zero."""
    return np.asarray(rows.any(axis=1), np.bool_)


def pack(rows: Array | Rows) -> Rows:
    """Return unit vectors with one byte for each component; packed ones as they are."""
    if rows.dtype == np.int8:
        return np.asarray(rows, np.int8)
    return np.asarray(np.rint(rows * _SCALE), np.int8)


def _groups_wanted(rows: int) -> int:
    return rows // ROWS_PER_GROUP if rows > MAX_COMPARED else 1


def _centres(numbers: Numbers, rows: Rows) -> Array:
    """Return the centres of the groups, by a few rounds of spherical k-means."""
    count = _groups_wanted(len(rows))
    if count <= 1:
        return np.zeros((1, rows.shape[1]), np.float32)
    # A sample by number is the same whatever the order of the rows is.
    sample = rows[np.argsort(numbers)[:: -(-len(rows) // MAX_TRAINING_ROWS)]].astype(np.float32)
    centres = sample[:: max(len(sample) // count, 1)][:count]
    with single_threaded_blas():
        for _ in range(_ROUNDS):
            groups = _nearest_centres(sample, centres)
            sums = np.zeros_like(centres)
            np.add.at(sums, groups, sample)
            lengths = np.linalg.norm(sums, axis=1, keepdims=True)
            centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), centres)
    return np.asarray(centres, np.float32)


def _nearest_centres(rows: Array | Rows, centres: Array, batch: int = 8192) -> NDArray[np.int64]:
    """Return the nearest centre of each row."""
    if len(centres) <= 1:
        return np.zeros(len(rows), np.int64)
    found = [
        np.argmax(rows[start : start + batch].astype(np.float32) @ centres.T, axis=1)
        for start in range(0, len(rows), batch)
    ]
    return np.concatenate(found) if found else np.zeros(0, np.int64)
