"""Measures of a ranking agradest judged grades, and paired bootstrap intervals of them.

nDCG is that of Järvelin and Kekäläinen (2002); a document of grade g has the
gain 2^g - 1 (Burges et al. 2005), so that the best answers count most. Of
binary judgements that is 1. Average precision and recall count every document
with a positive grade as relevant. Intervals are the percentiles
of the paired bootstrap (Efron and Tibshirani 1993): questions are drawn with
replacement, the same ones for both systems.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

DEPTH = 100
"""Documents of a ranking that are looked at."""
RESAMPLES = 10_000
CHUNK = 500
"""Resamples in memory at once."""
SEED = 17
COVERED = (2.5, 97.5)
"""Percentiles of an interval."""
MEASURES = ("nDCG@10", "MAP", "recall@100")


def ndcg(ranking: Sequence[str], grades: Mapping[str, float], cutoff: int = 10) -> float:
    """Return the normalised discounted cumulated gain of the first documents.

    >>> round(ndcg(["b", "x", "a"], {"a": 2.0, "b": 1.0}), 4)
    0.6885
    """

    def discounted(grades: Sequence[float]) -> float:
        return sum(
            (2**grade - 1) / math.log2(rank + 2) for rank, grade in enumerate(grades[:cutoff])
        )

    best = discounted(sorted(grades.values(), reverse=True))
    return discounted([grades.get(each, 0.0) for each in ranking]) / best


def average_precision(ranking: Sequence[str], grades: Mapping[str, float]) -> float:
    """Return the mean of the precision at each relevant document among the first hundred.

    >>> average_precision(["b", "x", "a"], {"a": 2.0, "b": 1.0})
    0.8333333333333333
    """
    found, total = 0, 0.0
    for rank, each in enumerate(ranking[:DEPTH], 1):
        if grades.get(each, 0.0) > 0:
            found += 1
            total += found / rank
    return total / sum(grade > 0 for grade in grades.values())


def recall(ranking: Sequence[str], grades: Mapping[str, float]) -> float:
    """Return the share of relevant documents among the first hundred.

    >>> recall(["b", "x"], {"a": 2.0, "b": 1.0})
    0.5
    """
    found = sum(grades.get(each, 0.0) > 0 for each in ranking[:DEPTH])
    return found / sum(grade > 0 for grade in grades.values())


def reciprocal_rank(ranking: Sequence[str], wanted: str) -> float:
    """Return 1 / the rank of a document among the first hundred, or 0.

    >>> reciprocal_rank(["b", "a"], "a"), reciprocal_rank(["b"], "a")
    (0.5, 0.0)
    """
    first = ranking[:DEPTH]
    return 1 / (first.index(wanted) + 1) if wanted in first else 0.0


def measure(ranking: Sequence[str], grades: Mapping[str, float]) -> tuple[float, float, float]:
    """Return all measures of a ranking, in the order of `MEASURES`."""
    return ndcg(ranking, grades), average_precision(ranking, grades), recall(ranking, grades)


class Comparison(NamedTuple):
    """How a system differs from another: each value with the ends of its 95 % interval."""

    difference: tuple[float, float, float]
    ratio: tuple[float, float, float]


def compare(
    system: Sequence[Sequence[float]], reference: Sequence[Sequence[float]], *, seed: int = SEED
) -> Comparison:
    """Compare two systems by their values for the same questions.

    Each argument has a sequence of values for each collection. Questions are
    resampled within a collection, and the means of the collections averaged.

    >>> compare([[0.5, 0.7, 0.6]], [[0.4, 0.6, 0.5]]).difference
    (0.1, 0.1, 0.1)
    """
    pairs = [
        np.array([mine, other], np.float64) for mine, other in zip(system, reference, strict=True)
    ]
    means = np.mean([pair.mean(1) for pair in pairs], 0)
    drawn = np.mean([_resampled_means(pair, seed + k) for k, pair in enumerate(pairs)], 0)
    return Comparison(
        _interval(means[0] - means[1], drawn[:, 0] - drawn[:, 1]),
        _interval(_ratio(means[0], means[1]), _ratio(drawn[:, 0], drawn[:, 1])),
    )


def _resampled_means(pair: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Return the two means of each resample."""
    chance = np.random.default_rng(seed)
    count = pair.shape[1]
    chunks = []
    for _ in range(RESAMPLES // CHUNK):
        chosen = chance.integers(0, count, (CHUNK, count))
        chunks.append(pair[:, chosen].mean(2).T)
    return np.concatenate(chunks)


def _ratio(mine: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    # A reference of 0 has no ratio; it counts as a tiny one.
    return np.asarray(mine / np.maximum(other, 1e-12))


def _interval(
    value: NDArray[np.float64] | float, drawn: NDArray[np.float64]
) -> tuple[float, float, float]:
    low, high = np.percentile(drawn, COVERED)
    return round(float(value), 6), round(float(low), 6), round(float(high), 6)
