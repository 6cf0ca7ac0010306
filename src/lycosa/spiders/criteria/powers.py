"""Powers of the discount, the same to the last bit on every CPU."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def powers(gamma: float, count: int) -> NDArray[np.float64]:
    """Return gamma to the power of 0, 1, ..., count - 1, each the last one times gamma.

    Multiplication is exact to half a unit in the last place wherever IEEE 754
    holds; numpy's vectorised power is not, and differs from CPU to CPU. A value
    that equals a cutoff or the border of a bin must not depend on that.

    >>> powers(0.5, 4).tolist()
    [1.0, 0.5, 0.25, 0.125]
    """
    table = np.full(count, gamma)
    table[:1] = 1.0
    return np.multiply.accumulate(table)
