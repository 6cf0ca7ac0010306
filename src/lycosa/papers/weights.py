"""The weights of evidence, learned from generated references.

For each field the logarithms of the odds that its levels add, in the order of
`similarity.LEVELS`; `bias` is where every pair begins. The tables were written
by `python -m bench.papers_weights`; no real reference was used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Weights(NamedTuple):
    """What each level of each field adds to the score of a pair."""

    bias: float
    fields: Mapping[str, tuple[float, ...]]


# fmt: off
WORKS = Weights(-0.98, {
    "title": (
        0.00, -3.11, -2.53, -1.76, -1.41, -0.59, -0.44, 0.13, 1.26, 2.27, 1.80,
        5.05, -0.75, -1.73, -1.32, -0.29, 0.19, 0.52, 0.44, 0.37, -0.05, -0.06,
        1.54,
    ),
    "part of the title": (
        0.00, -2.63, -0.77, -0.09, 0.73, 0.86, 1.45,
    ),
    "numbers in the title": (
        0.00, 2.36, -7.24, -4.80,
    ),
    "authors": (
        0.00, -0.42, -0.33, -0.29, -0.00, 0.36, 1.66,
    ),
    "part of the authors": (
        0.00, -1.25, -0.30, 0.78, 1.17, 0.36,
    ),
    "first author": (
        0.00, -2.17, 0.66, 1.69, 0.65, -0.08,
    ),
    "year": (
        0.00, 0.90, -0.58, -0.64, -0.97, -2.27,
    ),
    "pages": (
        0.00, -1.28, 4.11, 8.06,
    ),
    "volume": (
        0.00, -0.24, 0.17,
    ),
    "venue": (
        0.00, -0.82, -0.77, -0.64, -0.12, 0.35,
    ),
    "kind of venue": (
        0.00, 0.29, -0.05, -0.40,
    ),
})

VERSIONS = Weights(2.33, {
    "year": (
        0.00, 1.05, -1.85, -2.51, -2.58, 0.39,
    ),
    "pages": (
        0.00, -5.68, 1.14, 6.02,
    ),
    "volume": (
        0.00, -1.54, 6.52,
    ),
    "venue": (
        0.00, -1.79, -0.14, 2.24, 3.61, 5.92,
    ),
    "kind of venue": (
        0.00, -5.33, -1.63, 0.93,
    ),
})
