"""Sketches of texts by one-permutation hashing (Li, Owen & Zhang 2012).

The hashes of all word triples are sorted into 16 bins; the sketch is one byte of the least hash of
each bin, of the next bin where one is empty. `sketches.pyx` is the same in C.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints

_BINS = 16
_BITS = np.uint64(4)  # of a hash, the highest: the number of its bin
_STARTS = np.arange(_BINS, dtype=np.uint64) << (np.uint64(64) - _BITS)
_HASHES_PER_BIN = 32  # enough that hardly any bin is empty
# Odd constants: one for each position in a triple, and one to mix.
_FIRST, _SECOND, _THIRD, _MIX = np.array(
    [0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93], np.uint64
)


def sketch(tokens: Ints) -> tuple[int, int]:
    """Return the sketch of a text of three words or more: 16 bytes in two halves.

    >>> sketch(np.arange(20, dtype=np.int32)) == sketch(np.arange(20, dtype=np.int32))
    True
    """
    hashes = _triples(tokens)
    if len(hashes) > 4 * _BINS * _HASHES_PER_BIN:  # the least hash of every bin is below the limit
        limit = np.uint64(_BINS * _HASHES_PER_BIN * 2**64 // len(hashes))
        few = hashes[(hashes << _BITS) < limit]
        if 2 * len(few) > _BINS * _HASHES_PER_BIN:  # fails if the page repeats itself
            hashes = few
    hashes.sort()
    least = hashes.take(hashes.searchsorted(_STARTS), mode="wrap")
    first, second = least.astype(np.uint8).view(np.uint64).tolist()
    return first, second


def _triples(tokens: Ints) -> NDArray[np.uint64]:
    """Return a hash of every three consecutive words."""
    words = tokens.astype(np.uint64)
    hashes: NDArray[np.uint64] = words[:-2] * _FIRST
    hashes += words[1:-1] * _SECOND
    hashes += words[2:] * _THIRD
    hashes ^= hashes >> np.uint64(32)
    hashes *= _MIX
    hashes ^= hashes >> np.uint64(32)
    return hashes
