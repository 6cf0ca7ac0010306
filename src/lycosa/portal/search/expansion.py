"""Expansion: the words that a word with a star stands for, the most frequent first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tantivy import Searcher

from lycosa.portal.search.bounded_cache import BoundedCache
from lycosa.portal.search.vocabulary import Vocabulary

MAX_EXPANSIONS = 100
"""Words of texts that a star expands to, the most frequent."""
MAX_FIELD_EXPANSIONS = 10_000
"""Words of another field that a star expands to: most occur in few works."""
MAX_PHRASE_EXPANSIONS = 50
"""Phrases that the stars of one phrase expand to."""
MAX_CACHED = 256
"""Stars whose expansions are cached."""
VOCABULARY_FIELDS = ("any", "title")
"""Fields whose words are in the `Vocabulary`."""


class Expansion(NamedTuple):
    """The words that begin with a prefix."""

    words: Sequence[str]
    """The most frequent first."""
    frequencies: NDArray[np.int64]
    """In how many works each occurs."""
    complete: bool
    """Whether these are all such words."""

    def first(self, limit: int) -> Expansion:
        """Return the most frequent words, so many at most; all of them for `MAX_EXPANSIONS`."""
        if limit >= MAX_EXPANSIONS or limit >= len(self.words):
            return self
        return Expansion(self.words[:limit], self.frequencies[:limit], complete=False)


class Expansions:
    """Expands words with a star, for one snapshot of an index.

    `searcher` and `vocabulary` belong to that snapshot.
    """

    def __init__(self, searcher: Searcher, vocabulary: Vocabulary) -> None:
        self._searcher = searcher
        self._vocabulary = vocabulary
        self._known: BoundedCache[tuple[str, str], Expansion] = BoundedCache(MAX_CACHED)

    def of(self, field: str, prefix: str) -> Expansion:
        """Return the words of a field of the index that begin with a prefix."""
        # A title expands to the words of `any`, so that it matches nothing that `any` does not.
        home = "any" if field in VOCABULARY_FIELDS else field
        found = self._known.get((home, prefix))
        if found is None:
            found = self._known[home, prefix] = self._find(home, prefix)
        return found

    def _find(self, field: str, prefix: str) -> Expansion:
        if field == "any" and len(self._vocabulary.prefix_range(prefix)) > MAX_EXPANSIONS:
            # Faster than to walk through the terms of the index.
            words = self._vocabulary.complete(prefix, MAX_EXPANSIONS)
            counts = [self._vocabulary.count(word) for word in words]
            return Expansion(words, np.array(counts, np.int64), complete=False)
        most = MAX_EXPANSIONS if field == "any" else MAX_FIELD_EXPANSIONS
        terms = self._searcher.terms_with_prefix(field, prefix, limit=most + 1)
        counts = [count for _, count in terms[:most]]
        words = [term for term, _ in terms[:most]]
        return Expansion(words, np.array(counts, np.int64), len(terms) <= most)
