"""Bayesian model averaging: the log-odds of two models, mixed (Hoeting et al. 1999).

The probability is the mean of both, weighted by their shares. Logarithms are those of the C
library, not of numpy, whose last digits depend on the processor; `model_averaging.pyx`, the same
in C, gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log, log1p

import numpy as np
from numpy.typing import NDArray

_EPSILON = float(np.finfo(np.float64).eps)  # the least probability of either outcome


def averaged(
    first: NDArray[np.float64], second: NDArray[np.float64], one: float, two: float
) -> NDArray[np.float64]:
    """Return the log-odds of the mean, given those of two models and the share of each.

    >>> averaged(np.array([0.0, 1.0]), np.array([0.0, -1.0]), 0.5, 0.5).round(9)
    array([0., 0.])
    """
    return np.array(averaged_few(first.tolist(), second.tolist(), one, two), np.float64)


def averaged_few(
    first: Iterable[float], second: Iterable[float], one: float, two: float
) -> list[float]:
    """Return the same for a few numbers, for which lists are faster than arrays.

    >>> averaged_few([0.0], [0.0], 0.25, 0.75)
    [0.0]
    """
    found = []
    for odds, other_odds in zip(first, second, strict=True):
        probability = one * (1 / (1 + exp(min(-odds, 500.0))))
        probability += two * (1 / (1 + exp(min(-other_odds, 500.0))))
        probability = min(max(probability, _EPSILON), 1 - _EPSILON)
        found.append(log(probability) - log1p(-probability))
    return found
