"""Exactly the words that matched, marked in a text.

A text is cut into terms by the same analysis as for the index, and a term is
marked for the same reason that the work was found: it is a word of the query,
has its stem, begins as it does, or is part of a phrase that stands there whole.

>>> from lycosa.goals.syntax import parse
>>> marker = Highlighter(parse('robots "the web"'), Analysis())
>>> marker.title("A robot in the web, the spider")
(('A ', False), ('robot', True), (' in ', False), ('the', True), (' ', False), ('web', True), \
(', the spider', False))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple

from lycosa.goals.syntax import Phrase, Tree
from lycosa.portal.search.analysis import Analysis, plain
from lycosa.portal.search.results import HighlightedText
from lycosa.web.words import WORD

LENGTH = 280
"""Characters of a snippet, about."""
LEAD = 60
"""Characters before the first word that matched, at most."""
WINDOW = 3000
"""Characters of a text that are looked at as one."""
READ = 60_000
"""Characters of a text that are looked at."""
TRIED = 4
"""Windows that are read word by word, those that promise most."""
CUT = "…"

_SPACE = re.compile(r"\s")
_SHOWN = re.compile(r"\S")
_LETTER = re.compile(r"[^\W\x00-\x7f]")
_LONG = re.compile(r"[^\W_]{64}")


class _Span(NamedTuple):
    start: int
    end: int
    leaf: int
    """The number of the part of the query."""


class _Window(NamedTuple):
    """A part of a text."""

    text: str
    start: int
    end: int

    def __str__(self) -> str:
        return self.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A word or a phrase that is wanted."""

    terms: tuple[str, ...]
    stars: tuple[bool, ...]
    stem: str
    """Of a word that may be another form; empty for those that may not."""

    @property
    def start(self) -> str:
        """How all words begin that its first word may stand for.

        A stem is how its words begin, but for its last letters: happi is of happy and hope of
        hoping, and nothing but the first letter is left of dying in die.
        """
        return (self.stem[:-2] or self.stem[:1]) if self.stem else self.terms[0]

    def fits(self, term: str, stem: str) -> Iterator[int]:
        """At which of its places a term of a text may stand; no stem where there are none."""
        for place, (mine, star) in enumerate(zip(self.terms, self.stars, strict=True)):
            alike = term.startswith(mine) if star else term == mine
            if alike or (self.stem and stem == self.stem):
                yield place


class Highlighter:
    """Marks what a query found."""

    def __init__(self, tree: Tree | None, analysis: Analysis) -> None:
        leaves = [leaf for leaf, wanted in tree.phrases() if wanted] if tree else []
        body = _leaves((leaf for leaf in leaves if leaf.field == "text"), analysis)
        title = _leaves((leaf for leaf in leaves if leaf.field in ("text", "title")), analysis)
        self._bodies = {english: _Reader(body, analysis, english) for english in (True, False)}
        self._titles = {english: _Reader(title, analysis, english) for english in (True, False)}

    def title(self, text: str, *, english: bool = True) -> HighlightedText:
        """A whole text, in which words asked for in titles count too."""
        return _pieces(text, self._titles[english].spans(_lower(text)))

    def snippet(self, *texts: str, english: bool = True) -> HighlightedText:
        """The part of some texts that has most of the query; else how the first of them begins."""
        reader = self._bodies[english]
        best = (0, 0)
        marked: HighlightedText = ()
        for promise, window, lower in islice(_promising(texts, reader), TRIED):
            if promise <= best[0]:
                break
            spans = reader.spans(lower)
            worth, first = max(_dense(spans), key=lambda pair: pair[0], default=((0, 0), 0))
            if worth > best:
                best = worth
                marked = _cut(window, spans[first].start, spans)
            if best[0] == reader.size:
                break
        return marked or _beginning(texts)


def _promising(texts: Iterable[str], reader: _Reader) -> Iterator[tuple[int, _Window, str]]:
    """How much of a query windows may have, and those windows: first those that may have most.

    Those that may have all of it come as they are found, so that whoever has
    seen enough in an abstract need not look at the text behind it.
    """
    others = []
    for window in chain.from_iterable(map(_windows, texts)) if reader.size else ():
        lower = _lower(str(window))
        promise = reader.promise(lower)
        if promise == reader.size:
            yield promise, window, lower
        elif promise:
            others.append((promise, window, lower))
    yield from sorted(others, key=lambda found: -found[0])


def _beginning(texts: Iterable[str]) -> HighlightedText:
    """How the first text begins that has something to show."""
    windows = chain.from_iterable(map(_windows, texts))
    found = next((window for window in windows if str(window).strip()), None)
    return _cut(found, 0, []) if found else ()


def _leaves(phrases: Iterable[Phrase], analysis: Analysis) -> tuple[_Leaf, ...]:
    found: dict[_Leaf, None] = {}
    for phrase in phrases:
        terms = tuple(analysis.term(word.removesuffix("*")) for word in phrase.words)
        stars = tuple(word.endswith("*") for word in phrase.words)
        loose = len(terms) == 1 and not (phrase.quoted or stars[0])
        found[_Leaf(terms, stars, analysis.stem(terms[0]) if loose else "")] = None
    return tuple(found)


