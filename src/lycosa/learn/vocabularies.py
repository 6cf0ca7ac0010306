"""Vocabularies of a model, and the lens through which it reads another table's numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Strings, Table


class Vocabulary:
    """The words a channel knows; their numbers are the rows of a model's weights."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = Table(words)

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(
        cls, counts: Sequence[tuple[Strings, NDArray[np.float64]]], least: int, most: int | None
    ) -> Vocabulary:
        """Words that occur at least so often, the most frequent ones if there are too many.

        `counts` holds for every site its table and how often each word occurs.
        Equally frequent words are taken in the order in which they were met.
        """
        totals: dict[str, float] = {}
        for table, numbers in counts:
            for number in np.flatnonzero(numbers).tolist():
                word = table[number]
                totals[word] = totals.get(word, 0.0) + float(numbers[number])
        kept = [word for word, count in totals.items() if count >= least]
        if most is not None and len(kept) > most:
            kept = sorted(kept, key=lambda word: -totals[word])[:most]
        return cls(kept)

    def numbers(self, table: Strings, start: int = 0) -> NDArray[np.int32]:
        """For each string of a table from `start` on its number here, or -1."""
        find = self.words.find
        found = [find(table[n]) for n in range(start, len(table))]
        return np.array([-1 if n is None else n for n in found], np.int32)


class Lens:
    """A model's weights in the numbering of one table, which may still grow."""

    def __init__(
        self, vocabulary: Vocabulary, weights: NDArray[np.float64], table: Strings
    ) -> None:
        self._vocabulary = vocabulary
        # A word the model does not know weighs nothing: one more row for it.
        self._weights = np.vstack((weights, np.zeros((1, weights.shape[1]))))
        self._table = table
        self._seen = np.zeros((0, weights.shape[1]))
        self._size = 0

    @property
    def weights(self) -> NDArray[np.float64]:
        """A row of weights for every string of the table."""
        if self._size < len(self._table):
            new = self._weights[self._vocabulary.numbers(self._table, self._size)]
            if self._size + len(new) > len(self._seen):
                room = np.zeros((max(1024, self._size // 2, len(new)), self._weights.shape[1]))
                self._seen = np.concatenate((self._seen[: self._size], room))
            self._seen[self._size : self._size + len(new)] = new
            self._size += len(new)
        return self._seen[: self._size]
