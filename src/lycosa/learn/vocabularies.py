"""Vocabularies of a model, and its weights in the numbering of a site's tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints, Strings, Table


class Vocabulary:
    """The words of a channel; their numbers are the rows of a model's weights.

    `words` are numbered in their order.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = Table(words)

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(
        cls, counts: Sequence[tuple[Strings, NDArray[np.float64]]], least: int, most: int | None
    ) -> Vocabulary:
        """Return the words with at least `least` occurrences, the `most` frequent ones.

        `counts` has for every site its table and the count of each word. Of equally frequent
        words the first in the order of sites and tables is taken.
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
        """Return the number of each string of a table from `start` on, -1 for an unknown one."""
        numbers = np.full(len(table) - start, -1, np.int32)
        if len(self) < len(numbers):  # look up the words of the shorter in the longer
            for number, word in enumerate(self.words):
                other = table.find(word)
                if other is not None and other >= start:
                    numbers[other - start] = number
        else:
            for n in range(start, len(table)):
                found = self.words.find(table[n])
                if found is not None:
                    numbers[n - start] = found
        return numbers


class WeightLookup:
    """A model's weights in the numbering of one table, which may grow.

    A lookup takes two steps: from a string of the table to its number in the vocabulary, then
    to the weights of that number. Both arrays fit into the processor's cache; a single array
    with a row for every string of a large site does not.

    `weights` has a row for each word of `vocabulary`; strings of `table` that are not in the
    vocabulary have weights of 0.
    """

    def __init__(
        self, vocabulary: Vocabulary, weights: NDArray[np.float64], table: Strings
    ) -> None:
        self._vocabulary = vocabulary
        # The last row, zeros, is for unknown words.
        self._weights = np.vstack((weights, np.zeros((1, weights.shape[1]))))
        self._table = table
        self._numbers = np.zeros(0, np.int32)
        self._size = 0

    def rows(self, tokens: Ints) -> NDArray[np.float64]:
        """Return the weights of strings of the table, given by their numbers."""
        if self._size < len(self._table):
            self._grow()
        numbers = self._numbers.take(tokens)
        if self._weights.shape[1] == 1:  # several times as fast
            return self._weights.take(numbers)[:, None]
        return self._weights.take(numbers, axis=0)

    def _grow(self) -> None:
        new = self._vocabulary.numbers(self._table, self._size)
        new[new < 0] = len(self._vocabulary)
        if self._size + len(new) > len(self._numbers):
            room = np.zeros(max(1024, self._size // 2, len(new)), np.int32)
            self._numbers = np.concatenate((self._numbers[: self._size], room))
        self._numbers[self._size : self._size + len(new)] = new
        self._size += len(new)


def merge_vocabularies(
    vocabularies: Sequence[Vocabulary], weights: Sequence[NDArray[np.float64]]
) -> tuple[Vocabulary, NDArray[np.float64]]:
    """Merge vocabularies; return the union and the weights side by side, 0 for missing words."""
    all_words = dict.fromkeys(word for vocabulary in vocabularies for word in vocabulary.words)
    both = Vocabulary(all_words)
    columns = []
    for vocabulary, rows in zip(vocabularies, weights, strict=True):
        missing = np.zeros((1, rows.shape[1]))  # number -1, the last row: a missing word
        columns.append(np.vstack((rows, missing))[vocabulary.numbers(both.words)])
    return both, np.concatenate(columns, axis=1)
