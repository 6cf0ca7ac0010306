"""Match weights of the agreement levels, fitted to generated references.

The weights of a field are in the order of `similarity.LEVELS`. The tables were written
by `python -m bench.papers_weights`; no real reference was used to fit them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class MatchWeights(NamedTuple):
    """A table of match weights."""

    bias: float
    """The score of a pair without evidence."""
    fields: Mapping[str, tuple[float, ...]]
    """The weight of each agreement level of each field."""


# fmt: off
WORK_WEIGHTS = MatchWeights(-1.49, {
    "title": (
        0.00, -3.54, -5.68, -3.40, -1.93, -0.92, -0.51, 0.05, 1.21, 2.30, 2.14,
        5.45, -1.54, -1.58, -0.79, 0.14, 0.48, 0.87, 1.27, 1.67, 1.54, 1.23,
        1.57,
    ),
    "part of the title": (
        0.00, -1.24, -0.65, -0.09, 0.47, 0.54, 0.97,
    ),
    "numbers in the title": (
        0.00, 2.63, -8.83, -5.04,
    ),
    "authors": (
        0.00, -0.31, -0.20, -0.10, -0.33, 0.23, 1.52,
    ),
    "part of the authors": (
        0.00, -1.27, -0.84, 0.63, 1.54, 0.63,
    ),
    "first author": (
        0.00, -2.04, 0.65, 1.71, 0.82, -0.46,
    ),
    "year": (
        0.00, 0.95, 0.18, -0.22, -1.19, -2.33, 0.34, -1.18,
    ),
    "pages": (
        0.00, -1.18, -5.28, 0.37, 4.12, 6.40,
    ),
    "volume": (
        0.00, -0.48, 0.90,
    ),
    "venue": (
        0.00, -0.44, -0.36, 0.58, 1.26, 1.21,
    ),
    "kind of venue": (
        0.00, -0.62, 0.00, -0.35, 0.14, 0.44, -0.20, -5.62, -5.81, 0.36, 0.98,
        -0.79, -1.80, -0.75, 0.70, 2.50,
    ),
})

VERSION_WEIGHTS = MatchWeights(1.55, {
    "year": (
        0.00, 1.01, -1.53, -2.24, -4.57, -0.05, 0.28, -3.60,
    ),
    "pages": (
        0.00, -4.47, -2.87, -0.75, 3.35, 3.83,
    ),
    "volume": (
        0.00, -2.80, 5.27,
    ),
    "venue": (
        0.00, -0.89, -0.59, 3.16, 4.20, 4.94,
    ),
    "kind of venue": (
        0.00, 0.18, -8.28, -0.43, -8.41, -7.31, 4.27, -1.66, -1.66, 3.05, 3.87,
        1.87, -6.23, -5.94, -5.58, 5.65,
    ),
})
