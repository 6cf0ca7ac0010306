"""Logistic regression by Newton's method, its equations solved roughly by conjugate gradients.

Lin, Weng & Keerthi, "Trust Region Newton Method for Large-Scale Logistic
Regression" (2008); here a step that leads up is halved instead. What is
learned starts from a belief: each weight is drawn to its `centre`, the harder
the larger its `stiffness` (a normal distribution, seen as a penalty). Labels
may be any shares from 0 to 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.link_words import Rows

_STEP = 1e-3  # a shorter one is not worth a look
_ENOUGH = 1e-4  # of the loss; if no more is gained, it is learned
_ROUGH = 0.01  # of the residual, where the equations are solved well enough

Floats = NDArray[np.float64]


def sigmoid(values: NDArray[Any]) -> Floats:
    """The probability that has these log-odds.

    >>> sigmoid(np.array([0.0, 1000.0])).tolist()
    [0.5, 1.0]
    """
    return np.asarray(1 / (1 + np.exp(-np.clip(np.asarray(values, np.float64), -500, 500))))


def fit(
    rows: Rows,
    dense: Floats,
    labels: Floats,
    stiffness: Floats,
    start: Floats,
    centre: Floats | None = None,
    *,
    steps: int,
    turns: int,
    values: Floats | None = None,
) -> Floats:
    """The weights of the columns of `rows`, then those of the `dense` columns.

    The columns of rows count 1 each, or as much as `values` says. There is one
    stiffness for each weight, so `start` says how many there are. At most so
    many `steps` are made, each in so many `turns`.

    >>> rows = Rows(np.array([0, 1, 2, 3]), np.array([0, 0, 1], np.int32))
    >>> labels, loose = np.array([1.0, 1.0, 0.0]), np.full(3, 0.1)
    >>> fit(rows, np.ones((3, 1)), labels, loose, np.zeros(3), steps=9, turns=9).round(1).tolist()
    [2.0, -1.8, 0.2]
    """
    from scipy import sparse  # a quarter of a second to load: only where needed

    count, columns = len(rows), len(start) - dense.shape[1]
    counts = np.ones(len(rows.words)) if values is None else values
    words = sparse.csr_matrix((counts, rows.words, rows.starts), (count, columns))
    back = words.T.tocsr()
    squares = back if values is None else back.multiply(back).tocsr()
    middle = np.zeros(len(start)) if centre is None else centre

    def times(weights: Floats) -> Floats:
        return np.asarray(words @ weights[:columns] + dense @ weights[columns:])

    def back_times(values: Floats) -> Floats:
        return np.concatenate((back @ values, values @ dense))

    def loss(weights: Floats, odds: Floats) -> float:
        pull = _dot(stiffness, (weights - middle) ** 2)
        return float((np.logaddexp(0, odds) - labels * odds).sum() + pull / 2)

    weights, odds = start.copy(), times(start)
    before = loss(weights, odds)
    for _ in range(steps):
        said = sigmoid(odds)
        slope = back_times(said - labels) + stiffness * (weights - middle)
        bend = said * (1 - said) + 1e-9
        scale = stiffness + np.concatenate((squares @ bend, bend @ dense**2))
        way = _solve(
            lambda v, bend=bend: back_times(bend * times(v)) + stiffness * v, -slope, scale, turns
        )
        along, down = times(way), _dot(slope, way)
        length, after = 1.0, loss(weights + way, odds + along)
        while after > before + 1e-4 * length * down and length > _STEP:
            length /= 2
            after = loss(weights + length * way, odds + length * along)
        if length <= _STEP:
            break
        weights, odds = weights + length * way, odds + length * along
        if before - after < _ENOUGH * abs(before):
            break
        before = after
    return weights


def _dot(one: Floats, two: Floats) -> float:
    """The inner product in one thread: several gain little, and lose much if others compute."""
    return float(np.einsum("i,i", one, two))


def _solve(times: Any, right: Floats, scale: Floats, turns: int) -> Floats:
    """Conjugate gradients (Hestenes & Stiefel 1952), each column scaled by its own size."""
    found, rest = np.zeros_like(right), right.copy()
    near = rest / scale
    way, size = near.copy(), _dot(rest, near)
    enough = _ROUGH * size
    for _ in range(turns):
        if size <= enough:
            break
        image = times(way)
        length = size / _dot(way, image)
        found += length * way
        rest -= length * image
        near = rest / scale
        size, last = _dot(rest, near), size
        way = near + (size / last) * way
    return found
