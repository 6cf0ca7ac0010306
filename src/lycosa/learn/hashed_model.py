"""Logistic model of the reward behind a link, over hashed features, with its reliability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class WeightedWord(NamedTuple):
    """A word in the bag of this name, and its `weight` in the log-odds."""

    word: str
    bag: str
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class HashedModel:
    """The log-odds of a link are the sum of the weights of its columns, plus `bias`.

    On a new site the model's log-odds are multiplied by `trust`, those of the keywords by
    `faith`, and `base` is added. `telling` are the words with the largest weights, kept to
    explain the model.
    """

    weights: NDArray[np.float64]
    bias: float
    trust: float
    faith: float
    base: float
    telling: tuple[WeightedWord, ...] = ()
