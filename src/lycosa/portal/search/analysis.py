"""Text analysis: the terms of a text, for documents, queries and highlighting alike.

`tokens` splits a text into words; accents are then folded (é to e, ß to ss),
which makes the exact terms. Words also have a stem in the language of the work
(Porter 1980, "An algorithm for suffix stripping", and his Snowball stemmers), so
that robots matches robot and Paketverwaltungen Paketverwaltung; the stems of all
languages are compared with one another. Folding and stemming come from tantivy.
Running text repeats itself, so that nearly every run between spaces is found in
a cache.

>>> analysis = Analysis()
>>> analysis.exact("Naïve Bayes-Netze, 1999")
'naive bayes netze 1999'
>>> analysis.stems("Learning robots")
'learn robot'
>>> analysis.stems("Paketverwaltungen", "de")
'paketverwalt'
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from unicodedata import normalize

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from lycosa.portal.search.bounded_cache import BoundedCache
from lycosa.portal.search.latex import replace_latex
from lycosa.portal.search.tokens import (
    TOKEN,
    find_words,
    further_words,
    word_of,
)

CACHE_SIZE = 300_000
"""Entries in the cache of runs between spaces, and in each cache of words, all languages."""
MAX_CACHED_LENGTH = 64
"""Characters of the longest run that is cached."""
MAX_FORMS = 10_000
"""Words of queries whose forms are cached: one query asks for those of each several times."""
MAX_LATEX_PASSES = 4
"""Passes over LaTeX that only shows when other LaTeX is replaced; then backslashes are removed."""
STEMMERS: Mapping[str, str] = MappingProxyType(
    {
        "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english",
        "es": "spanish", "fi": "finnish", "fr": "french", "hu": "hungarian", "it": "italian",
        "nb": "norwegian", "nl": "dutch", "nn": "norwegian", "no": "norwegian",
        "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil",
        "tr": "turkish",
    }
)  # fmt: skip
"""The stemmer of each language (ISO 639-1) that has one."""

# The lower case of a final sigma is another letter, and that of a dotted capital I is two
# characters. With both replaced, a text in lower case is as long as the text itself. The
# micro sign is another character than the Greek letter that texts have instead.
_SIGMA = "\N{GREEK SMALL LETTER SIGMA}"
_MU = "\N{GREEK SMALL LETTER MU}"
_SAME_LENGTH = str.maketrans("İΣς\N{MICRO SIGN}", f"I{_SIGMA}{_SIGMA}{_MU}")
_BEFORE_WORDS, _AFTER_WORDS = "([\"',;:", ")]\"',;:.!?"
"""Characters beside words that are no part of any token."""
_SPACES = re.compile(r"\s")
_SOFT_HYPHEN = re.compile("\xad\n?")


def clean(text: str) -> str:
    r"""Return a text as the index stores it.

    That is in Unicode form NFC, without lone surrogates, soft hyphens and the remnants of
    LaTeX. Cleaning a clean text changes nothing.

    >>> clean("re" + chr(0x301) + "sume" + chr(0xD800)) == "r" + chr(0xE9) + "sume?"
    True
    >>> clean(r"G\"odel")
    'Gödel'
    """
    if not text.isascii():
        if "\xad" in text:
            text = _SOFT_HYPHEN.sub("", text)
        text = normalize("NFC", text).encode("utf-8", "replace").decode("utf-8")
    for _ in range(MAX_LATEX_PASSES):
        if "\\" not in text:
            return text
        before, text = text, normalize("NFC", replace_latex(text))
        if text == before:
            return text
    return text.replace("\\", " ")


def plain(text: str) -> str:
    """Return a text of the same length that lower case does not lengthen or shorten.

    >>> plain("İzmir")
    'Izmir'
    """
    return text.translate(_SAME_LENGTH)


def split_words(text: str) -> list[str]:
    """Return the words of a text in reading order, in lower case, with their accents.

    >>> split_words("C++ and the p-norm of CO$_2$")
    ['c++', 'and', 'the', 'p', 'norm', 'of', 'co2']
    """
    return find_words(_lower(text))


def _lower(text: str) -> str:
    return plain(clean(text)).lower()


class _CacheBudget:
    """Bounds the entries of several caches together: beyond `CACHE_SIZE`, all are emptied."""

    def __init__(self) -> None:
        self._caches: list[dict[str, Any]] = []
        self._count = 0

    def join(self, cache: dict[str, Any]) -> None:
        self._caches.append(cache)

    def count(self) -> None:
        """Count an entry that is about to be added."""
        self._count += 1
        if self._count > CACHE_SIZE:
            self._count = 1
            for cache in self._caches:
                cache.clear()


class _WordCache(dict[str, str]):
    """The term that filters of tantivy make of each word."""

    __slots__ = ("_analyzer", "_budget")

    def __init__(self, budget: _CacheBudget, *filters: Filter) -> None:
        super().__init__()
        builder = TextAnalyzerBuilder(Tokenizer.raw())
        for each in filters:
            builder = builder.filter(each)
        self._analyzer: TextAnalyzer = builder.build()
        self._budget = budget
        budget.join(self)

    def __missing__(self, word: str) -> str:
        term = "".join(self._analyzer.analyze(word))
        if not term or _SPACES.search(term):
            term = word
        self._budget.count()
        self[word] = term
        return term


class _RunCache(dict[str, tuple[str, str]]):
    """The terms and the stems of each run of characters between spaces, joined by spaces."""

    __slots__ = ("_budget", "_folded", "_stemmed")

    def __init__(
        self, budget: _CacheBudget, folded: _WordCache, stemmed: _WordCache | None
    ) -> None:
        super().__init__()
        self._budget = budget
        self._folded = folded
        self._stemmed = stemmed
        budget.join(self)

    def __missing__(self, run: str) -> tuple[str, str]:
        word = run.lstrip(_BEFORE_WORDS).rstrip(_AFTER_WORDS)
        if word.isalpha() and word.isascii() and len(word) <= MAX_CACHED_LENGTH:
            # Most runs are such a word, which is its own term and no compound.
            word = word.lower()
            both = word, self._stemmed[word] if self._stemmed is not None else word
        else:
            both = self._analyse(run)
        if len(run) <= MAX_CACHED_LENGTH:
            self._budget.count()
            self[run] = both
        return both

    def _analyse(self, run: str) -> tuple[str, str]:
        lower = plain(run).lower()
        tokens = list(TOKEN.finditer(lower))
        words = [word_of(token[0]) for token in tokens]
        folded, stemmed = self._folded, self._stemmed
        terms = [folded[word] for word in words]
        further = further_words(lower, tokens)
        if stemmed is None:
            stems = [*terms, *map(folded.__getitem__, further)]
        else:
            stems = [stemmed[word] for word in words]
            stems += [stemmed[word] for word in further]
            if not lower.isascii():
                # What is typed without accents is stemmed without them.
                bare = {stemmed[term]: None for term in terms}
                known = frozenset(stems)
                stems += [stem for stem in bare if stem not in known]
        return " ".join(terms), " ".join(stems)


class _TermCache(dict[str, str]):
    """The terms of each run of characters between spaces, joined by spaces."""

    __slots__ = ("_budget", "_folded")

    def __init__(self, budget: _CacheBudget, folded: _WordCache) -> None:
        super().__init__()
        self._budget = budget
        self._folded = folded
        budget.join(self)

    def __missing__(self, run: str) -> str:
        word = run.lstrip(_BEFORE_WORDS).rstrip(_AFTER_WORDS)
        if word.isalpha() and word.isascii() and len(word) <= MAX_CACHED_LENGTH:
            terms = word.lower()
        else:
            tokens = TOKEN.finditer(plain(run).lower())
            terms = " ".join([self._folded[word_of(token[0])] for token in tokens])
        if len(run) <= MAX_CACHED_LENGTH:
            self._budget.count()
            self[run] = terms
        return terms


class _Language:
    """The caches of one language; `stemmed` is None if it has no stemmer."""

    def __init__(self, name: str, folded: _WordCache, words: _CacheBudget, runs: _CacheBudget):
        self.stemmed: _WordCache | None = None
        if name:
            stemmer, fold = Filter.stemmer(name), Filter.ascii_fold()
            # The endings of other languages have accents: they are folded afterwards.
            filters = (fold, stemmer) if name == "english" else (stemmer, fold)
            self.stemmed = _WordCache(words, *filters)
        self.runs = _RunCache(runs, folded, self.stemmed)


class Analysis:
    """Returns the exact terms and the stems of texts; safe to share among threads.

    `language` is that of the text, ISO 639-1. An empty one is treated as English, and
    texts in languages without a stemmer have their exact terms as stems.
    """

    def __init__(self) -> None:
        self._words, self._runs = _CacheBudget(), _CacheBudget()
        self._folded = _WordCache(_CacheBudget(), Filter.ascii_fold())
        self._forms: BoundedCache[tuple[str, ...], tuple[str, ...]] = BoundedCache(MAX_FORMS)
        self._languages: dict[str, _Language] = {}
        # Names and references are searched by their terms alone: their stems are not computed.
        self._terms = _TermCache(_CacheBudget(), self._folded)

    def both(self, text: str, language: str = "") -> tuple[str, str]:
        """Return all terms of a text, joined by spaces, and the stems of all.

        The stems of a run may be followed by further ones, which have no position of their own:
        the joined form of a compound, the parts of a number with a unit.

        >>> Analysis().both("An e-mail at 5GHz")
        ('an e mail at 5ghz', 'an e mail email at 5ghz 5 ghz')
        """
        runs = _runs(text)
        if not runs:
            return "", ""
        exact, stems = zip(*map(self._language(language).runs.__getitem__, runs), strict=True)
        return _join(exact), _join(stems)

    def exact(self, text: str) -> str:
        """Return all terms of a text, joined by spaces."""
        if len(text) <= MAX_CACHED_LENGTH and text.isascii() and text.isalnum():
            return text.lower()  # mostly ids of works, which would only fill the cache
        return _join([self._terms[run] for run in _runs(text)])

    def stems(self, text: str, language: str = "") -> str:
        """Return the stems of all terms of a text, and further ones, joined by spaces."""
        return self.both(text, language)[1]

    def term(self, word: str) -> str:
        """Return the exact term of one word in lower case."""
        return self._folded[word]

    def stem(self, word: str, language: str = "") -> str:
        """Return the stem of one word in lower case."""
        stemmed = self._language(language).stemmed
        return self._folded[word] if stemmed is None else stemmed[word]

    def forms(self, word: str, languages: Collection[str] = ("",)) -> tuple[str, ...]:
        """Return the terms under which a word of a query may be among the stems of works.

        These are its exact term, and its stems in the languages of the works.

        >>> Analysis().forms("paketverwaltungen", {"en", "de", "ja"})
        ('paketverwaltungen', 'paketverwalt')
        """
        key = (word, *languages)
        known = self._forms.get(key)
        if known is None:
            term = self._folded[word]
            found = {term: None}
            for language in sorted(languages):
                found[self.stem(word, language)] = None
                found[self.stem(term, language)] = None
            known = self._forms[key] = tuple(found)
        return known

    def spans(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Yield the exact terms of a clean text with the start and end of each.

        >>> list(Analysis().spans("Ça va?"))
        [('ca', 0, 2), ('va', 3, 5)]
        """
        for match in TOKEN.finditer(plain(text).lower()):
            yield self._folded[word_of(match[0])], match.start(), match.end()

    def _language(self, code: str) -> _Language:
        name = STEMMERS.get(code or "en", "")
        found = self._languages.get(name)
        if found is None:
            # Two threads may both make one: the second replaces the first.
            found = _Language(name, self._folded, self._words, self._runs)
            self._languages[name] = found
        return found


def _runs(text: str) -> list[str]:
    """Return the runs of a text between spaces; a text that is not clean is cleaned."""
    return (clean(text) if "\\" in text or "\xad" in text else text).split()


def _join(terms: Sequence[str]) -> str:
    """Join terms by spaces; a run without a word has an empty one, which is left out."""
    text = " ".join(terms)
    return text if all(terms) else " ".join(filter(None, terms))
