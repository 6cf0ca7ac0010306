"""On-line clustering of tag paths, which groups links at similar places of similar pages.

A path is a vector of its pairs of neighbouring tags, hashed; it joins the group
with the nearest centre, or starts a new one if none is near enough (the leader
algorithm, Hartigan 1975).
"""

from __future__ import annotations

from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Strings

_COLUMNS = 256
_MAX_GROUPS = 256  # after that every path joins the nearest


class TagPaths:
    """The groups of tag paths; a path keeps the group it is given first.

    >>> from lycosa.content import Table
    >>> paths = Table(["body/ul/li/a", "body/table/tr/td/a", "body/ul/li/b/a"])
    >>> TagPaths().groups(paths, np.array([0, 1, 0, 2], np.int32), near=0.6)
    array([0, 1, 0, 0])
    """

    def __init__(self) -> None:
        self._known: dict[int, int] = {}
        self._sums = np.zeros((_MAX_GROUPS, _COLUMNS))
        self._sizes = np.zeros(_MAX_GROUPS)
        self.count = 0

    def groups(
        self, table: Strings, paths: NDArray[np.int32], near: float = 0.75
    ) -> NDArray[np.int64]:
        """Return the group of each path; `near` is the least cosine to the centre of a group."""
        kinds, indices = np.unique(paths, return_inverse=True)
        groups = []
        for path in kinds.tolist():
            if path not in self._known:
                self._known[path] = self._assign(_vector(table[path]), near)
            groups.append(self._known[path])
        return np.array(groups, np.int64)[indices]

    def _assign(self, vector: NDArray[np.float64], near: float) -> int:
        columns = vector.nonzero()[0]  # few of them
        shared = (self._sums[: self.count, columns] * vector[columns]).sum(axis=1)
        cosines = shared / self._sizes[: self.count]
        group = int(cosines.argmax()) if self.count else 0
        if self.count < _MAX_GROUPS and (not self.count or cosines[group] < near):
            group, self.count = self.count, self.count + 1
        self._sums[group] += vector
        self._sizes[group] = np.sqrt((self._sums[group] ** 2).sum())
        return group


def _vector(path: str) -> NDArray[np.float64]:
    """Return a vector of norm 1 of the pairs of tags; the ends count as tags."""
    tags = ["", *path.split("/"), ""]
    pairs = [f"{one}/{two}" for one, two in pairwise(tags)]
    columns = [crc32(pair.encode()) % _COLUMNS for pair in pairs]
    vector = np.bincount(columns, minlength=_COLUMNS).astype(np.float64)
    return np.asarray(vector / np.sqrt((vector**2).sum()))
