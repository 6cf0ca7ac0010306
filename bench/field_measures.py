"""Measures of extracted fields: exact and soft agreement of texts, and F1 over documents.

Texts are compared by their letters and digits only, without case. They agree exactly if
these are equal, and softly if their edit distance is at most a fifth of the longer.

>>> edit_distance("spider", "spiders"), agree("Web  Spiders.", "web spiders", 1.0)
(1, True)
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

SOFT = 0.8
"""The similarity from which on two texts agree softly."""

_NOT_LETTERS = re.compile(r"[\W_]+")


def letters(text: str) -> str:
    """Return the letters and digits of a text, without case and accents."""
    plain = unicodedata.normalize("NFKD", text)
    return _NOT_LETTERS.sub("", "".join(c for c in plain if not unicodedata.combining(c))).lower()


def edit_distance(one: str, two: str) -> int:
    """Return the Levenshtein distance, by the bit vectors of Myers 1999."""
    if not one:
        return len(two)
    masks: dict[str, int] = {}
    for n, character in enumerate(one):
        masks[character] = masks.get(character, 0) | 1 << n
    every, last = (1 << len(one)) - 1, 1 << len(one) - 1
    up, down, distance = every, 0, len(one)
    for character in two:
        match = masks.get(character, 0)
        zero = (((match & up) + up) ^ up) | match | down
        plus, minus = down | (every & ~(zero | up)), up & zero
        distance += bool(plus & last) - bool(minus & last)
        plus = (plus << 1 | 1) & every
        up, down = (minus << 1 & every) | (every & ~(zero | plus)), plus & zero
    return distance


def agree(one: str, two: str, similarity: float = SOFT) -> bool:
    """Return whether two texts are at least so similar, by their letters."""
    a, b = letters(one), letters(two)
    longest = max(len(a), len(b))
    return a == b or (similarity < 1 and edit_distance(a, b) <= (1 - similarity) * longest)


class FieldScores:
    """Counts of documents in which a field was wanted, found, and right, per field."""

    def __init__(self) -> None:
        self.wanted: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.exact: Counter[str] = Counter()
        self.soft: Counter[str] = Counter()

    def add(self, field: str, truth: str, found: str) -> None:
        """Count the field of one document; "" if it has none."""
        self.wanted[field] += bool(letters(truth))
        self.found[field] += bool(letters(found))
        if letters(truth) and letters(found):
            self.exact[field] += agree(truth, found, 1.0)
            self.soft[field] += agree(truth, found)

    def f1(self, field: str, right: Counter[str]) -> float:
        """Return the F1 of a field, given the counts of the right ones, exact or soft."""
        return 2 * right[field] / max(self.wanted[field] + self.found[field], 1)
