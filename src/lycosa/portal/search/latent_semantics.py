"""Latent semantic analysis: directions of meaning, learned from the works themselves.

Words that occur in the same works get similar directions, so that a work can be
near a query without sharing a word with it (Deerwester, Dumais, Furnas,
Landauer & Harshman, "Indexing by latent semantic analysis", 1990). The matrix
that is reduced has the BM25 weights of the words of each work instead of plain
tf-idf, so that the vectors agree with the ranking they are combined with. Its
leading singular vectors come from subspace iteration with a fixed start (Halko,
Martinsson & Tropp 2011): the same works give the same space.

>>> texts = ["cat purr", "cat kitten", "kitten purr", "sun noon", "noon heat", "heat sun"] * 40
>>> space = LatentSpace.fit([Bag.of(text) for text in texts], size=2)
>>> rows = space.fold([Bag.of("cat"), Bag.of("purr"), Bag.of("sun")])
>>> [round(float(rows[0] @ row), 1) for row in rows]
[1.0, 1.0, 0.0]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from xxhash import xxh32_intdigest

from lycosa.processes import single_threaded_blas

DIMENSIONS: Final = 96
"""Dimensions of the vectors."""
WORKS_PER_DIMENSION: Final = 5
"""Works that a dimension needs: a space of few works has fewer dimensions."""
MIN_WORKS: Final = 200
"""Of fewer works nothing can be learned."""
MAX_SAMPLE: Final = 50_000
"""Works from which a space is learned; of more, a sample is drawn."""
MIN_WORD_WORKS: Final = 2
"""Works in which a word must occur."""
MAX_WORDS: Final = 50_000
"""Words with a direction, the most frequent."""
K1, B = 1.2, 0.75
"""The parameters of BM25, as tantivy has them."""
_ITERATIONS = 4
_OVERSAMPLING = 10

Array = NDArray[np.float32]


class Bag(NamedTuple):
    """The words of a text as sorted 32-bit hashes, how often each occurs, and their total."""

    words: NDArray[np.uint32]
    counts: NDArray[np.uint16]
    length: int

    @classmethod
    def of(cls, *texts: str) -> Bag:
        """Count the terms, separated by spaces, of texts."""
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(text.split())
        return cls.of_counts(counts)

    @classmethod
    def of_counts(cls, counts: Mapping[str, int]) -> Bag:
        """Return the bag of terms that were counted."""
        size = len(counts)
        hashes = np.fromiter((xxh32_intdigest(word.encode()) for word in counts), np.uint32, size)
        numbers = np.fromiter((min(n, 65535) for n in counts.values()), np.uint16, size)
        order = np.argsort(hashes)
        return cls(hashes[order], numbers[order], sum(counts.values()))


@dataclass(frozen=True, slots=True, eq=False)
class LatentSpace:
    """Directions of words.

    `words` are their hashes in order, `weights` the inverse document frequency of
    each, `directions` a row for each, `mean_length` the average length of a text,
    and `works` how many works there were when the space was learned.
    """

    words: NDArray[np.uint32]
    weights: Array
    directions: Array
    mean_length: float
    works: int

    @property
    def dimensions(self) -> int:
        """The number of dimensions."""
        return int(self.directions.shape[1])

    @classmethod
    def fit(
        cls, bags: Sequence[Bag], works: int | None = None, size: int = DIMENSIONS
    ) -> LatentSpace:
        """Learn a space of at most `size` dimensions from works, or a sample of so many `works`."""
        works = len(bags) if works is None else works
        every = np.concatenate([bag.words for bag in bags] or [np.empty(0, np.uint32)])
        words, spread = np.unique(every, return_counts=True)
        kept = np.flatnonzero(spread >= MIN_WORD_WORKS)
        kept = np.sort(kept[np.argsort(-spread[kept], kind="stable")[:MAX_WORDS]])
        words, spread = words[kept], spread[kept]
        weights = np.log(1 + (len(bags) - spread + 0.5) / (spread + 0.5)).astype(np.float32)
        length = float(np.mean([bag.length for bag in bags] or [1])) or 1.0
        size = min(size, len(bags) // WORKS_PER_DIMENSION, len(words))
        if len(bags) < MIN_WORKS or not size:
            return cls(words[:0], weights[:0], np.empty((0, 0), np.float32), length, works)
        flat = cls(words, weights, np.empty((len(words), 0), np.float32), length, works)
        directions = _leading_directions(flat._matrix(bags), size)
        # Rounded as a file stores them: vectors are the same before and after it is read.
        directions = directions.astype(np.float16).astype(np.float32)
        return cls(words, weights, directions, length, works)

    def fold(self, bags: Sequence[Bag]) -> Array:
        """Return a unit vector for each text; zeros if it has no word with a direction."""
        rows = np.asarray(self._matrix(bags) @ self.directions, np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.maximum(lengths, 1e-9), np.float32)

    def direction(self, bag: Bag) -> Array:
        """Return the unit vector of a query: its works are weighted already, its words are not."""
        columns, known = self._columns(bag.words)
        row = bag.counts[known].astype(np.float32) @ self.directions[columns[known]]
        return np.asarray(row / max(float(np.linalg.norm(row)), 1e-9), np.float32)

    def _columns(self, words: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the columns of words, and which of them are known."""
        if not len(self.words):
            return np.zeros(len(words), np.int64), np.zeros(len(words), np.bool_)
        columns = np.minimum(np.searchsorted(self.words, words), len(self.words) - 1)
        return columns, self.words[columns] == words

    def _matrix(self, bags: Sequence[Bag]) -> sparse.csr_matrix:
        """Return the BM25 weights of the known words of each text."""
        sizes = [len(bag.words) for bag in bags]
        words = np.concatenate([bag.words for bag in bags] or [self.words[:0]])
        counts = np.concatenate([bag.counts for bag in bags] or [np.empty(0, np.uint16)])
        rows = np.repeat(np.arange(len(bags)), sizes)
        columns, known = self._columns(words)
        rows, columns, counts = rows[known], columns[known], counts[known].astype(np.float32)
        lengths = np.array([bag.length for bag in bags], np.float32) / self.mean_length
        values = self.weights[columns] * counts * (K1 + 1)
        values /= counts + (K1 * (1 - B + B * lengths))[rows]
        return sparse.csr_matrix((values, (rows, columns)), (len(bags), len(self.words)))


def _leading_directions(matrix: sparse.csr_matrix, size: int) -> Array:
    """Return the leading right singular vectors of a matrix, as columns."""
    wide = min(size + _OVERSAMPLING, *matrix.shape)
    start = np.random.default_rng(0).standard_normal((matrix.shape[1], wide)).astype(np.float32)
    with single_threaded_blas():  # with several threads sums differ in their last digits
        transposed = matrix.T.tocsr()
        basis = np.linalg.qr(start)[0]
        for _ in range(_ITERATIONS):
            basis = np.linalg.qr(transposed @ (matrix @ basis))[0]
        _, _, rotation = np.linalg.svd(matrix @ basis, full_matrices=False)
        return np.asarray((basis @ rotation.T)[:, :size], np.float32)
