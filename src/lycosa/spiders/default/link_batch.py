"""The columns of many links of a page as arrays, so that a page is scored in a few calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import Floats
from lycosa.spiders.default.words import BatchBag

_COLUMN_BITS = 16


class LinkBatch:
    """The columns of some links: column k belongs to link `owner[k]`, to bag `bag[k]` of it.

    >>> first = np.array([0, 1, 1]), np.array([7, 5, 5], np.uint16)
    >>> position = np.array([0, 1]), np.array([7, 9], np.uint16)
    >>> batch = LinkBatch.of([first, position], size=2)
    >>> batch.rows().starts.tolist(), batch.rows().words.tolist()
    ([0, 1, 3], [7, 5, 9])
    >>> batch.scaled_sums(np.arange(10.0)).round(2).tolist()
    [14.0, 16.07]
    """

    __slots__ = ("_bag", "_bags", "_column", "_owner", "_size")

    def __init__(
        self, owner: NDArray[np.intp], bag: NDArray[np.intp], column: NDArray[np.uint16],
        size: int, bags: int,
    ) -> None:  # fmt: skip
        self._owner = owner
        self._bag = bag
        self._column = column
        self._size = size
        self._bags = bags

    @classmethod
    def of(cls, bags: Sequence[BatchBag], size: int) -> Self:
        """Return the bags of that many links; the last bag is the position."""
        owners, columns = zip(*bags, strict=True)
        bag = np.repeat(np.arange(len(bags)), list(map(len, owners)))
        return cls(np.concatenate(owners), bag, np.concatenate(columns), size, len(bags))

    def __len__(self) -> int:
        return self._size

    def rows(self) -> Rows:
        """Return the distinct columns of each link, sorted."""
        keys = (self._owner << _COLUMN_BITS) | self._column
        keys.sort()
        distinct = np.ones(len(keys), np.bool_)
        np.not_equal(keys[1:], keys[:-1], out=distinct[1:])
        keys = keys[distinct]
        starts = keys.searchsorted(np.arange(self._size + 1) << _COLUMN_BITS)
        return Rows(starts, (keys & (2**_COLUMN_BITS - 1)).astype(np.int32))

    def scaled_sums(self, weights: Floats) -> Floats:
        """Return the sum of the weights of each link's columns, with values as in `scaled`."""
        group = self._owner * self._bags + self._bag
        count = self._size * self._bags
        sums = np.bincount(group, weights.take(self._column), count)
        sizes = np.maximum(np.bincount(group, minlength=count), 1)
        parts = sums.reshape(self._size, self._bags)
        scale = np.sqrt(sizes.reshape(self._size, self._bags))
        scale[:, -1] = 1.0
        return np.asarray((parts / scale).sum(axis=1))
