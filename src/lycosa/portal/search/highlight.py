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
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from lycosa.goals.syntax import Tree
from lycosa.portal.search.analysis import Analysis, plain
from lycosa.portal.search.results import HighlightedText
from lycosa.portal.search.term_matcher import Matcher, Matchers, Span, query_leaves

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


class _Window(NamedTuple):
    """A window of a text."""

    text: str
    start: int
    end: int

    def __str__(self) -> str:
        return self.text[self.start : self.end]


class Highlighter:
    """Highlights the matches of a query.

    `tree` is the parsed query, None if it matches everything. `analysis` must be that of the
    index and `languages` those in which it searches words, so that the same words match.
    """

    def __init__(
        self, tree: Tree | None, analysis: Analysis, languages: Collection[str] = ("",)
    ) -> None:
        leaves = [leaf for leaf, positive in tree.phrases() if positive] if tree else []
        body = query_leaves((leaf for leaf in leaves if leaf.field == "text"), analysis, languages)
        title = query_leaves(
            (leaf for leaf in leaves if leaf.field in ("text", "title")), analysis, languages
        )
        self._bodies = Matchers(body, analysis)
        # Most queries do not name the field: then words that were matched need not be again.
        self._titles = self._bodies if title == body else Matchers(title, analysis)

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
            value, first = _densest(spans)
            if value > best:
                best = value
                snippet = _cut(window, first, spans)
            if best[0] == matcher.size:
                break
        return snippet or _start_of(texts)


def _ranked_windows(texts: Iterable[str], matcher: Matcher) -> Iterator[tuple[int, _Window, str]]:
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


def _lower(text: str) -> str:
    """Return a text in lower case, of the same length."""
    return text.lower() if text.isascii() else plain(text).lower()


def _windows(text: str) -> Iterator[_Window]:
    """Yield overlapping windows of the start of a text, cut at spaces where there are any."""
    if 0 < len(text) <= WINDOW_LENGTH:  # most abstracts
        yield _Window(text, 0, len(text))
        return
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


def _densest(spans: Sequence[Span]) -> tuple[tuple[int, int], int]:
    """Return how many leaves, and how many spans, the best snippet has, and where it starts.

    A snippet starts at one of the ordered spans; of equal ones the first is the best.
    """
    best, at = (0, 0), 0
    for number, span in enumerate(spans):
        last = span.start + SNIPPET_LENGTH - MAX_LEAD
        within = []
        for _, end, leaf in islice(spans, number, None):
            if end > last:
                break
            within.append(leaf)
        value = len(set(within)), len(within)
        if value > best:
            best, at = value, span.start
    return best, at


def _cut(window: _Window, first: int, spans: list[Span]) -> HighlightedText:
    """Return a snippet around a position in a window, with an ellipsis where text is cut off."""
    text = str(window)
    start = min(_near_space(text, min(first - MAX_LEAD, len(text) - SNIPPET_LENGTH)), first)
    end = start + SNIPPET_LENGTH
    end = len(text) if end >= len(text) else _near_space(text, end)
    while start < end and text[start].isspace():
        start += 1
    inside = [Span(a - start, b - start, leaf) for a, b, leaf in spans if start <= a < b <= end]
    before = _NON_SPACE.search(window.text, 0, window.start + start)
    after = _NON_SPACE.search(window.text, window.start + end)
    lead = [(ELLIPSIS, False)] if before else []
    tail = [(ELLIPSIS, False)] if after else []
    return (*lead, *_split_at(text[start:end], inside), *tail)


def _split_at(text: str, spans: list[Span]) -> HighlightedText:
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
