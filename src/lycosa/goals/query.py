"""Pages that say certain words: a boolean keyword query as a goal."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import numpy as np

from lycosa.content import Ints, Strings
from lycosa.core import Page
from lycosa.errors import UsageError
from lycosa.goals.combined import Combinable, failed
from lycosa.goals.syntax import Places, parse
from lycosa.web.words import url_words

TABLES = 16
"""For how many tables of words a query remembers what it found there."""


class Query(Combinable):
    """Reward 1 for every page that a boolean keyword query holds for.

    The language is in `lycosa.goals.syntax`. The field `text`, meant where
    none is named, is all words of the page, the title first; `url` is the
    words of directories, file name and query. A page that failed is worth 0.
    A query that a page without any words would satisfy is refused, because
    nearly every page of the web would be a target.

    `words` are the words that are wanted, without those under a NOT, each
    once and without stars: what a spider may look for in links.

    >>> from lycosa.content import Content, Table, Tables
    >>> tables = Tables(Table(["our", "robots", "lab"]), Table(["http://a.edu/x.html"]), Table())
    >>> page = Page(0, tables, content=Content(np.array([0, 1, 2], np.int32)))
    >>> goal = Query('robot* AND NOT "lab course"')
    >>> goal(page), goal.words
    (1.0, ('robot',))
    >>> Query("title:robot* OR url:y")(page)
    0.0
    """

    def __init__(self, text: str) -> None:
        self.name = text
        self.tree = parse(text)
        if self.tree.holds(lambda field: {}):
            raise UsageError(
                f"The query {text!r} also wants pages that say nothing; "
                "add a word that is wanted, as in: robot AND NOT course."
            )
        phrases = self.tree.phrases()
        self.words = tuple(
            dict.fromkeys(
                word.removesuffix("*")
                for phrase, wanted in phrases
                if wanted
                for word in phrase.words
            )
        )
        self._patterns = _Patterns(word for phrase, _ in phrases for word in phrase.words)
        self._lexicons: dict[int, _Lexicon] = {}

    def __repr__(self) -> str:
        return f"Query({self.name!r})"

    def __reduce__(self) -> tuple[type[Query], tuple[str]]:
        # What was found in tables is not worth carrying to another process.
        return type(self), (self.name,)

    def __call__(self, page: Page) -> float:
        """1 for a page that the query holds for, else 0."""
        if failed(page):
            return 0.0
        known: dict[str, Places] = {}

        def places(field: str) -> Places:
            if field not in known:
                known[field] = self._places(page, field)
            return known[field]

        return 1.0 if self.tree.holds(places) else 0.0

    def _places(self, page: Page, field: str) -> Places:
        if field == "url":
            return _by_pattern(map(self._patterns.of, url_words(page.url)), count())
        content = page.content  # read before the table is looked at, for it may add words
        tokens = content.tokens[: content.title_size] if field == "title" else content.tokens
        return self._lexicon(page.tables.words).places(tokens)

    def _lexicon(self, table: Strings) -> _Lexicon:
        lexicon = self._lexicons.get(id(table))  # which holds the table, so that its id is its own
        if lexicon is None:
            if len(self._lexicons) >= TABLES:
                self._lexicons.clear()
            lexicon = self._lexicons[id(table)] = _Lexicon(self._patterns, table)
        return lexicon


class _Patterns:
    """The words of a query, those with a star apart."""

    def __init__(self, words: Iterable[str]) -> None:
        every = frozenset(words)
        self._stars = tuple(sorted(word for word in every if word.endswith("*")))
        self._starts = tuple(star[:-1] for star in self._stars)
        self._exact = every.difference(self._stars)

    def of(self, word: str) -> tuple[str, ...]:
        """Those that a word of a page fits."""
        exact = (word,) if word in self._exact else ()
        if not word.startswith(self._starts):
            return exact
        return exact + tuple(star for star in self._stars if word.startswith(star[:-1]))


def _by_pattern(fits: Iterable[tuple[str, ...]], places: Iterable[int]) -> Places:
    """Where each pattern is, from what the word at each place fits."""
    found: dict[str, list[int]] = {}
    for patterns, place in zip(fits, places, strict=False):
        for pattern in patterns:
            found.setdefault(pattern, []).append(place)
    return found


class _Lexicon:
    """What a query wants of a table of words, which may grow.

    One flag for every word of the table picks the few words of a page that
    matter; only those are looked at one by one.
    """

    def __init__(self, patterns: _Patterns, table: Strings) -> None:
        self._patterns = patterns
        self._table = table
        self._fits: dict[int, tuple[str, ...]] = {}
        self._flags = np.zeros(0, np.bool_)
        self._seen = 0

    def places(self, tokens: Ints) -> Places:
        """Where the words of the query are among the words of a page."""
        if self._seen != len(self._table):
            self._grow()
        (hits,) = self._flags.take(tokens).nonzero()
        return _by_pattern(map(self._fits.__getitem__, tokens[hits].tolist()), hits.tolist())

    def _grow(self) -> None:
        size = len(self._table)
        if size > len(self._flags):
            self._flags = np.concatenate((self._flags, np.zeros(2 * size, np.bool_)))
        for number in range(self._seen, size):
            if fits := self._patterns.of(self._table[number]):
                self._fits[number] = fits
                self._flags[number] = True
        self._seen = size
