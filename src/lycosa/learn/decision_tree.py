"""Regression tree over the words of links (CART: Breiman, Friedman, Olshen & Stone 1984).

Davidov & Markovitch 2002 name it beside the lazy learner: slow to fit, fast to predict. Two
things bound the cost of a fit: only the words that correlate most with the value are
candidates for a split, and the caller fits at growing intervals.

The tree grows level by level. Features are binary (a link has a word or not), so one pass
over the words of all links gives the sums of every candidate split of every node of a level.
All sums run in the order of the examples, so a fit does not depend on the CPU.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.link_words import COLUMNS, Rows

MIN_GAIN = 1e-9
"""Share of the total variance below which a split is rounding error."""


class DecisionTree:
    """Estimates the value of a link as the mean value of the examples in its leaf.

    * `words`: number of candidate words for splits;
    * `depth`: maximal number of splits between the root and a leaf;
    * `leaf`: minimal number of examples in a leaf;
    * `examples`: a fit uses the latest so many examples.

    >>> rows = Rows(np.array([0, 2, 4]), np.array([0, 1, 1, 2], np.int32))
    >>> rows = rows.take(np.array([0, 1] * 10))
    >>> tree = DecisionTree()
    >>> tree.fit(rows, np.array([1.0, 0.0] * 10))
    >>> tree.predict(rows)[:2]
    array([1., 0.])
    """

    def __init__(
        self, words: int = 300, depth: int = 12, leaf: int = 5, examples: int = 5000
    ) -> None:
        self._max_words = words
        self._max_depth = depth
        self._min_leaf = leaf
        self._max_examples = examples

    def fit(self, rows: Rows, values: NDArray[np.float64]) -> None:
        """Grow a tree on the latest examples."""
        latest = np.arange(len(rows))[-self._max_examples :]
        rows, values = rows.take(latest), values[latest]
        # Centred, because differences of large sums of squares would lose digits.
        centred = values - values.mean()
        self._choose_columns(rows, centred)
        columns = self._columns[rows.words]
        known = columns >= 0
        # Two words of a link may have the same hash: each pair of link and column counts once.
        pairs = np.unique(rows.owners[known] * self._max_words + columns[known])
        owners, columns = np.divmod(pairs, self._max_words)
        at = np.zeros(len(values), np.int64)  # the node each example has reached
        self._split = np.full(1, -1)  # column a node splits by; -1: it is a leaf
        self._children = np.zeros((1, 2), np.int64)  # without the word, with it
        self._means = np.array([_mean(values)])
        level = np.zeros(1, np.int64)
        threshold = MIN_GAIN * float(np.einsum("i,i", centred, centred))
        for _ in range(self._max_depth):
            split = self._best_splits(level, at, centred, owners, columns, threshold)
            parents = np.flatnonzero(split >= 0)
            if not len(parents):
                break
            first = len(self._split)
            children = first + np.arange(2 * len(parents)).reshape(-1, 2)
            self._split[level[parents]] = split[parents]
            self._children[level[parents]] = children
            has = np.zeros(len(values), np.bool_)
            has[owners[columns == self._split[at[owners]]]] = True
            moving = self._split[at] >= 0
            at[moving] = self._children[at[moving], has[moving].astype(np.int64)]
            level = children.ravel()
            self._split = np.append(self._split, np.full(len(level), -1))
            self._children = np.vstack((self._children, np.zeros((len(level), 2), np.int64)))
            sums = np.bincount(at, values, len(self._split))[level]
            self._means = np.append(self._means, sums / np.bincount(at)[level])

    def _choose_columns(self, rows: Rows, centred: NDArray[np.float64]) -> None:
        """Number the words that correlate most with the value; all others get -1."""
        count = np.bincount(rows.words, minlength=COLUMNS)
        above_mean = np.bincount(rows.words, centred[rows.owners], COLUMNS)
        relevance = np.abs(above_mean) / np.sqrt(count + 1)
        chosen = np.argsort(-relevance, kind="stable")[: self._max_words]
        self._columns = np.full(COLUMNS, -1)
        self._columns[chosen] = np.arange(len(chosen))

    def _best_splits(
        self,
        level: NDArray[np.int64],
        at: NDArray[np.int64],
        centred: NDArray[np.float64],
        owners: NDArray[np.int64],
        columns: NDArray[np.int64],
        threshold: float,
    ) -> NDArray[np.int64]:
        """Return for each node of a level the column that reduces the variance most, or -1."""
        place = at - level[0]  # nodes of a level have consecutive numbers
        here = place >= 0
        size = np.bincount(place[here], minlength=len(level))[:, None]
        total = np.bincount(place[here], centred[here], len(level))[:, None]
        inside = here[owners]
        cells = place[owners[inside]] * self._max_words + columns[inside]
        shape = len(level), self._max_words
        size_with = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
        total_with = np.bincount(cells, centred[owners[inside]], shape[0] * shape[1]).reshape(shape)
        size_without, total_without = size - size_with, total - total_with
        gain = total_with**2 / np.maximum(size_with, 1)
        gain += total_without**2 / np.maximum(size_without, 1)
        gain -= total**2 / size
        gain[np.minimum(size_with, size_without) < self._min_leaf] = -np.inf
        best = gain.argmax(axis=1)
        return np.where(gain.max(axis=1) > threshold, best, -1)

    def predict(self, rows: Rows) -> NDArray[np.float64]:
        """Return the estimated value of each link."""
        columns = self._columns[rows.words]
        known = columns >= 0
        has = np.zeros((len(rows), self._max_words), np.bool_)
        has[rows.owners[known], columns[known]] = True
        at = np.zeros(len(rows), np.int64)
        every = np.arange(len(rows))
        while (moving := self._split[at] >= 0).any():
            links, nodes = every[moving], at[moving]
            answers = has[links, self._split[nodes]].astype(np.int64)
            at[moving] = self._children[nodes, answers]
        return np.asarray(self._means[at], np.float64)


def _mean(values: NDArray[np.float64]) -> float:
    return float(np.bincount(np.zeros(len(values), np.int64), values)[0]) / len(values)
