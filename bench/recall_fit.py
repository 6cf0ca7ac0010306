"""Learning the recall estimator: quantile regression, and the conformal shift of its bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bench.recall_cases import HOUSE, Case
from lycosa.crawler.recall import QUANTILES, Coefficients

Floats: TypeAlias = NDArray[np.float64]
Columns: TypeAlias = Sequence[int] | None
Group: TypeAlias = Callable[[Case], str]

MISSES_BELOW = 0.06  # share of the cases whose true share is below the interval
MISSES_ABOVE = 0.04  # and above it: a stop at the lower end is harmed by the first kind only
MAX_SHIFT = 4.0  # of the logarithm of missing to found
RIDGE = 1e-3  # of standardised coefficients: the evidence is correlated
SMOOTHING = 0.03  # residuals below this count as this in the reweighted least squares
ROUNDS = 60


def fit_quantile(rows: Floats, values: Floats, quantile: float, weights: Floats) -> Floats:
    """Return the coefficients of a linear quantile regression, by reweighted least squares.

    The first column of the rows is 1.

    >>> rows = np.stack([np.ones(101), np.arange(101.0) % 7], axis=1)
    >>> fit_quantile(rows, 3 * rows[:, 1] + 2, 0.9, np.ones(101)).round(1).tolist()
    [2.0, 3.0]
    """
    mean, spread = rows.mean(0), rows.std(0) + 1e-9
    mean[0], spread[0] = 0.0, 1.0
    scaled = (rows - mean) / spread
    ridge = RIDGE * weights.sum() * np.eye(rows.shape[1])
    ridge[0, 0] = 0.0
    found = np.zeros(rows.shape[1])
    found[0] = np.quantile(values, quantile)
    for _ in range(ROUNDS):
        rest = values - scaled @ found
        tilt = weights * np.where(rest > 0, quantile, 1 - quantile)
        tilt /= np.maximum(np.abs(rest), SMOOTHING)
        normal = scaled.T @ (scaled * tilt[:, None]) + ridge
        found = np.linalg.solve(normal, scaled.T @ (tilt * values))
    found = found / spread
    found[0] -= (found[1:] * mean[1:]).sum()
    return found


def learn(cases: Sequence[Case], columns: Columns = None) -> Coefficients:
    """Return the coefficients of the three quantiles, without a shift."""
    rows, values = _rows(cases, columns), np.array([case.odds for case in cases])
    weights = weigh(cases)
    return tuple(tuple(fit_quantile(rows, values, q, weights).tolist()) for q in QUANTILES)


def learn_shifted(cases: Sequence[Case], columns: Columns = None) -> Coefficients:
    """Return coefficients whose bounds are shifted to the coverage of families left out.

    Each family is predicted from the others; the bounds are then moved until they miss
    as often as they should. It is conformalised quantile regression with families, not
    cases, as the parts that are exchanged: crawls of one family are alike.
    """
    lines = left_out(cases, lambda case: case.family, learn, columns)
    odds = predict(cases, lines, columns)
    found = np.array([case.evidence.found for case in cases])
    truth = np.array([case.recall for case in cases])
    weights = weigh(cases)

    def below(shift: float) -> float:
        low = bounds(found, odds + np.array([0.0, 0.0, shift]))[:, 0]
        return float(weights @ (truth < low - 1e-9) / weights.sum())

    def above(shift: float) -> float:
        high = bounds(found, odds - np.array([shift, 0.0, 0.0]))[:, 2]
        return float(weights @ (truth > high + 1e-9) / weights.sum())

    few, likely, many = learn(cases, columns)
    return (
        (few[0] - _bisect(above, MISSES_ABOVE), *few[1:]),
        likely,
        (many[0] + _bisect(below, MISSES_BELOW), *many[1:]),
    )


def left_out(
    cases: Sequence[Case],
    by: Group,
    learner: Callable[[Sequence[Case], Columns], Coefficients] = learn_shifted,
    columns: Columns = None,
) -> list[Coefficients]:
    """Return for each case the coefficients learned from the cases of all other groups."""
    groups = {by(case) for case in cases}
    lines = {g: learner([c for c in cases if by(c) != g], columns) for g in sorted(groups)}
    return [lines[by(case)] for case in cases]


def intervals(
    cases: Sequence[Case], lines: Sequence[Coefficients], columns: Columns = None
) -> Floats:
    """Return low, likely and high share of each case, by the coefficients of each."""
    found = np.array([case.evidence.found for case in cases])
    return bounds(found, predict(cases, lines, columns))


def predict(
    cases: Sequence[Case], lines: Sequence[Coefficients], columns: Columns = None
) -> Floats:
    """Return the log of missing to found of each case at the three quantiles."""
    return np.einsum("cr,cqr->cq", _rows(cases, columns), np.array(lines))


def bounds(found: NDArray[Any], odds: Floats) -> Floats:
    """Return low, likely and high share, as `lycosa.crawler.recall.estimate` does for one case."""
    missing = np.exp(np.minimum(odds, 50.0)) * (found + 0.5)[:, None] - 0.5
    few, likely, many = np.sort(np.maximum(missing, 0.0), axis=1).T
    low, high = found / (found + np.maximum(1, np.ceil(many))), found / (found + np.floor(few))
    return np.stack([low, found / (found + likely), high], axis=1)


def weigh(cases: Sequence[Case]) -> Floats:
    """Return the weights of cases: the default spider and recorded goals count more.

    The sum of a site grows with the root of its number of cases, because crawls of one
    site are alike.
    """
    weights = np.array(
        [(2.5 if c.spider == HOUSE else 1.0) * (2.0 if c.is_recorded else 1.0) for c in cases]
    )
    sites = np.array([case.site for case in cases])
    for site in np.unique(sites):
        weights[sites == site] /= np.sqrt(weights[sites == site].sum())
    return weights / weights.mean()


def _rows(cases: Sequence[Case], columns: Columns) -> Floats:
    rows = np.array([case.evidence.row() for case in cases])
    return rows if columns is None else rows[:, list(columns)]


def _bisect(misses: Callable[[float], float], wanted: float) -> float:
    """Return the least shift with which at most the wanted share is missed."""
    low, high = -MAX_SHIFT, MAX_SHIFT
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if misses(middle) > wanted else (low, middle)
    return high
