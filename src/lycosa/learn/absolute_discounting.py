"""Distributions of words, one a class, smoothed by absolute discounting (Ney & Essen 1991).

What was seen n times counts n - d; what that saves is shared by all words. So
far it is what Seymore, McCallum & Rosenfeld 1999 do. In addition a word that
was never seen is known by its shape, such as "a capital and small letters":
the words that were seen once in training tell how often a class shows a
stranger of that shape (Good 1953). The shapes are part of the alphabet, so
that the probabilities of a class still add up to one.
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
    """A word, and the shape it is known by where it is a stranger."""

    word: str
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The words and shapes that were seen, numbered; one more number is all the rest.

    >>> alphabet = Alphabet.of([Symbol("web", "small"), Symbol("Ann", "capital")])
    >>> alphabet.numbers([Symbol("Ann"), Symbol("Bob", "capital"), Symbol("?!", "odd")]).tolist()
    [0, 2, 4]
    """

    words: Mapping[str, int]
    shapes: Mapping[str, int]

    @classmethod
    def of(cls, symbols: Iterable[Symbol]) -> Alphabet:
        """The alphabet of some text."""
        known = list(symbols)
        words = sorted({symbol.word for symbol in known})
        shapes = sorted({symbol.shape for symbol in known})
        return cls.listed(words, shapes)

    @classmethod
    def listed(cls, words: Sequence[str], shapes: Sequence[str]) -> Alphabet:
        """The same from lists in the order of their numbers."""
        return cls(
            {word: n for n, word in enumerate(words)},
            {shape: n for n, shape in enumerate(shapes, start=len(words))},
        )

    def __len__(self) -> int:
        return len(self.words) + len(self.shapes) + 1

    def numbers(self, symbols: Iterable[Symbol]) -> Ints:
        """Known words by their own numbers, strangers by that of their shape."""
        words, shapes, rest = self.words, self.shapes, len(self) - 1
        found = (words.get(s.word, shapes.get(s.shape, rest)) for s in symbols)
        return np.fromiter(found, np.int32)

    def counts(self, symbols: Sequence[Symbol], classes: Ints, size: int) -> Floats:
        """How often each class (a column) shows each word and, once, each shape of stranger."""
        counts = np.zeros((len(self), size))
        numbers = self.numbers(symbols)
        np.add.at(counts, (numbers, classes), 1.0)
        often = Counter(symbol.word for symbol in symbols)
        for symbol, label in zip(symbols, classes.tolist(), strict=True):
            if often[symbol.word] == 1 and symbol.shape in self.shapes:
                counts[self.shapes[symbol.shape], label] += 1
        return counts


def discount_counts(counts: Floats, discount: float, base: Floats | None = None) -> Floats:
    """Probabilities of the rows in every column: counts less `discount`, the rest by `base`.

    The base is uniform unless the caller has a better one, column by column; a
    column without counts is its base.

    >>> discount_counts(np.array([[3.0], [1.0], [0.0], [0.0]]), 0.5).T
    array([[0.6875, 0.1875, 0.0625, 0.0625]])
    """
    totals = counts.sum(axis=0)
    kept = np.maximum(counts - discount, 0.0)
    left = np.where(totals > 0, totals - kept.sum(axis=0), 1.0)
    spread = np.full(counts.shape, 1 / len(counts)) if base is None else base
    return np.asarray((kept + left * spread) / np.where(totals > 0, totals, 1.0))
