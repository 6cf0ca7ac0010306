"""SplitMix64: unrelated numbers from neighbouring ones, without any state.

Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def splitmix64(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the output of the generator in each of the states `values`.

    >>> splitmix64(np.array([0, 1], np.uint64)).tolist()
    [16294208416658607535, 7960286522194355700]
    """
    values = (values + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


class SeededHash:
    """A hash of non-negative numbers under a seed, which may be any integer.

    >>> one, two = SeededHash(1), SeededHash(2)
    >>> one(np.array([7])) == one(np.array([7])), one(np.array([7])) == two(np.array([7]))
    (array([ True]), array([False]))
    """

    __slots__ = ("_salt",)

    def __init__(self, seed: int) -> None:
        self._salt = splitmix64(np.array([seed & (2**64 - 1)], np.uint64))

    def __call__(self, numbers: NDArray[Any]) -> NDArray[np.uint64]:
        """Return the hash of each number."""
        return splitmix64(numbers.astype(np.uint64) ^ self._salt)
