"""Word distributions by class, smoothed by absolute discounting (Ney & Essen 1991).

A word seen n times counts n - d, and all words share the mass that this frees, as in Seymore,
McCallum & Rosenfeld 1999. In addition an unknown word has a shape, such as "a capital and
small letters": the words seen once in training give the probability that a class emits an
unknown word of that shape (Good 1953). The shapes are part of the alphabet, so that the
probabilities of a class add up to one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints

Floats = NDArray[np.float64]


class Symbol(NamedTuple):
    """A `word`, and the `shape` that stands for it where the word is unknown; "" is no shape."""

    word: str
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Numbers for known words, then for known shapes; the last number is everything else.

    `words` and `shapes` map each known one to its number.

    >>> alphabet = Alphabet.of([Symbol("web", "small"), Symbol("Ann", "capital")])
    >>> alphabet.numbers([Symbol("Ann"), Symbol("Bob", "capital"), Symbol("?!", "odd")]).tolist()
    [0, 2, 4]
    """

    words: Mapping[str, int]
    shapes: Mapping[str, int]

    @classmethod
    def of(cls, symbols: Iterable[Symbol]) -> Alphabet:
        """Return the alphabet of some text."""
        known = list(symbols)
        words = sorted({symbol.word for symbol in known})
        shapes = sorted({symbol.shape for symbol in known})
        return cls.listed(words, shapes)

    @classmethod
    def listed(cls, words: Sequence[str], shapes: Sequence[str]) -> Alphabet:
        """Return the alphabet of lists in the order of their numbers."""
        return cls(
            {word: n for n, word in enumerate(words)},
            {shape: n for n, shape in enumerate(shapes, start=len(words))},
        )

    def __len__(self) -> int:
        return len(self.words) + len(self.shapes) + 1

    def numbers(self, symbols: Iterable[Symbol]) -> Ints:
        """Return the numbers of known words, and for unknown words those of their shapes."""
        words, shapes, rest = self.words, self.shapes, len(self) - 1
        found = (words.get(s.word, shapes.get(s.shape, rest)) for s in symbols)
        return np.fromiter(found, np.int32)

    def counts(self, symbols: Sequence[Symbol], classes: Ints, size: int) -> Floats:
        """Return a matrix of counts: words and shapes by class.

        The shape of a word counts if training shows that word once.
        """
        counts = np.zeros((len(self), size))
        numbers = self.numbers(symbols)
        np.add.at(counts, (numbers, classes), 1.0)
        frequency = Counter(symbol.word for symbol in symbols)
        for symbol, label in zip(symbols, classes.tolist(), strict=True):
            if frequency[symbol.word] == 1 and symbol.shape in self.shapes:
                counts[self.shapes[symbol.shape], label] += 1
        return counts


def discount_counts(counts: Floats, discount: float, base: Floats | None = None) -> Floats:
    """Return the probabilities of the rows in every column.

    Each count loses `discount`; the mass that this frees is distributed as `base`, one column
    for each column of counts, or uniformly. A column without counts equals its base.

    >>> discount_counts(np.array([[3.0], [1.0], [0.0], [0.0]]), 0.5).T
    array([[0.6875, 0.1875, 0.0625, 0.0625]])
    """
    totals = counts.sum(axis=0)
    kept = np.maximum(counts - discount, 0.0)
    freed = np.where(totals > 0, totals - kept.sum(axis=0), 1.0)
    background = np.full(counts.shape, 1 / len(counts)) if base is None else base
    return np.asarray((kept + freed * background) / np.where(totals > 0, totals, 1.0))
