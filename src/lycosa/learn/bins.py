"""Bins: regression by classification (Torgo & Gama 1997).

A classifier estimates the probability of each bin of values; the estimate of the value is the
mean of the bins' mean training values, weighted by these probabilities (Rennie & McCallum
1999, section 2.4).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.errors import UsageError

_RELATIVE_TOLERANCE = 1e-9  # values are sums of powers: what should be 1 may be 1 - 1e-16


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Bins of values; bin 0 has the highest.

    `borders` are the lower borders of all bins but the last, in descending order.
    """

    borders: NDArray[np.float64]

    @classmethod
    def by_powers(cls, count: int, gamma: float) -> Bins:
        """Return bins with the lower borders 1, gamma, gamma squared, …, and a last one below.

        Two bins are the criterion Immediate: reward now, or not. Four bins with gamma 0.5:

        >>> Bins.by_powers(4, 0.5).of(np.array([1.4, 1.0, 0.7, 0.5, 0.3, 0.0])).tolist()
        [0, 0, 1, 1, 2, 3]
        """
        if count < 2:
            raise UsageError(f"{count} bins cannot separate values; ask for at least 2.")
        # Python's power, not numpy's, whose last bit depends on the CPU.
        return cls(np.array([gamma**k for k in range(count - 1)], np.float64))

    @classmethod
    def by_quantiles(cls, count: int, values: NDArray[np.float64]) -> Bins:
        """Return bins that divide the values above 0 equally; the last holds the zeros.

        >>> Bins.by_quantiles(3, np.array([0.0, 0.1, 0.2, 0.3, 0.4])).of(np.array([0.4, 0.2, 0.0]))
        array([0, 1, 2])
        """
        if count < 2:
            raise UsageError(f"{count} bins cannot separate values; ask for at least 2.")
        some = values[values > 0]
        shares = np.arange(count - 2, -1, -1) / (count - 1)
        borders = np.quantile(some, shares) if len(some) else np.zeros(count - 1)
        return cls(np.maximum(borders, np.finfo(float).tiny))

    @property
    def count(self) -> int:
        """Number of bins."""
        return len(self.borders) + 1

    def of(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the bin of each value."""
        below = values[:, None] < self.borders * (1 - _RELATIVE_TOLERANCE)
        return np.asarray(below.sum(axis=1), np.int64)

    def means(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean value of each bin; the lower border of an empty bin."""
        which = self.of(values)
        sums = np.bincount(which, values, self.count)
        sizes = np.bincount(which, minlength=self.count)
        fallback = np.append(self.borders, 0.0)
        return np.where(sizes > 0, sums / np.maximum(sizes, 1), fallback)
