"""Measures of a crawl, computed from the requests at which it found targets.

`hits` are the numbers of those requests, ascending, counted from 1. `targets`
is how many targets can be reached from the seeds, `pages` how many URLs can.
See `docs/explanation/measures.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

PERCENTS = (25, 50, 75, 90)
"""Levels of recall for which `requests_to` is reported."""

BOOTSTRAP_SAMPLES = 10_000
"""Draws of the paired bootstrap."""


def requests_to(percent: int, hits: Sequence[int], targets: int) -> int | None:
    """Return the number of requests until that share of the targets was found; None: never.

    >>> requests_to(50, [2, 3, 9], targets=4), requests_to(90, [2, 3, 9], targets=4)
    (3, None)
    """
    needed = max(1, -(-targets * percent // 100))
    return int(hits[needed - 1]) if needed <= len(hits) else None


def integral(hits: Sequence[int], targets: int, pages: int) -> float:
    """Return the area under the curve of recall against requests, both from 0 to 1.

    It is the mean over the targets of (pages - hit + 1) / pages; a target that was not found
    counts 0.

    >>> integral([1, 2], targets=2, pages=4)
    0.875
    """
    return sum(pages - hit + 1 for hit in hits) / (pages * targets)


def links_followed(hits: Sequence[int], pages: int) -> float:
    """Return the share of the links that were followed before the first target was found.

    Only links to new URLs are followed, so there are `pages` of them. On a
    site with one target this is 1 - `integral`.

    >>> links_followed([14], pages=100), links_followed([], pages=100)
    (0.13, 1.0)
    """
    return (hits[0] - 1) / pages if len(hits) else 1.0


def gap_closed(value: Any, low: Any, high: Any) -> float | None:
    """Return the share of the gap between breadth-first (low) and Optimal (high) that is closed.

    The arguments are three integrals of one run, or three lists with one for each site; for
    several sites the result is the ratio of the sums. A mean of the sites' ratios would depend
    mostly on sites with a small gap. None: there is no gap.

    >>> gap_closed(0.75, 0.5, 1.0), gap_closed([0.75, 0.5], [0.5, 0.5], [1.0, 1.0])
    (0.5, 0.25)
    """
    value, low, high = (np.atleast_1d(np.asarray(part, float)) for part in (value, low, high))
    gap = float((high - low).sum())
    return float((value - low).sum()) / gap if gap > 0 else None


def interval(
    values: Sequence[float], lows: Sequence[float], highs: Sequence[float], seed: int = 0
) -> tuple[float, float] | None:
    """Return the 95 % interval of `gap_closed` over sites, by a paired bootstrap.

    Each sample draws sites with replacement and keeps the three integrals of a site together
    (Efron & Tibshirani, "An Introduction to the Bootstrap", 1993). Samples without a gap are
    left out; if none has one, the result is None. The interval of a single site is a point.

    >>> interval([0.75, 0.75], [0.5, 0.5], [1.0, 1.0])
    (0.5, 0.5)
    """
    value, low, high = (np.asarray(part, float) for part in (values, lows, highs))
    draws = np.random.default_rng(seed).integers(0, len(value), (BOOTSTRAP_SAMPLES, len(value)))
    gaps = (high - low)[draws].sum(axis=1)
    gains: NDArray[np.float64] = (value - low)[draws].sum(axis=1)
    ratios = gains[gaps > 0] / gaps[gaps > 0]
    if not len(ratios):
        return None
    lo, hi = np.quantile(ratios, (0.025, 0.975)).tolist()
    return lo, hi
