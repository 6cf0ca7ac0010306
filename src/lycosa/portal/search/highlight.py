"""Highlighting: the words of a text that match a query, and the best snippet of it.

The text is analysed as for the index, and a term is highlighted for the reason
for which the work matched: it is a word of the query, has a stem of it, has the
prefix, is part of a complete phrase, or is a compound that the query has as one
word.

>>> from lycosa.goals.syntax import parse
>>> highlighter = Highlighter(parse('robots "the web"'), Analysis())
>>> highlighter.title("A robot in the web, the spider")
(('A ', False), ('robot', True), (' in ', False), ('the', True), (' ', False), ('web', True), \
(', the spider', False))
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple

from lycosa.goals.syntax import Phrase, Tree
from lycosa.portal.search.analysis import Analysis, plain
from lycosa.portal.search.results import HighlightedText
from lycosa.portal.search.tokens import (
    JOINERS,
    SPECIAL,
    TOKEN,
    joined_tokens,
    joined_word,
    word_of,
)
from lycosa.web.words import WORD

SNIPPET_LENGTH = 280
"""Characters of a snippet, approximately."""
MAX_LEAD = 60
"""Characters of a snippet before the first match."""
WINDOW_LENGTH = 3000
"""Characters of a window, the unit in which a text is searched for matches."""
MAX_SCANNED = 60_000
"""Characters of a text that are searched."""
MAX_WINDOWS = 4
"""Windows that are analysed word by word, the most promising ones."""
ELLIPSIS = "…"

_SPACE = re.compile(r"\s")
_NON_SPACE = re.compile(r"\S")
_NON_ASCII_LETTER = re.compile(r"[^\W\x00-\x7f]")
_JOINER = re.compile(rf"(?<=\w)[{re.escape(JOINERS)}](?=\w)")
_WITHOUT_JOINERS = str.maketrans(dict.fromkeys(JOINERS))
_LONG_WORD = re.compile(r"[^\W_]{64}")
"""As long as the longest word: beyond that, words are cut where no word ends."""


class _Span(NamedTuple):
    start: int
    end: int
    leaf: int
    """The number of the leaf of the query that matches here."""


class _Window(NamedTuple):
    """A window of a text."""

    text: str
    start: int
    end: int

    def __str__(self) -> str:
        return self.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A word or a phrase of the query."""

    terms: tuple[str, ...]
    stars: tuple[bool, ...]
    forms: tuple[str, ...]
    """The forms of a word that matches in any; none for one that matches exactly."""

    @property
    def starts(self) -> set[str]:
        """Prefixes: one of every word in ASCII that its first word matches.

        The words of a stem begin with it except for its last letters: happi is the stem of
        happy, hope that of hoping, and dying has only the first letter in common with die.
        """
        return {form[:-3] or form[:1] for form in self.forms} or {self.terms[0]}

    def positions(self, term: str, stems: Collection[str]) -> Iterator[int]:
        """Yield the positions in the phrase that a term of a text, with these stems, matches."""
        for position, (own, star) in enumerate(zip(self.terms, self.stars, strict=True)):
            matches = term.startswith(own) if star else term == own
            if matches or not self._is_disjoint(stems):
                yield position

    def _is_disjoint(self, stems: Collection[str]) -> bool:
        return not any(form in stems for form in self.forms)


class Highlighter:
    """Highlights the matches of a query.

    `tree` is the parsed query, None if it matches everything. `analysis` must be that of the
    index and `languages` those in which it searches words, so that the same words match.
    """

    def __init__(
        self, tree: Tree | None, analysis: Analysis, languages: Collection[str] = ("",)
    ) -> None:
        leaves = [leaf for leaf, positive in tree.phrases() if positive] if tree else []
        body = _leaves((leaf for leaf in leaves if leaf.field == "text"), analysis, languages)
        title = _leaves(
            (leaf for leaf in leaves if leaf.field in ("text", "title")), analysis, languages
        )
        self._bodies = _Matchers(body, analysis)
        self._titles = _Matchers(title, analysis)

    def title(self, text: str, *, language: str = "") -> HighlightedText:
        """Highlight a whole title; the field title: of a query matches too."""
        return _split_at(text, self._titles[language].spans(_lower(text)))

    def snippet(self, *texts: str, language: str = "") -> HighlightedText:
        """Return the part of some texts with most of the query; else the start of the first one."""
        matcher = self._bodies[language]
        best = (0, 0)
        snippet: HighlightedText = ()
        for bound, window, lower in islice(_ranked_windows(texts, matcher), MAX_WINDOWS):
            if bound <= best[0]:
                break
            spans = matcher.spans(lower)
            value, first = max(_densities(spans), key=lambda pair: pair[0], default=((0, 0), 0))
            if value > best:
                best = value
                snippet = _cut(window, spans[first].start, spans)
            if best[0] == matcher.size:
                break
        return snippet or _start_of(texts)


