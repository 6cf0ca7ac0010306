"""Matching of a query in texts, word by word: where its words, phrases and prefixes are.

Only words that start like a word of the query are analysed, so that a text is
searched several times faster than it is analysed.

>>> leaves = query_leaves([Phrase("text", ("robots",))], Analysis(), [""])
>>> Matchers(leaves, Analysis())["en"].spans("a robot and an e-mail")
[Span(start=2, end=7, leaf=0)]
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from lycosa.goals.syntax import Phrase
from lycosa.portal.search.analysis import Analysis
from lycosa.portal.search.tokens import (
    JOINERS,
    SPECIAL,
    TOKEN,
    joined_tokens,
    joined_word,
    named_letters,
    word_of,
)
from lycosa.web.words import WORD

_NO_WORD = ("", " ")
_SPACE = re.compile(r"\s")
_NON_ASCII_LETTER = re.compile(r"[^\W\x00-\x7f]")
_JOINER = re.compile(rf"(?<=\w)[{re.escape(JOINERS)}](?=\w)")
_LONG_WORD = re.compile(r"[^\W_]{64}")
"""As long as the longest word: beyond that, words are cut where no word ends."""


class Span(NamedTuple):
    """A match in a text."""

    start: int
    end: int
    leaf: int
    """The number of the leaf of the query that matches here."""


@dataclass(frozen=True, slots=True)
class Leaf:
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
        return {form[:-2] or form[:1] for form in self.forms} or {self.terms[0]}


def query_leaves(
    phrases: Iterable[Phrase], analysis: Analysis, languages: Collection[str]
) -> tuple[Leaf, ...]:
    """Return the words and phrases of a query, each once; `languages` are those of the works."""
    found: dict[Leaf, None] = {}
    for phrase in phrases:
        terms = tuple(analysis.term(word.removesuffix("*")) for word in phrase.words)
        stars = tuple(word.endswith("*") for word in phrase.words)
        loose = len(terms) == 1 and not (phrase.quoted or stars[0])
        forms = analysis.forms(phrase.words[0], languages) if loose else ()
        found[Leaf(terms, stars, forms)] = None
    return tuple(found)


class Matcher:
    """Finds the leaves of a query in texts.

    Only words that start like a word of the query are analysed, and words with
    letters outside ASCII; all others are skipped without splitting the text
    into words. `language` is that of the texts.
    """

    def __init__(self, leaves: tuple[Leaf, ...], analysis: Analysis, language: str) -> None:
        self._leaves = leaves
        self._analysis = analysis
        self._language = language
        self._starts = [_shortest(leaf.starts | _other_starts(leaf, language)) for leaf in leaves]
        self._every_start = _shortest(chain.from_iterable(self._starts))
        self._loose = any(leaf.forms for leaf in leaves)
        # A compound that matches has a stem or its start only when its words are joined.
        forms = {form for leaf in leaves for form in leaf.forms}
        self._probes = {probe for form in forms for probe in (form, form[:-2]) if len(probe) > 1}
        self._matches: dict[str, list[tuple[int, int]]] = {}
        # By what a token must be or begin with, so that a token is not compared with every leaf.
        self._of_term: dict[str, list[tuple[int, int]]] = {}
        self._of_form: dict[str, list[tuple[int, int]]] = {}
        self._of_prefix: dict[str, list[tuple[int, int]]] = {}
        for number, leaf in enumerate(leaves):
            for position, (term, star) in enumerate(zip(leaf.terms, leaf.stars, strict=True)):
                table = self._of_prefix if star else self._of_term
                table.setdefault(term, []).append((number, position))
            for form in leaf.forms:
                self._of_form.setdefault(form, []).append((number, 0))

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self._leaves)

    def bound(self, lower: str) -> int:
        """Return an upper bound of the leaves that a text in lower case matches."""
        missing = _missing(self._starts, range(len(self._leaves)), lower)
        if missing and self._loose and len(joined := _without_joiners(lower)) < len(lower):
            missing = _missing(self._starts, missing, joined)
        if missing and not lower.isascii():
            missing.difference_update(self._non_ascii_leaves(lower))
        if missing and (special := _special_tokens(lower)):
            missing.difference_update(
                leaf for token in special for leaf, _ in self._match(token[0])
            )
        return len(self._leaves) - len(missing)

    def _non_ascii_leaves(self, lower: str) -> Iterator[int]:
        """Yield the leaves that words and compounds with letters outside ASCII match."""
        for token in _non_ascii_words(lower):
            yield from (leaf for leaf, _ in self._match(token[0]))
        for run in _joined_runs(lower) if self._loose else ():
            if not lower[slice(*run)].isascii():
                yield from (span.leaf for span in self._run_compounds(lower, run))

    def spans(self, lower: str) -> list[Span]:
        """Return the matches in the order of the text; a word may be in several."""
        found: set[Span] = set()
        for at in self._candidates(lower):
            token = TOKEN.match(lower, at)
            if token is None:
                continue
            for leaf, position in self._match(token[0]):
                if len(self._leaves[leaf].terms) == 1:
                    found.add(Span(*token.span(), leaf))
                elif position == 0:
                    found.update(self._phrase(lower, token, leaf))
        if self._loose:
            found.update(self._compounds(lower))
        return sorted(found)

    def _compounds(self, lower: str) -> Iterator[Span]:
        """Yield the compounds that match a word of the query as one word, and letters by name."""
        joined = _without_joiners(lower)
        if len(joined) == len(lower):
            return
        if lower.isascii() and not any(
            probe in joined and joined.count(probe) > lower.count(probe) for probe in self._probes
        ):
            return
        for run in _joined_runs(lower):
            yield from self._run_compounds(lower, run)

    def _run_compounds(self, lower: str, run: tuple[int, int]) -> Iterator[Span]:
        tokens = list(TOKEN.finditer(lower, *run))
        groups = [(each, joined_word(each)) for each in joined_tokens(lower, tokens)]
        letters = [((letter,), name) for letter, name in named_letters(lower, tokens)]
        for group, word in (*groups, *letters):
            stem = self._analysis.stem(word, self._language)
            for number, leaf in enumerate(self._leaves):
                if stem in leaf.forms:
                    yield Span(group[0].start(), group[-1].end(), number)

    def _phrase(self, lower: str, first: re.Match[str], leaf: int) -> list[Span]:
        """Return the spans of a whole phrase that starts with a word; none if it is incomplete."""
        spans = [Span(*first.span(), leaf)]
        for position in range(1, len(self._leaves[leaf].terms)):
            token = TOKEN.search(lower, spans[-1].end)
            if not token or (leaf, position) not in self._match(token[0]):
                return []
            spans.append(Span(*token.span(), leaf))
        return spans

    def _candidates(self, lower: str) -> Iterable[int]:
        """Return where words start that may match."""
        found = set() if lower.isascii() else {word.start() for word in _non_ascii_words(lower)}
        for start in self._every_start:
            at = lower.find(start)
            while at >= 0:
                before = lower[at - 1 : at]
                # Most words follow a space, which need not be compared with what a word is.
                if before in _NO_WORD or not WORD.fullmatch(before + start[0]):
                    found.add(at)
                elif _LONG_WORD.match(lower, at - 64):
                    return (token.start() for token in TOKEN.finditer(lower))
                elif before.isdigit():
                    found.update(_start_of_number(lower, at))
                at = lower.find(start, at + 1)
        for token in _special_tokens(lower):
            found.difference_update(range(*token.span()))
            found.add(token.start())
        return found

    def _match(self, token: str) -> list[tuple[int, int]]:
        """Return the leaves that a token matches, with its position in each."""
        known = self._matches.get(token)
        if known is None:
            term = self._analysis.term(word_of(token))
            stems = self._analysis.stems(token, self._language).split()
            found = {*self._of_term.get(term, ())}
            for stem in stems:
                found.update(self._of_form.get(stem, ()))
            for prefix, leaves in self._of_prefix.items():
                if term.startswith(prefix):
                    found.update(leaves)
            known = self._matches[token] = sorted(found)
        return known


def _missing(starts: Sequence[tuple[str, ...]], leaves: Iterable[int], lower: str) -> set[int]:
    """Return the leaves of which no word starts in a text."""
    found = set()
    for leaf in leaves:
        for start in starts[leaf]:
            if start in lower:
                break
        else:
            found.add(leaf)
    return found


def _shortest(starts: Iterable[str]) -> tuple[str, ...]:
    """Return the prefixes that do not begin with another one."""
    found: list[str] = []
    for start in sorted(set(starts)):
        if not (found and start.startswith(found[-1])):
            found.append(start)
    return tuple(found)


def _other_starts(leaf: Leaf, language: str) -> set[str]:
    """Return further prefixes: the Dutch stemmer removes ge, as in gebeuren and aangebracht."""
    if language != "nl":
        return set()
    return {start for form in leaf.forms for start in (form[:2], f"ge{form[:2]}")}


class Matchers(dict[str, Matcher]):
    """The matcher of each language."""

    def __init__(self, leaves: tuple[Leaf, ...], analysis: Analysis) -> None:
        super().__init__()
        self._leaves = leaves
        self._analysis = analysis

    def __missing__(self, language: str) -> Matcher:
        self[language] = found = Matcher(self._leaves, self._analysis, language)
        return found


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


def _special_tokens(lower: str) -> Iterable[re.Match[str]]:
    """Return the tokens that cannot be found by the first letters of their words."""
    # A single character is found forty times faster than several.
    has_name = "." in lower and ".net" in lower
    return [*SPECIAL.finditer(lower)] if has_name or "_" in lower or "♯" in lower else ()


def _without_joiners(text: str) -> str:
    for joiner in JOINERS:  # several times faster than str.translate
        if joiner in text:  # and not to replace what is not there ten times faster than to try
            text = text.replace(joiner, "")
    return text


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


def _start_of_number(lower: str, end: int) -> Iterator[int]:
    """Yield where the number that ends there starts, if it is the start of a word."""
    start = end
    while start and lower[start - 1].isdigit():
        start -= 1
    if not (start and WORD.fullmatch(lower, start - 1, start + 1)):
        yield start
