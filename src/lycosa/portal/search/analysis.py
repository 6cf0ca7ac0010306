"""Text to the terms of the index: the one way for documents, queries and marks.

Words are cut by `lycosa.web.words`; then accents fall (é is e, ß is ss), and
of English words there is also the stem (Porter 1980), so that robots finds
robot. Stems and folding come from tantivy; running text repeats itself, so
nearly every word costs one look-up.

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

from lycosa.web.words import WORD, words

CAPACITY = 300_000
"""How many runs between spaces are remembered, and as many words."""
LONGEST = 64
"""Characters of a run that is worth remembering."""

# Lower case is another letter at the end of a Greek word, and two characters for one
# Turkish letter: with these two out of the way it is as long as what it is made of.
_SIGMA = "\N{GREEK SMALL LETTER SIGMA}"
_SAME = str.maketrans("İΣς", f"I{_SIGMA}{_SIGMA}")
_SPACES = re.compile(r"\s")


def clean(text: str) -> str:
    """A text in the form that is stored: accents joined to their letters, valid Unicode.

    >>> clean("re" + chr(0x301) + "sume" + chr(0xD800)) == "r" + chr(0xE9) + "sume?"
    True
    """
    if text.isascii():
        return text
    return normalize("NFC", text).encode("utf-8", "replace").decode("utf-8")


def plain(text: str) -> str:
    """The same text, as long, with letters that lower case treats oddly replaced.

    >>> plain("İzmir")
    'Izmir'
    """
    return text.translate(_SAME)


def is_english(language: str) -> bool:
    """Whether words of this language are stemmed: English, and what is not known."""
    return language in ("", "en")


class _Words(dict[str, str]):
    """What a word becomes, worked out once."""

    __slots__ = ("_analyzer",)

    def __init__(self, filter: Filter) -> None:
        self._analyzer = TextAnalyzerBuilder(Tokenizer.raw()).filter(filter).build()

    def __missing__(self, word: str) -> str:
        term = "".join(self._analyzer.analyze(word))
        if not term or _SPACES.search(term):
            term = word
        if len(self) >= CAPACITY:
            self.clear()
        self[word] = term
        return term


class _Runs(dict[str, tuple[str, str]]):
    """The terms of a run of characters between spaces, joined by spaces, and their stems."""

    __slots__ = ("_folded", "_stemmed")

    def __init__(self, folded: _Words, stemmed: _Words) -> None:
        self._folded = folded
        self._stemmed = stemmed

    def __missing__(self, run: str) -> tuple[str, str]:
        terms = [self._folded[word] for word in words(plain(run))]
        both = " ".join(terms), " ".join([self._stemmed[term] for term in terms])
        if len(run) <= LONGEST:
            if len(self) >= CAPACITY:
                self.clear()
            self[run] = both
        return both


class Analysis:
    """Words to exact terms and to stems; safe to share among threads."""

    def __init__(self) -> None:
        self._folded = _Words(Filter.ascii_fold())
        self._stemmed = _Words(Filter.stemmer("english"))
        self._runs = _Runs(self._folded, self._stemmed)

    def both(self, text: str) -> tuple[str, str]:
        """All terms of a text, with spaces between them, and the stems of all."""
        runs = text.split()
        if not runs:
            return "", ""
        exact, stems = zip(*map(self._runs.__getitem__, runs), strict=True)
        return _joined(exact), _joined(stems)

    def exact(self, text: str) -> str:
        """All terms of a text."""
        if len(text) <= LONGEST and text.isascii() and text.isalnum():
            return text.lower()  # many are names of works, of no use to remember
        return _joined([self._runs[run][0] for run in text.split()])

    def stems(self, text: str) -> str:
        """The stems of all terms of a text."""
        return self.both(text)[1]

    def term(self, word: str) -> str:
        """The exact term of one word in lower case."""
        return self._folded[word]

    def stem(self, term: str) -> str:
        """The stem of an exact term."""
        return self._stemmed[term]

    def spans(self, text: str) -> Iterator[tuple[str, int, int]]:
        """The exact terms of a text, and where each begins and ends.

        >>> list(Analysis().spans("Ça va?"))
        [('ca', 0, 2), ('va', 3, 5)]
        """
        for found in WORD.finditer(plain(text).lower()):
            yield self._folded[found[0]], found.start(), found.end()


def _joined(terms: Sequence[str]) -> str:
    """Terms with spaces between them; most runs have one, some none."""
    text = " ".join(terms)
    return text if all(terms) else " ".join(filter(None, terms))
