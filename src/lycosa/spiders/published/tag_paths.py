"""Tag paths put into groups while they come in: links in like places of like pages.

A path is a vector of its pairs of neighbouring tags, hashed; it joins the group
whose centre is nearest, or founds a new one if none is near enough (the leader
algorithm, Hartigan 1975).
"""

from __future__ import annotations

from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Strings

_COLUMNS = 256
_MOST = 256  # groups; after that every path joins the nearest


class TagPaths:
    """The group of every tag path of a table, given at first sight.

    >>> from lycosa.content import Table
    >>> paths = Table(["body/ul/li/a", "body/table/tr/td/a", "body/ul/li/b/a"])
    >>> TagPaths().groups(paths, np.array([0, 1, 0, 2], np.int32), near=0.6)
    array([0, 1, 0, 0])
    """

    def __init__(self) -> None:
        self._known: dict[int, int] = {}
        self._sums = np.zeros((_MOST, _COLUMNS))
        self._sizes = np.zeros(_MOST)
        self.count = 0

    def groups(
        self, table: Strings, paths: NDArray[np.int32], near: float = 0.75
    ) -> NDArray[np.int64]:
        """The group of each path; one is as `near` to its centre as this cosine, or founds one."""
        kinds, places = np.unique(paths, return_inverse=True)
        mine = []
        for path in kinds.tolist():
            if path not in self._known:
                self._known[path] = self._placed(_vector(table[path]), near)
            mine.append(self._known[path])
        return np.array(mine, np.int64)[places]

    def _placed(self, vector: NDArray[np.float64], near: float) -> int:
        columns = vector.nonzero()[0]  # few of them
        shared = (self._sums[: self.count, columns] * vector[columns]).sum(axis=1)
        cosines = shared / self._sizes[: self.count]
        group = int(cosines.argmax()) if self.count else 0
        if self.count < _MOST and (not self.count or cosines[group] < near):
            group, self.count = self.count, self.count + 1
        self._sums[group] += vector
        self._sizes[group] = np.sqrt((self._sums[group] ** 2).sum())
        return group


def _vector(path: str) -> NDArray[np.float64]:
    """A vector of length 1 of the pairs of tags; ends count as tags."""
    tags = ["", *path.split("/"), ""]
    pairs = [f"{one}/{two}" for one, two in pairwise(tags)]
    columns = [crc32(pair.encode()) % _COLUMNS for pair in pairs]
    vector = np.bincount(columns, minlength=_COLUMNS).astype(np.float64)
    return np.asarray(vector / np.sqrt((vector**2).sum()))
