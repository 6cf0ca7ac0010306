"""Detection of items that occur in another corpus, by shingles (Broder 1997).

Models that are measured on a corpus must not be trained on its items, and corpora
copy from each other: an item can be in both with other line ends, other labels or a
few corrections. Two texts are taken for copies if a share of the runs of words of
the shorter one occur in the other.

>>> known = ShingleIndex([["We", "teach", "web", "spiders", "to", "hunt", "for", "papers."]])
>>> known.has_copy("we teach Web-spiders to hunt".replace("-", " ").split())
True
>>> known.has_copy("We teach crawlers to hunt for prey".split())
False
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

SHINGLE_WORDS = 4
"""The number of words of a shingle."""
MIN_SHARED = 0.3
"""The share of shingles of the shorter text from which on two texts are copies."""

_NOT_LETTERS = re.compile(r"[\W_]+")


class ShingleIndex:
    """The shingles of the items of a corpus, each item given as its words."""

    def __init__(self, items: Iterable[Sequence[str]]) -> None:
        self._items: dict[tuple[str, ...], list[int]] = {}
        self._sizes: list[int] = []
        for number, words in enumerate(items):
            found = _shingles(words)
            self._sizes.append(len(found))
            for shingle in found:
                self._items.setdefault(shingle, []).append(number)

    def has_copy(self, words: Sequence[str]) -> bool:
        """Return whether an item of the corpus is a copy of a text, or a part of it."""
        found = _shingles(words)
        shared = Counter(number for shingle in found for number in self._items.get(shingle, ()))
        return any(
            count >= MIN_SHARED * min(len(found), self._sizes[number])
            for number, count in shared.items()
        )


def _shingles(words: Sequence[str]) -> set[tuple[str, ...]]:
    bare = [low for word in words if (low := _NOT_LETTERS.sub("", word).lower())]
    last = max(len(bare) - SHINGLE_WORDS + 1, min(len(bare), 1))
    return {tuple(bare[n : n + SHINGLE_WORDS]) for n in range(last)}