def _ranked_windows(texts: Iterable[str], matcher: _Matcher) -> Iterator[tuple[int, _Window, str]]:
    """Yield windows with an upper bound of the leaves that each matches, the highest first.

    Windows that may match all leaves are yielded as they are found, so that the
    text need not be searched if the abstract suffices.
    """
    others = []
    for window in chain.from_iterable(map(_windows, texts)) if matcher.size else ():
        lower = _lower(str(window))
        bound = matcher.bound(lower)
        if bound == matcher.size:
            yield bound, window, lower
        elif bound:
            others.append((bound, window, lower))
    yield from sorted(others, key=lambda other: -other[0])


def _start_of(texts: Iterable[str]) -> HighlightedText:
    """Return the start of the first text that is not blank."""
    windows = chain.from_iterable(map(_windows, texts))
    found = next((window for window in windows if str(window).strip()), None)
    return _cut(found, 0, []) if found else ()


def _leaves(
    phrases: Iterable[Phrase], analysis: Analysis, languages: Collection[str]
) -> tuple[_Leaf, ...]:
    found: dict[_Leaf, None] = {}
    for phrase in phrases:
        terms = tuple(analysis.term(word.removesuffix("*")) for word in phrase.words)
        stars = tuple(word.endswith("*") for word in phrase.words)
        loose = len(terms) == 1 and not (phrase.quoted or stars[0])
        forms = analysis.forms(phrase.words[0], languages) if loose else ()
        found[_Leaf(terms, stars, forms)] = None
    return tuple(found)


class _Matcher:
    """Finds the leaves of a query in texts.

    Only words that start like a word of the query are analysed, and words with
    letters outside ASCII; all others are skipped without splitting the text
    into words. `language` is that of the texts.
    """

    def __init__(self, leaves: tuple[_Leaf, ...], analysis: Analysis, language: str) -> None:
        self._leaves = leaves
        self._analysis = analysis
        self._language = language
        self._starts = [leaf.starts for leaf in leaves]
        self._loose = any(leaf.forms for leaf in leaves)
        self._matches: dict[str, list[tuple[int, int]]] = {}

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self._leaves)

    def bound(self, lower: str) -> int:
        """Return an upper bound of the leaves that a text in lower case matches."""
        joined = lower.translate(_WITHOUT_JOINERS) if self._loose else lower
        leaves = {
            number
            for number, starts in enumerate(self._starts)
            if any(start in lower or start in joined for start in starts)
        }
        if len(leaves) < len(self._leaves):
            others = [] if lower.isascii() else [token[0] for token in _non_ascii_words(lower)]
            for token in (*others, *(token[0] for token in _special_tokens(lower))):
                leaves.update(leaf for leaf, _ in self._match(token))
        return len(leaves)

    def spans(self, lower: str) -> list[_Span]:
        """Return the matches in the order of the text; a word may be in several."""
        found: set[_Span] = set()
        for at in self._candidates(lower):
            token = TOKEN.match(lower, at)
            for leaf, position in self._match(token[0]) if token else ():
                if token and position == 0:
                    found.update(self._phrase(lower, token, leaf))
        if self._loose:
            found.update(self._compounds(lower))
        return sorted(found)

    def _compounds(self, lower: str) -> Iterator[_Span]:
        """Yield the compounds that match a word of the query as one word."""
        for run in _joined_runs(lower):
            for group in joined_tokens(lower, list(TOKEN.finditer(lower, *run))):
                for leaf, _ in self._match(joined_word(group)):
                    if self._leaves[leaf].forms:
                        yield _Span(group[0].start(), group[-1].end(), leaf)

    def _phrase(self, lower: str, first: re.Match[str], leaf: int) -> list[_Span]:
        """Return the spans of a whole phrase that starts with a word; none if it is incomplete."""
        spans = [_Span(*first.span(), leaf)]
        for position in range(1, len(self._leaves[leaf].terms)):
            token = TOKEN.search(lower, spans[-1].end)
            if not token or (leaf, position) not in self._match(token[0]):
                return []
            spans.append(_Span(*token.span(), leaf))
        return spans

    def _candidates(self, lower: str) -> Iterable[int]:
        """Return where words start that may match."""
        found = set() if lower.isascii() else {word.start() for word in _non_ascii_words(lower)}
        for start in set().union(*self._starts):
            at = lower.find(start)
            while at >= 0:
                before = lower[at - 1 : at]
                if not (before and WORD.fullmatch(before + start[0])):
                    found.add(at)
                elif _LONG_WORD.match(lower, at - 64):
                    return (token.start() for token in TOKEN.finditer(lower))
                elif before.isdigit():
                    found.add(_start_of_number(lower, at))
                at = lower.find(start, at + 1)
        for token in _special_tokens(lower):
            found.difference_update(range(*token.span()))
            found.add(token.start())
        return found

    def _match(self, token: str) -> list[tuple[int, int]]:
        """Return the leaves that a token matches, with its position in each."""
        if token not in self._matches:
            term = self._analysis.term(word_of(token))
            stems = self._analysis.stems(token, self._language).split()
            self._matches[token] = [
                (number, position)
                for number, leaf in enumerate(self._leaves)
                for position in leaf.positions(term, stems)
            ]
        return self._matches[token]


