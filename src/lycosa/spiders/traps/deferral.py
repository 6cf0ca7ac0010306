"""Scores for links that are to wait until no other does, whatever the scale of the others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LOWEST = -(2.0**999)
"""No link that is not deferred has a lower score."""
_BELOW = -(2.0**1000)
_SPAN = 1024.0  # more than asinh of any float


def honest(scores: NDArray[Any]) -> NDArray[np.float64]:
    """The scores of links that are not deferred."""
    result: NDArray[np.float64] = np.maximum(scores, LOWEST, dtype=np.float64)
    return result


def deferred(scores: NDArray[Any]) -> NDArray[np.float64]:
    """The same links below all others, in the same order.

    asinh is a logarithm on both sides of zero: it brings all floats into a
    span of ±711, so that they keep 52 - 10 bits wherever they were.

    >>> one, two = deferred(np.array([0.25, 0.2500001]))
    >>> bool(one < two < honest(np.array([-1e308]))[0])
    True
    """
    result: NDArray[np.float64] = _BELOW * (_SPAN - np.arcsinh(np.asarray(scores, np.float64)))
    return result
