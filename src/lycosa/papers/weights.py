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
WORKS = Weights(-1.20, {
    "title": (
        0.00, -1.42, -2.72, -2.30, -1.77, -0.99, -0.83, -0.22, 0.78, 1.88, 1.95,
        5.31, -0.04, -1.06, -0.68, -0.18, -0.02, 0.32, 0.18, 0.17, 0.17, -0.03,
        0.87,
    ),
    "part of the title": (
        0.00, -3.14, -0.89, 0.32, 0.81, 1.01, 1.28,
    ),
    "numbers in the title": (
        0.00, 2.08, -7.58, -4.55,
    ),
    "authors": (
        0.00, -0.54, -0.21, -0.14, -0.27, 0.43, 1.59,
    ),
    "part of the authors": (
        0.00, -1.06, -0.81, 0.53, 1.45, 0.54,
    ),
    "first author": (
        0.00, -2.00, 0.69, 1.48, 0.87, -0.41,
    ),
    "year": (
        0.00, 0.99, 0.12, -0.25, -1.46, -2.19, 0.23, -1.40,
    ),
    "pages": (
        0.00, -1.31, 4.40, 6.96,
    ),
    "volume": (
        0.00, -1.05, 0.11,
    ),
    "venue": (
        0.00, -0.66, -0.44, 0.48, 1.49, 1.26,
    ),
    "kind of venue": (
        0.00, -0.77, -0.34, -0.24, -0.22, 0.18, -0.23, -1.45, -1.07, -0.20, 0.36,
        -0.88, -1.76, -0.49, -0.10, 2.17,
    ),
})

VERSIONS = Weights(1.68, {
    "year": (
        0.00, 1.02, -1.00, -2.48, -4.62, 0.46, 0.11, -2.93,
    ),
    "pages": (
        0.00, -3.49, 3.89, 3.94,
    ),
    "volume": (
        0.00, -2.27, 6.55,
    ),
    "venue": (
        0.00, -1.06, -0.48, 3.12, 4.27, 4.92,
    ),
    "kind of venue": (
        0.00, 0.35, -7.94, -0.54, -9.07, -7.16, 4.34, -1.61, -1.61, 2.97, 4.27,
        1.52, -4.79, -5.17, -5.07, 5.44,
    ),
})
