"""Goal: pages that match a Boolean keyword query."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import numpy as np

from lycosa.content import Ints, Strings
from lycosa.core import Page
from lycosa.errors import UsageError
from lycosa.goals.combined import Combinable, failed
from lycosa.goals.syntax import And, Not, Or, Phrase, Places, Tree, parse
from lycosa.web.words import url_words

MAX_TABLES = 16
"""Tables of words for which matches are cached."""


class Query(Combinable):
    """Reward 1 for every page that matches a Boolean keyword query.

    The syntax is in `lycosa.goals.syntax`. The default field `text` is all
    words of the page, the title first; `url` is the words of directories, file
    name and query. A page that failed has the reward 0. A query that a page
    without any words would match is refused, because nearly every page of the
    web would be a target.

    `words` are the words of the query except those under a NOT, each once and
    without stars: what a spider may look for in links. `prefixes` are those of them
    that had a star.

    >>> from lycosa.content import Content, Table, Tables
    >>> tables = Tables(Table(["our", "robots", "lab"]), Table(["http://a.edu/x.html"]), Table())
    >>> page = Page(0, tables, content=Content(np.array([0, 1, 2], np.int32)))
    >>> goal = Query('robot* AND NOT "lab course"')
    >>> goal(page), goal.words, goal.prefixes
    (1.0, ('robot',), ('robot',))
    >>> Query("title:robot* OR url:y")(page)
    0.0
    """

    def __init__(self, text: str) -> None:
        self.name = text
        self.tree = parse(text)
        if self.tree.holds(lambda field: {}):
            raise UsageError(
                f"The query {text!r} also matches pages without words; "
                "add a word that must occur, as in: robot AND NOT course."
            )
        self.needs_text = not _may_match_without_text(self.tree)
        """Whether only pages and documents with text can match."""
        phrases = self.tree.phrases()
        looked_for = [word for phrase, wanted in phrases if wanted for word in phrase.words]
        self.words = tuple(dict.fromkeys(word.removesuffix("*") for word in looked_for))
        stars = (word.removesuffix("*") for word in looked_for if word.endswith("*"))
        self.prefixes = tuple(dict.fromkeys(stars))
        self._patterns = _Patterns(word for phrase, _ in phrases for word in phrase.words)
        self._matches: dict[int, _WordMatches] = {}

    def __repr__(self) -> str:
        return f"Query({self.name!r})"

    def __reduce__(self) -> tuple[type[Query], tuple[str]]:
        # The cache is not worth sending to another process.
        return type(self), (self.name,)

    def __call__(self, page: Page) -> float:
        """Return 1 for a page that matches the query, else 0."""
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
            return _by_pattern(map(self._patterns.matches, url_words(page.url)), count())
        content = page.content  # first, because parsing may add words to the table
        tokens = content.tokens[: content.title_size] if field == "title" else content.tokens
        return self._matches_of(page.tables.words).places(tokens)

    def _matches_of(self, table: Strings) -> _WordMatches:
        # The value references the table, so that its id is not given to another object.
        matches = self._matches.get(id(table))
        if matches is None:
            if len(self._matches) >= MAX_TABLES:
                self._matches.clear()
            matches = self._matches[id(table)] = _WordMatches(self._patterns, table)
        return matches


class _Patterns:
    """The words of a query, exact ones and prefixes (with a star)."""

    def __init__(self, words: Iterable[str]) -> None:
        every = frozenset(words)
        self._stars = tuple(sorted(word for word in every if word.endswith("*")))
        self._starts = tuple(star[:-1] for star in self._stars)
        self._exact = every.difference(self._stars)

    def matches(self, word: str) -> tuple[str, ...]:
        """Return the words of the query that a word of a page matches."""
        exact = (word,) if word in self._exact else ()
        if not word.startswith(self._starts):
            return exact
        return exact + tuple(star for star in self._stars if word.startswith(star[:-1]))


def _by_pattern(fits: Iterable[tuple[str, ...]], places: Iterable[int]) -> Places:
    """Return the places of each pattern, given the patterns that the word at each place matches."""
    found: dict[str, list[int]] = {}
    for patterns, place in zip(fits, places, strict=False):
        for pattern in patterns:
            found.setdefault(pattern, []).append(place)
    return found


class _WordMatches:
    """The words of a growing table that a query matches.

    One flag for every word of the table selects the few words of a page that
    match; only those are processed one by one.
    """

    def __init__(self, patterns: _Patterns, table: Strings) -> None:
        self._patterns = patterns
        self._table = table
        self._fits: dict[int, tuple[str, ...]] = {}
        self._flags = np.zeros(0, np.bool_)
        self._seen = 0

    def places(self, tokens: Ints) -> Places:
        """Return the places of the query's words among the words of a page."""
        if self._seen != len(self._table):
            self._grow()
        (hits,) = self._flags.take(tokens).nonzero()
        return _by_pattern(map(self._fits.__getitem__, tokens[hits].tolist()), hits.tolist())

    def _grow(self) -> None:
        size = len(self._table)
        if size > len(self._flags):
            self._flags = np.concatenate((self._flags, np.zeros(2 * size, np.bool_)))
        for number in range(self._seen, size):
            if fits := self._patterns.matches(self._table[number]):
                self._fits[number] = fits
                self._flags[number] = True
        self._seen = size


def _may_match_without_text(tree: Tree, wanted: bool = True) -> bool:
    """Return whether a page without text may match a query, or may not match if not `wanted`.

    Words of the URL count as unknown, so that no page is left out that could match.
    """
    match tree:
        case Phrase():
            return not wanted or tree.field == "url"
        case Not():
            return _may_match_without_text(tree.part, not wanted)
        case And() | Or():
            every = isinstance(tree, And) == wanted
            found = (_may_match_without_text(part, wanted) for part in tree.parts)
            return all(found) if every else any(found)
