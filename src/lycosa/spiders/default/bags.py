"""The bags of a link: its columns by what they mean, each bag with one weight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from math import sqrt
from operator import add
from typing import TypeAlias

from lycosa.learn.hashed_model import HashedModel

Bags: TypeAlias = tuple[Sequence[int], ...]
"""The columns of one link: words of each bag, pairs, starts, path, shape, and position last."""


def scaled(bags: Bags) -> Iterator[tuple[Sequence[int], float]]:
    """Yield each bag of a link with the value of its columns, which gives bags equal norms.

    A value is 1 over the root of the size of the bag, so that a long heading does
    not outweigh a short anchor; columns of the position have the value 1.
    """
    *others, position = bags
    yield from ((bag, len(bag) ** -0.5) for bag in others if bag)
    yield position, 1.0


def log_odds_of(model: HashedModel, bags: Bags) -> float:
    """Return the log-odds of a link by a model; bags are scaled as in training."""
    weights = model.weights.data
    *others, position = bags
    log_odds = model.bias + _sum([weights[column] for column in position])
    for bag in others:
        if bag:
            log_odds += _sum([weights[column] for column in bag]) / sqrt(len(bag))
    return log_odds


def _sum(terms: list[float]) -> float:
    # Not `sum`, which rounds in another way since Python 3.12.
    return reduce(add, terms, 0.0)