class _Reader:
    """Finds parts of a query in texts of one kind of language.

    Only words that begin as a word of the query does are looked at, and those
    with letters that are not ASCII; all others are passed over without cutting
    the text into words.
    """

    def __init__(self, leaves: tuple[_Leaf, ...], analysis: Analysis, english: bool) -> None:
        self._leaves = leaves
        self._analysis = analysis
        self._english = english
        self._starts = [leaf.start for leaf in leaves]
        self._places: dict[str, list[tuple[int, int]]] = {}

    @property
    def size(self) -> int:
        """How many parts there are."""
        return len(self._leaves)

    def promise(self, lower: str) -> int:
        """Of how many parts there may be some in a text in lower case: never too few."""
        bits = {number for number, start in enumerate(self._starts) if start in lower}
        if not lower.isascii() and len(bits) < len(self._leaves):
            for word in _odd(lower):
                bits.update(leaf for leaf, _ in self._fits(self._analysis.term(word[0])))
        return len(bits)

    def spans(self, lower: str) -> list[_Span]:
        """Where parts of the query are, in the order of the text; a word may be in several."""
        found: set[_Span] = set()
        for at in self._beginnings(lower):
            word = WORD.match(lower, at)
            for leaf, place in self._fits(self._analysis.term(word[0])) if word else ():
                if word and place == 0:
                    found.update(self._followed(lower, word, leaf))
        return sorted(found)

    def _followed(self, lower: str, first: re.Match[str], leaf: int) -> list[_Span]:
        """The words of a part of the query, if all are there after the first."""
        spans = [_Span(*first.span(), leaf)]
        for place in range(1, len(self._leaves[leaf].terms)):
            word = WORD.search(lower, spans[-1].end)
            if not word or (leaf, place) not in self._fits(self._analysis.term(word[0])):
                return []
            spans.append(_Span(*word.span(), leaf))
        return spans

    def _beginnings(self, lower: str) -> Iterable[int]:
        """Where words begin that may be of the query."""
        found = set() if lower.isascii() else {word.start() for word in _odd(lower)}
        for start in set(self._starts):
            at = lower.find(start)
            while at >= 0:
                before = lower[at - 1 : at]
                if not (before and WORD.fullmatch(before + start[0])):
                    found.add(at)
                elif _LONG.match(lower, at - 64):  # which is cut where no word ends
                    return (word.start() for word in WORD.finditer(lower))
                at = lower.find(start, at + 1)
        return found

    def _fits(self, term: str) -> list[tuple[int, int]]:
        """The parts that a term may be of, and at which place of each."""
        if term not in self._places:
            stem = self._analysis.stem(term) if self._english else ""
            self._places[term] = [
                (number, place)
                for number, leaf in enumerate(self._leaves)
                for place in leaf.fits(term, stem)
            ]
        return self._places[term]


def _lower(text: str) -> str:
    """A text in lower case, as long as it was."""
    return text.lower() if text.isascii() else plain(text).lower()


def _odd(lower: str) -> Iterator[re.Match[str]]:
    """The words with letters that are not ASCII."""
    if _LONG.search(lower):
        yield from WORD.finditer(lower)
        return
    end = 0
    while letter := _LETTER.search(lower, end):
        start = letter.start()
        while start > end and WORD.fullmatch(lower, start - 1, start + 1):
            start -= 1
        word = WORD.match(lower, start)
        end = letter.end()
        if word:
            end = max(word.end(), end)
            yield word


def _windows(text: str) -> Iterator[_Window]:
    """The beginning of a text in windows that overlap, cut at spaces where there are any."""
    start = 0
    while start < min(len(text), READ):
        end = _near_space(text, start + WINDOW)
        yield _Window(text, start, end)
        if end >= len(text):
            return
        start = max(_near_space(text, end - LENGTH), start + 1)


def _near_space(text: str, at: int) -> int:
    """The next place from here where no word is cut; here, if none is near."""
    if at <= 0:
        return 0
    found = _SPACE.search(text, at, at + 64)
    return min(found.start() if found else at, len(text))


def _dense(spans: list[_Span]) -> Iterator[tuple[tuple[int, int], int]]:
    """For every span, of how many parts there are some within a snippet from it, and how many."""
    for first, span in enumerate(spans):
        within = []
        for other in spans[first:]:
            if other.end > span.start + LENGTH - LEAD:
                break
            within.append(other.leaf)
        yield (len(set(within)), len(within)), first


def _cut(window: _Window, first: int, spans: list[_Span]) -> HighlightedText:
    """A snippet from a little before a place in a window, with a sign where the text goes on."""
    text = str(window)
    start = min(_near_space(text, min(first - LEAD, len(text) - LENGTH)), first)
    end = len(text) if start + LENGTH >= len(text) else _near_space(text, start + LENGTH)
    while start < end and text[start].isspace():
        start += 1
    inside = [_Span(a - start, b - start, leaf) for a, b, leaf in spans if start <= a < b <= end]
    before = _SHOWN.search(window.text, 0, window.start + start)
    after = _SHOWN.search(window.text, window.start + end)
    signs = ([(CUT, False)] * bool(found) for found in (before, after))
    return tuple(chain(next(signs), _pieces(text[start:end], inside), next(signs)))


def _pieces(text: str, spans: list[_Span]) -> HighlightedText:
    """A text cut at spans that are in order; those of several parts are one piece."""
    found = []
    at = 0
    for start, end, _ in spans:
        if start < at:
            continue
        found += [(text[at:start], False)] * (start > at)
        found.append((text[start:end], True))
        at = end
    return (*found, *[(text[at:], False)] * (at < len(text)))
