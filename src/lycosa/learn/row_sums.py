"""Sums over sparse rows: of the weights of each row's columns, and of the rows of each column.

These are the products of a binary matrix and of its transpose with a vector. Terms are added
in the order of the rows and of their columns, one after the other, so that `row_sums.pyx`, the
same in C, gives the same numbers to the last digit.

Packed rows are those of the default policy: the place of a row's frequent columns among
all frequent ones, one byte each, then the low bytes and then the high bytes of its others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from importlib import import_module
from operator import add
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

PLAIN = 255
"""In place of the number of frequent columns of a row that is not packed."""


PackedRows: TypeAlias = tuple[Any, Any, Any, Any, Any, Any]
"""Rows by number, packed or with two bytes for each column, as six arrays.

Where a row begins, among the packed or the plain ones (four or eight bytes each); the number of its
columns; the number of those that are frequent, or `PLAIN`; the columns of rows that are not
packed, two bytes each; the bytes of packed rows; and the frequent columns.
"""


def load_libraries() -> None:
    """Load what `RowMatrix` needs, for a quarter of a second; nothing where it is compiled."""
    import_module("scipy.sparse")


class RowMatrix:
    """Multiplies vectors with the binary matrix of some rows, and with its transpose.

    Parameters
    ----------
    starts, words
        Row i has the columns `words[starts[i]:starts[i + 1]]`.
    columns
        The number of columns.

    >>> matrix = RowMatrix(np.array([0, 2, 3]), np.array([0, 2, 2], np.int32), 3)
    >>> matrix.times(np.array([1.0, 2.0, 4.0])).tolist()
    [5.0, 4.0]
    >>> matrix.back_times(np.array([1.0, 10.0])).tolist()
    [1.0, 0.0, 11.0]
    """

    def __init__(self, starts: NDArray[np.int64], words: NDArray[np.int32], columns: int) -> None:
        from scipy import sparse  # a quarter of a second to load: only where needed

        size = len(starts) - 1
        self._matrix = sparse.csr_matrix((np.ones(len(words)), words, starts), (size, columns))
        self._back = self._matrix.T.tocsr()

    def times(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each row the sum of the weights of its columns."""
        return np.asarray(self._matrix @ weights)

    def back_times(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each column the sum of the values of the rows that have it."""
        return np.asarray(self._back @ values)

    def weighted_back_times(
        self,
        weights: NDArray[np.float64],
        terms: NDArray[np.float64],
        factors: NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return `factors * (times(weights) + terms)`, and `back_times` of it, in one pass."""
        values = factors * (self.times(weights) + terms)
        return values, self.back_times(values)


def sums_of_rows(
    starts: NDArray[np.int64], words: NDArray[np.int32], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each row the sum of the weights of its columns.

    >>> sums_of_rows(np.array([0, 2, 3]), np.array([0, 2, 2], np.int32), np.array([1.0, 2.0, 4.0]))
    array([5., 4.])
    """
    size = len(starts) - 1
    owners = np.repeat(np.arange(size), starts[1:] - starts[:-1])
    return np.bincount(owners, weights.take(words), size).astype(np.float64, copy=False)


def few_sums(
    rows: Sequence[Sequence[int]], inputs: Sequence[Sequence[float]], weights: NDArray[np.float64]
) -> list[float]:
    """Return for each of a few rows the sum of the weights of its columns and inputs, and the base.

    The last weight is the base, those before it are the weights of the inputs.

    >>> few_sums([[0, 2], []], [(1.0,), (0.5,)], np.array([1.0, 2.0, 4.0, 10.0, 0.5]))
    [15.5, 5.5]
    """
    of = weights.data
    found = []
    for row, values in zip(rows, inputs, strict=True):
        *own, base = of[len(of) - len(values) - 1 :]
        terms = [weight * value for weight, value in zip(own, values, strict=True)]
        # Not `sum`, which rounds in another way since Python 3.12.
        columns = reduce(add, [of[column] for column in row], 0.0)
        found.append(columns + (reduce(add, terms) + base))
    return found


def add_inputs(
    sums: NDArray[np.float64], inputs: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the sums of many rows with those of their inputs and the base, as `few_sums` does.

    >>> add_inputs(np.array([5.0]), np.array([[1.0]]), np.array([1.0, 2.0, 4.0, 10.0, 0.5]))
    array([15.5])
    """
    *own, base = weights[-inputs.shape[1] - 1 :].tolist()
    terms = [weight * values for weight, values in zip(own, inputs.T, strict=True)]
    return np.asarray(sums + (reduce(add, terms) + base))


def sums_of_packed(
    rows: PackedRows, numbers: NDArray[np.int32], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each row of these numbers the sum of the weights of its columns."""
    return sums_of_rows(*read_packed(rows, numbers), weights)


def read_packed(
    rows: PackedRows, numbers: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the rows of these numbers: where each starts, and the columns of all."""
    every_first, every_size, every_frequent, every_plain, every_packed, columns = rows
    first, size = every_first.take(numbers), every_size.take(numbers)
    frequent = every_frequent.take(numbers)
    starts = np.zeros(len(numbers) + 1, np.int64)
    size.cumsum(dtype=np.int64, out=starts[1:])
    words = np.empty(starts[-1], np.int32)
    is_packed = frequent != PLAIN
    some = (~is_packed).nonzero()[0]
    if len(some):
        plain = np.frombuffer(every_plain, np.uint16)
        _copy(words, starts[some], size[some], plain, first[some])
    some = is_packed.nonzero()[0]
    if len(some):
        start, first, short = starts[some], first[some].astype(np.int64), frequent[some]
        long = size[some] - short
        packed = np.frombuffer(every_packed, np.uint8)
        _copy(words, start, short, packed, first, columns)
        _copy(words, start + short, long, packed, first + short)
        index = _ranges(start + short, long)
        words[index] |= packed.take(_ranges(first + short + long, long)).astype(np.int32) << 8
    return starts, words


def _ranges(first: NDArray[Any], size: NDArray[Any]) -> NDArray[np.int64]:
    """Return the indices of slices, given the start and the length of each."""
    sizes = size.astype(np.int64)
    index = np.repeat(first - (sizes.cumsum() - sizes), sizes)
    index += np.arange(len(index))
    return index


def _copy(
    to: NDArray[np.int32],
    start: NDArray[Any],
    size: NDArray[Any],
    values: NDArray[Any],
    first: NDArray[Any],
    meaning: NDArray[Any] | None = None,
) -> None:
    """Copy slices of an array of values, or of what these are the places of, to another array."""
    found = values.take(_ranges(first, size))
    to[_ranges(start, size)] = found if meaning is None else meaning.take(found)
