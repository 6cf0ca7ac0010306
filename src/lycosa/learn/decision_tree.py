"""A decision tree over the words of links: dear to learn, cheap to ask.

Davidov & Markovitch 2002 name it beside the lazy learner; the cost of learning
is kept down by asking only for the words that tell most, and by learning at
growing intervals. The tree itself is CART (Breiman et al. 1984), by scikit-learn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


class DecisionTree:
    """The mean value of the examples that gave the same answers.

    >>> rows = sparse.csr_matrix(np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 0, 1]] * 5))
    >>> tree = DecisionTree()
    >>> tree.fit(rows, np.array([1.0, 1.0, 0.0, 0.0] * 5))
    >>> tree.predict(rows[:4])
    array([1., 1., 0., 0.])
    """

    def __init__(
        self, words: int = 300, depth: int = 12, leaf: int = 5, examples: int = 5000
    ) -> None:
        self._words = words
        self._depth = depth
        self._leaf = leaf
        self._most = examples

    def fit(self, rows: sparse.csr_matrix, values: NDArray[np.float64]) -> None:
        """Grow a tree on the latest examples."""
        from sklearn.tree import DecisionTreeRegressor  # seconds to load: only where needed

        rows, values = rows[-self._most :], values[-self._most :]
        frequency = np.bincount(rows.indices, minlength=rows.shape[1])
        with_word = rows.T @ (values - values.mean())
        telling = np.abs(with_word) / np.sqrt(frequency + 1)
        self._columns = np.argsort(-telling, kind="stable")[: self._words]
        tree = DecisionTreeRegressor(
            max_depth=self._depth, min_samples_leaf=self._leaf, random_state=0
        )
        self._tree = tree.fit(self._dense(rows), values).tree_

    def _dense(self, rows: sparse.csr_matrix) -> NDArray[np.float32]:
        return np.ascontiguousarray(rows[:, self._columns].toarray(), np.float32)

    def predict(self, rows: sparse.csr_matrix) -> NDArray[np.float64]:
        """The estimated value of each row."""
        return np.asarray(self._tree.predict(self._dense(rows)), np.float64).reshape(-1)
