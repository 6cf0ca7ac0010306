"""Word forms: which words of a page are forms of a word of the goal.

A goal says "tutorials"; links say "Tutorial", "tutorial5" or "tutorials". A word is a form
of another if both have the same stem, that is, without an ending of the plural and without
digits at the end, or if it begins with the other's stem and that is long. Endings are
those of English; a long stem serves languages that inflect at the end of a word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol, runtime_checkable

from lycosa.web.plurals import singular

MIN_START = 5
"""Letters of a stem from which every word that begins with it is a form of it."""

_DIGITS = "0123456789"
_MIN_STEM = 3
_NO_PLURALS = frozenset(("news", "series", "species"))


def stem(word: str) -> str:
    """Return a word without digits at its end, without an ending of the plural, without a y.

    >>> [stem(word) for word in ("tutorials", "tutorial5", "classes", "libraries", "library")]
    ['tutorial', 'tutorial', 'class', 'librar', 'librar']
    >>> [stem(word) for word in ("news", "status", "gas", "1997")]
    ['news', 'status', 'gas', '1997']
    """
    letters = word.rstrip(_DIGITS) or word
    if letters in _NO_PLURALS:
        return letters
    one = singular(letters)
    shortest = (one.removesuffix("y"), one, letters)
    return next(form for form in shortest if len(form) >= _MIN_STEM or form is letters)


@runtime_checkable
class PrefixedStrings(Protocol):
    """A table that finds strings by their first letters."""

    def beginning_with(self, prefixes: Collection[str], /) -> list[tuple[int, str]]:
        """Return the strings that begin with one of some prefixes, with their numbers."""


class WordForms:
    """Finds forms of some words, and words that begin with one of the `prefixes`.

    >>> forms = WordForms(["tutorials", "map"], prefixes=["net"])
    >>> [word for word in "tutorial howto maps mapping networks".split() if forms.has(word)]
    ['tutorial', 'maps', 'networks']
    """

    def __init__(self, words: Iterable[str], prefixes: Iterable[str] = ()) -> None:
        self._stems = frozenset(map(stem, words))
        long = (each for each in self._stems if len(each) >= MIN_START)
        self._starts = tuple(sorted({*long, *prefixes}))
        # A word and its stem have two letters in common at least, if the stem has so many, so
        # that a look at these letters saves the stems of nine words in ten.
        begins = self._stems.union(self._starts)
        self._common = min(2, min(map(len, begins), default=0))
        self._begins = frozenset(each[: self._common] for each in begins)

    def has(self, word: str) -> bool:
        """Return whether a word is a form of one of the words."""
        return word[: self._common] in self._begins and self._is_form(word)

    def among(self, words: Iterable[str], first: int = 0) -> list[tuple[int, str]]:
        """Return the forms among many words, each with its position, counted from `first`.

        >>> WordForms(["tutorials"]).among(["howto", "tutorial"], first=7)
        [(8, 'tutorial')]
        """
        common, begins = self._common, self._begins
        some = [(n, word) for n, word in enumerate(words, first) if word[:common] in begins]
        return [(n, word) for n, word in some if self._is_form(word)]

    def in_table(self, table: PrefixedStrings) -> list[tuple[int, str]]:
        """Return the forms in a table that finds strings by their first letters."""
        some = table.beginning_with(self._begins)
        return [(n, word) for n, word in some if self._is_form(word)]

    def _is_form(self, word: str) -> bool:
        """Return whether a word is a form, given that it begins as one."""
        return word.startswith(self._starts) or stem(word) in self._stems