class _Matchers(dict[str, _Matcher]):
    """The matcher of each language."""

    def __init__(self, leaves: tuple[_Leaf, ...], analysis: Analysis) -> None:
        super().__init__()
        self._leaves = leaves
        self._analysis = analysis

    def __missing__(self, language: str) -> _Matcher:
        self[language] = found = _Matcher(self._leaves, self._analysis, language)
        return found


def _lower(text: str) -> str:
    """Return a text in lower case, of the same length."""
    return text.lower() if text.isascii() else plain(text).lower()


def _non_ascii_words(lower: str) -> Iterator[re.Match[str]]:
    """Yield the words with letters outside ASCII."""
    if _LONG_WORD.search(lower):
        yield from TOKEN.finditer(lower)
        return
    end = 0
    while letter := _NON_ASCII_LETTER.search(lower, end):
        start = letter.start()
        while start > end and WORD.fullmatch(lower, start - 1, start + 1):
            start -= 1
        token = TOKEN.match(lower, start)
        end = letter.end()
        if token:
            end = max(token.end(), end)
            yield token


def _special_tokens(lower: str) -> Iterator[re.Match[str]]:
    """Yield the tokens that cannot be found by the first letters of their words."""
    if "_" in lower or ".net" in lower or "♯" in lower:
        yield from SPECIAL.finditer(lower)


def _joined_runs(lower: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each run between spaces that has a joiner inside."""
    end = 0
    while joiner := _JOINER.search(lower, end):
        start = joiner.start()
        while start > end and not lower[start - 1].isspace():
            start -= 1
        space = _SPACE.search(lower, joiner.end())
        end = space.start() if space else len(lower)
        yield start, end


def _start_of_number(lower: str, end: int) -> int:
    """Return where the number that ends there starts, if a word starts with it; else the end."""
    start = end
    while start and lower[start - 1].isdigit():
        start -= 1
    return end if start and WORD.fullmatch(lower, start - 1, start + 1) else start


def _windows(text: str) -> Iterator[_Window]:
    """Yield overlapping windows of the start of a text, cut at spaces where there are any."""
    start = 0
    while start < min(len(text), MAX_SCANNED):
        end = _near_space(text, start + WINDOW_LENGTH)
        yield _Window(text, start, end)
        if end >= len(text):
            return
        start = max(_near_space(text, end - SNIPPET_LENGTH), start + 1)


def _near_space(text: str, at: int) -> int:
    """Return the next space within 64 characters; the given position if there is none."""
    if at <= 0:
        return 0
    found = _SPACE.search(text, at, at + 64)
    return min(found.start() if found else at, len(text))


def _densities(spans: list[_Span]) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield for every span how many leaves, and how many spans, a snippet from there has."""
    for first, span in enumerate(spans):
        within = []
        for other in spans[first:]:
            if other.end > span.start + SNIPPET_LENGTH - MAX_LEAD:
                break
            within.append(other.leaf)
        yield (len(set(within)), len(within)), first


def _cut(window: _Window, first: int, spans: list[_Span]) -> HighlightedText:
    """Return a snippet around a position in a window, with an ellipsis where text is cut off."""
    text = str(window)
    start = min(_near_space(text, min(first - MAX_LEAD, len(text) - SNIPPET_LENGTH)), first)
    end = start + SNIPPET_LENGTH
    end = len(text) if end >= len(text) else _near_space(text, end)
    while start < end and text[start].isspace():
        start += 1
    inside = [_Span(a - start, b - start, leaf) for a, b, leaf in spans if start <= a < b <= end]
    before = _NON_SPACE.search(window.text, 0, window.start + start)
    after = _NON_SPACE.search(window.text, window.start + end)
    lead = [(ELLIPSIS, False)] if before else []
    tail = [(ELLIPSIS, False)] if after else []
    return (*lead, *_split_at(text[start:end], inside), *tail)


def _split_at(text: str, spans: list[_Span]) -> HighlightedText:
    """Split a text at ordered spans; spans of several leaves on one word are one piece."""
    pieces = []
    at = 0
    for start, end, _ in spans:
        if start < at:
            continue
        pieces += [(text[at:start], False)] * (start > at)
        pieces.append((text[start:end], True))
        at = end
    return (*pieces, *[(text[at:], False)] * (at < len(text)))
