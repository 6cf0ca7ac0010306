"""A model of what links are worth over hashed columns, and how far it may be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class WeightedWord(NamedTuple):
    """A word in a bag, and what it adds to the log-odds."""

    word: str
    bag: str
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class HashedModel:
    """Log-odds are the sum of the weights of a link's columns, and `bias`.

    On a site it has not seen, what it says counts `trust` times, and what the
    keywords say `faith` times; `base` is added. `telling` are words it goes by.
    """

    weights: NDArray[np.float64]
    bias: float
    trust: float
    faith: float
    base: float
    telling: tuple[WeightedWord, ...] = ()
