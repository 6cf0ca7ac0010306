"""A decision tree over the words of links: dear to learn, cheap to ask.

Davidov & Markovitch 2002 name it beside the lazy learner; the cost of learning
is kept down by asking only for the words that tell most, and by learning at
growing intervals. The tree itself is CART (Breiman et al. 1984), by scikit-learn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.link_words import COLUMNS, Rows


class DecisionTree:
    """The mean value of the examples that gave the same answers.

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
        self._words = words
        self._depth = depth
        self._leaf = leaf
        self._most = examples

    def fit(self, rows: Rows, values: NDArray[np.float64]) -> None:
        """Grow a tree on the latest examples."""
        from sklearn.tree import DecisionTreeRegressor  # seconds to load: only where needed

        latest = np.arange(len(rows))[-self._most :]
        rows, values = rows.take(latest), values[latest]
        count = np.bincount(rows.words, minlength=COLUMNS)
        above_mean = np.bincount(rows.words, (values - values.mean())[rows.owners], COLUMNS)
        telling = np.abs(above_mean) / np.sqrt(count + 1)
        chosen = np.argsort(-telling, kind="stable")[: self._words]
        self._columns = np.full(COLUMNS, -1)
        self._columns[chosen] = np.arange(len(chosen))
        tree = DecisionTreeRegressor(
            max_depth=self._depth, min_samples_leaf=self._leaf, random_state=0
        )
        self._tree = tree.fit(self._dense(rows), values).tree_

    def _dense(self, rows: Rows) -> NDArray[np.float32]:
        """1 where a link has one of the words that are asked for."""
        columns = self._columns[rows.words]
        known = columns >= 0
        dense = np.zeros((len(rows), self._words), np.float32)
        dense[rows.owners[known], columns[known]] = 1
        return dense

    def predict(self, rows: Rows) -> NDArray[np.float64]:
        """The estimated value of each link."""
        return np.asarray(self._tree.predict(self._dense(rows)), np.float64).reshape(-1)
