"""Scores of deferred links: below those of all other links, whatever their scale."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LOWEST = -(2.0**999)
"""The lowest score of a link that is not deferred."""
_DEFERRED_SCALE = -(2.0**1000)
_DEFERRED_SPAN = 1024.0  # more than asinh of any float, which is at most 711


def not_deferred(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Return the scores of links that are not deferred, none of them below `LOWEST`."""
    result: NDArray[np.float64] = np.maximum(scores, LOWEST, dtype=np.float64)
    return result


def deferred(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Return scores below `LOWEST` in the order of the given scores.

    asinh is a logarithm on both sides of zero: it maps all floats to a span of
    ±711, so that they keep 52 - 10 bits of precision at every magnitude.

    >>> one, two = deferred(np.array([0.25, 0.2500001]))
    >>> bool(one < two < not_deferred(np.array([-1e308]))[0])
    True
    """
    span = _DEFERRED_SPAN - np.arcsinh(np.asarray(scores, np.float64))
    result: NDArray[np.float64] = _DEFERRED_SCALE * span
    return result
