"""Text analysis: the terms of a text, for documents, queries and highlighting alike.

`lycosa.web.words` splits a text into words; accents are then folded (é to e, ß
to ss), and English words also have a stem (Porter 1980), so that robots
matches robot. Folding and stemming come from tantivy. Running text repeats
itself, so that nearly every word is found in a cache.

>>> analysis = Analysis()
>>> analysis.exact("Naïve Bayes-Netze, 1999")
'naive bayes netze 1999'
>>> analysis.stems("Learning robots")
'learn robot'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import normalize

from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

from lycosa.portal.search.bounded_cache import BoundedCache
from lycosa.web.words import WORD, words

CACHE_SIZE = 300_000
"""Entries in the cache of runs between spaces, and in each cache of words."""
MAX_CACHED_LENGTH = 64
"""Characters of the longest run that is cached."""

# The lower case of a final sigma is another letter, and that of a dotted capital I is two
# characters. With both replaced, a text in lower case is as long as the text itself.
_SIGMA = "\N{GREEK SMALL LETTER SIGMA}"
_SAME_LENGTH = str.maketrans("İΣς", f"I{_SIGMA}{_SIGMA}")
_SPACES = re.compile(r"\s")


def clean(text: str) -> str:
    """Return a text as the index stores it: in Unicode form NFC and without lone surrogates.

    >>> clean("re" + chr(0x301) + "sume" + chr(0xD800)) == "r" + chr(0xE9) + "sume?"
    True
    """
    if text.isascii():
        return text
    return normalize("NFC", text).encode("utf-8", "replace").decode("utf-8")


def plain(text: str) -> str:
    """Return a text of the same length that lower case does not lengthen or shorten.

    >>> plain("İzmir")
    'Izmir'
    """
    return text.translate(_SAME_LENGTH)


def is_english(language: str) -> bool:
    """Return whether words of a language are stemmed: English, and an unknown language."""
    return language in ("", "en")


class _WordCache(BoundedCache[str, str]):
    """The term that a filter of tantivy makes of each word."""

    __slots__ = ("_analyzer",)

    def __init__(self, filter: Filter) -> None:
        super().__init__(CACHE_SIZE)
        self._analyzer = TextAnalyzerBuilder(Tokenizer.raw()).filter(filter).build()

    def __missing__(self, word: str) -> str:
        term = "".join(self._analyzer.analyze(word))
        if not term or _SPACES.search(term):
            term = word
        self[word] = term
        return term


class _RunCache(BoundedCache[str, tuple[str, str]]):
    """The terms and the stems of each run of characters between spaces, joined by spaces."""

    __slots__ = ("_folded", "_stemmed")

    def __init__(self, folded: _WordCache, stemmed: _WordCache) -> None:
        super().__init__(CACHE_SIZE)
        self._folded = folded
        self._stemmed = stemmed

    def __missing__(self, run: str) -> tuple[str, str]:
        terms = [self._folded[word] for word in words(plain(run))]
        both = " ".join(terms), " ".join([self._stemmed[term] for term in terms])
        if len(run) <= MAX_CACHED_LENGTH:
            self[run] = both
        return both


class Analysis:
    """Returns the exact terms and the stems of texts; safe to share among threads."""

    def __init__(self) -> None:
        self._folded = _WordCache(Filter.ascii_fold())
        self._stemmed = _WordCache(Filter.stemmer("english"))
        self._runs = _RunCache(self._folded, self._stemmed)

    def both(self, text: str) -> tuple[str, str]:
        """Return all terms of a text, joined by spaces, and the stems of all."""
        runs = text.split()
        if not runs:
            return "", ""
        exact, stems = zip(*map(self._runs.__getitem__, runs), strict=True)
        return _join(exact), _join(stems)

    def exact(self, text: str) -> str:
        """Return all terms of a text, joined by spaces."""
        if len(text) <= MAX_CACHED_LENGTH and text.isascii() and text.isalnum():
            return text.lower()  # mostly ids of works, which would only fill the cache
        return _join([self._runs[run][0] for run in text.split()])

    def stems(self, text: str) -> str:
        """Return the stems of all terms of a text, joined by spaces."""
        return self.both(text)[1]

    def term(self, word: str) -> str:
        """Return the exact term of one word in lower case."""
        return self._folded[word]

    def stem(self, term: str) -> str:
        """Return the stem of an exact term."""
        return self._stemmed[term]

    def spans(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Yield the exact terms of a text with the start and end of each.

        >>> list(Analysis().spans("Ça va?"))
        [('ca', 0, 2), ('va', 3, 5)]
        """
        for match in WORD.finditer(plain(text).lower()):
            yield self._folded[match[0]], match.start(), match.end()


def _join(terms: Sequence[str]) -> str:
    """Join terms by spaces; a run without a word has an empty one, which is left out."""
    text = " ".join(terms)
    return text if all(terms) else " ".join(filter(None, terms))
