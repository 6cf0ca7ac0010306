"""The columns of many links of a page as arrays, so that a page is scored in a few calls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import Floats
from lycosa.spiders.default.link_rows import bag_sums, distinct_rows


@dataclass(frozen=True, slots=True, eq=False)
class LinkBatch:
    """The columns of some links.

    >>> sizes = np.array([[1, 0, 0, 0, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 0, 0, 0, 1]])
    >>> batch = LinkBatch(sizes, np.array([7, 7, 5, 5, 9], np.uint16))
    >>> batch.rows().starts.tolist(), batch.rows().words.tolist()
    ([0, 1, 3], [7, 5, 9])
    >>> batch.scaled_sums(np.arange(2.0**16)).round(2).tolist()
    [14.0, 16.07]
    """

    sizes: NDArray[np.int32]
    """For each link the number of columns of each bag; the last bag is the position."""
    columns: NDArray[np.uint16]
    """The columns by link and bag."""

    def __len__(self) -> int:
        return len(self.sizes)

    def rows(self) -> Rows:
        """Return the distinct columns of each link, sorted."""
        return Rows(*distinct_rows(self.sizes, self.columns))

    def scaled_sums(self, weights: Floats) -> Floats:
        """Return the sum of the weights of each link's columns, with values as in `scaled`."""
        scale = np.sqrt(np.maximum(self.sizes, 1))
        scale[:, -1] = 1.0
        return np.asarray((bag_sums(self.sizes, self.columns, weights) / scale).sum(axis=1))
