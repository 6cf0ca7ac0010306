"""The tree of a query as queries of tantivy: what matches, and how well.

They are put together term by term, never by a parser of tantivy, so there is
nothing in a query that could be mistaken for another language.

A word is found by its stem in English and by its exact form elsewhere, in quotes
and in phrases. Where it stands in a title, a name or an abstract it counts more
(`layout`), and more again in a title, most in the very form that was asked for.
Small English words are not asked for where there are others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tantivy import FieldType, Occur, Query, Schema, Searcher

from lycosa.goals.language import SMALL_WORDS
from lycosa.goals.syntax import And, Not, Or, Phrase, Tree
from lycosa.portal.search.analysis import Analysis
from lycosa.portal.search.layout import unstemmed
from lycosa.portal.search.vocabulary import Vocabulary

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"any": 1.5, "any_stems": 1.5, "title": 3.0, "title_stems": 1.5}
)
"""What a word counts in a field; those of a title are also words of `any`."""
TOGETHER = 2.0
"""What the words of a query count that stand together in a title, in their order."""
FLAT = 0.1
"""What a year, a site and so on counts: they only tell what is asked for."""
EXPANSIONS = 50
"""How many words a star inside a phrase stands for at most, those of most works."""
BEGINNINGS = 100
"""The same of a word alone."""
REMEMBERED = 64
"""How many queries for words with a star are kept."""

_TEXT = "text"
_FIELD_OF = MappingProxyType(
    {
        "author": "people",
        "venue": "venue_words",
        "topic": "topic_words",
        "site": "site_words",
        "cites": "cites",
        "type": "types",
    }
)
_LARGE = ("any", "title")
_SMALL = frozenset(SMALL_WORDS["en"].split())
_LATEST = 10**9


class QueryBuilder:
    """Makes queries for one state of an index."""

    def __init__(
        self, schema: Schema, searcher: Searcher, analysis: Analysis, vocabulary: Vocabulary
    ) -> None:
        self._schema = schema
        self._searcher = searcher
        self._analysis = analysis
        self._vocabulary = vocabulary
        self._started: dict[tuple[str, str], Query] = {}

    def matching(self, tree: Tree | None) -> Query:
        """Finds what the tree holds for; its scores mean nothing."""
        return self._made(tree, scored=False)

    def scoring(self, tree: Tree | None) -> Query:
        """Finds the same and scores it."""
        return self._made(tree, scored=True)

    def limits(self, tree: Tree | None) -> list[str]:
        """What is said of words with a star that stand for too many."""
        notices: dict[str, None] = {}
        for phrase, _ in tree.phrases() if tree else ():
            most = EXPANSIONS if len(phrase.words) > 1 else BEGINNINGS
            for word in phrase.words if phrase.field in (_TEXT, "title") else ():
                start = self._analysis.term(word.removesuffix("*"))
                if word.endswith("*") and len(self._vocabulary.beginnings(start)) > most:
                    notices[
                        f"So many words begin like “{word}” that only the {most:,} that most works "
                        "have were searched."
                    ] = None
        return list(notices)

    def most(self, tree: And, least: int, *, scored: bool) -> Query:
        """Finds what has at least so many of the parts, and nothing that is not wanted."""
        parts = required_parts(tree)
        wanted = [part for part in parts if not isinstance(part, Not)]
        some = Query.boolean_query(
            [(Occur.Should, self._made(part, scored=scored)) for part in wanted],
            minimum_number_should_match=least,
        )
        unwanted = [part.part for part in parts if isinstance(part, Not)]
        never = [(Occur.MustNot, self._made(part, scored=False)) for part in unwanted]
        return Query.boolean_query([(Occur.Must, some), *never])

    def filtered(self, query: Query, filters: Mapping[str, Sequence[str]]) -> Query:
        """The same among works that have one of the values of every field named."""
        wanted = [
            (Occur.Must, Query.const_score_query(self._one_of(field, values), 0.0))
            for field, values in filters.items()
            if values
        ]
        return Query.boolean_query([(Occur.Must, query), *wanted]) if wanted else query

    def halved(self, query: Query, times: int) -> Query:
        """The same among half of the works, or a quarter, and so on."""
        drawn = Query.term_query(self._schema, "sample", times, "basic")
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, drawn)])

    def these(self, numbers: Sequence[int]) -> Query:
        """Finds the works with these numbers."""
        # A set of terms would be looked for in all of them, which takes longer.
        return _any(Query.term_query(self._schema, "number", each, "basic") for each in numbers)

    def _one_of(self, field: str, values: Sequence[str]) -> Query:
        if field != "year":
            return _any(Query.term_query(self._schema, field, each, "basic") for each in values)
        ranges = [_years(value) for value in values]
        return _any(self._range(*found) for found in ranges if found)

    def _range(self, low: int, high: int) -> Query:
        return Query.range_query(self._schema, "year", FieldType.Integer, low, high)

    def _made(self, tree: Tree | None, *, scored: bool) -> Query:
        match tree:
            case None:
                return Query.all_query()
            case Phrase():
                return self._leaf(tree, scored=scored)
            case Not():
                unwanted = (Occur.MustNot, self._made(tree.part, scored=False))
                return Query.boolean_query([(Occur.Must, _everything()), unwanted])
            case Or():
                return _any(self._made(part, scored=scored) for part in tree.parts)
        return self._all(required_parts(tree), scored=scored)

    def _all(self, parts: Sequence[Tree], *, scored: bool) -> Query:
        unwanted = [part.part for part in parts if isinstance(part, Not)]
        wanted = [part for part in parts if not isinstance(part, Not)]
        found = [(Occur.Must, self._made(part, scored=scored)) for part in wanted]
        if not wanted:
            found.append((Occur.Must, _everything()))
        found += [(Occur.MustNot, self._made(part, scored=False)) for part in unwanted]
        if scored and (words := _row(wanted)):
            terms = [self._analysis.term(word) for word in words]
            together = Query.phrase_query(self._schema, "title", [*terms])
            found.append((Occur.Should, Query.boost_query(together, TOGETHER)))
        return Query.boolean_query(found)

    def _leaf(self, phrase: Phrase, *, scored: bool) -> Query:
        if phrase.field == "year":
            years = _years(phrase.words[0])
            return _flat(self._range(*years)) if years else Query.empty_query()
        if phrase.field in _FIELD_OF:
            query = self._phrase(_FIELD_OF[phrase.field], phrase.words)
            return query if phrase.field == "author" else _flat(query)
        home, term = "title" if phrase.field == "title" else "any", phrase.words[0]
        more = ["title"] if scored and home == "any" else []
        if len(phrase.words) > 1 or term.endswith("*"):
            return _or_more(
                _weighed(home, self._phrase(home, phrase.words)),
                [_weighed(field, self._phrase(field, phrase.words)) for field in more],
            )
        term = self._analysis.term(term)
        exact = [_weighed(field, self._term(field, term)) for field in more]
        if phrase.quoted:
            return _or_more(_weighed(home, self._term(home, term)), exact)
        stem = _weighed("title_stems", self._term("title_stems", self._analysis.stem(term)))
        if home == "title":
            return _any([_weighed("title", self._term("title", term)), stem])
        found = self._any_form(term)
        if not scored:
            return found
        return _or_more(
            _weighed("any_stems", found), [_weighed("any", self._term("any", term)), *exact, stem]
        )

    def _any_form(self, term: str) -> Query:
        """A word or another with its stem; in most texts that is one term to look up."""
        forms = [self._analysis.stem(term)]
        if self._searcher.doc_freq("any_stems", unstemmed(term)):
            forms.append(unstemmed(term))
        return _any(self._term("any_stems", form) for form in forms)

    def _term(self, field: str, term: str) -> Query:
        return Query.term_query(self._schema, field, term, "freq")

    def _phrase(self, field: str, words: Sequence[str]) -> Query:
        """Words one after the other; one with a star stands for those that begin so."""
        terms = [self._analysis.term(word.removesuffix("*")) for word in words]
        starred = [at for at, word in enumerate(words) if word.endswith("*")]
        if len(words) == 1:
            return self._beginning(field, terms[0]) if starred else self._term(field, terms[0])
        rows = [terms]
        for at in starred:
            most = max(EXPANSIONS // len(rows), 1)
            meant = self._beginnings(field, terms[at], most) or [terms[at]]
            rows = [[*row[:at], word, *row[at + 1 :]] for row in rows for word in meant]
        return _any(Query.phrase_query(self._schema, field, list(row)) for row in rows)

    def _beginning(self, field: str, start: str) -> Query:
        """A word that begins so; of too many, those that most works have."""
        if field in _LARGE and len(self._vocabulary.beginnings(start)) > BEGINNINGS:
            meant = self._vocabulary.completed(start, BEGINNINGS)
            return Query.term_set_query(self._schema, field, meant)
        # These take long to make, and are asked for to match and to score.
        known = self._started.get((field, start))
        if known is None:
            known = Query.regex_query(self._schema, field, f"{re.escape(start)}.*")
            if len(self._started) >= REMEMBERED:
                self._started.clear()
            self._started[field, start] = known
        return known

    def _beginnings(self, field: str, start: str, most: int) -> list[str]:
        """The words of a field that begin so and that most works have."""
        if field in _LARGE and len(self._vocabulary.beginnings(start)) > BEGINNINGS:
            return self._vocabulary.completed(start, most)
        # For a title these are the words of all, so that it finds nothing that they do not.
        home = "any" if field in _LARGE else field
        terms = self._searcher.terms_with_prefix(home, start, limit=2 * BEGINNINGS)
        terms.sort(key=lambda pair: (-pair[1], pair[0]))
        return [term for term, _ in terms[:most]]


def count_matches(searcher: Searcher, query: Query) -> int:
    """How many works a query finds."""
    found: Any = searcher.search(query, 1)
    return int(found.count)


def required_parts(tree: And) -> list[Tree]:
    """The parts that are asked for: small words only if there is nothing else."""
    small = [part for part in tree.parts if _is_small(part)]
    others = [part for part in tree.parts if not _is_small(part)]
    return others if any(not isinstance(part, Not) for part in others) else [*small, *others]


def has_phrase(tree: Tree | None) -> bool:
    """Whether there are phrases, which take long to find and are found seldom."""
    return tree is not None and any(len(leaf.words) > 1 for leaf, _ in tree.phrases())


def _is_small(part: Tree) -> bool:
    return (
        isinstance(part, Phrase)
        and part.field == _TEXT
        and not part.quoted
        and len(part.words) == 1
        and part.words[0] in _SMALL
    )


def _row(parts: Iterable[Tree]) -> list[str]:
    """The plain words among parts, if there are several."""
    words = [
        part.words[0]
        for part in parts
        if isinstance(part, Phrase) and part.field == _TEXT and len(part.words) == 1
    ]
    plain = [word for word in words if not word.endswith("*")]
    return plain if len(plain) > 1 else []


def _years(said: str) -> tuple[int, int] | None:
    """The first and the last year that are meant, as in 1999, 199*, 1996..1999 and 1996.. .

    >>> _years("199*"), _years("1996..1999"), _years("soon")
    ((1990, 1999), (1996, 1999), None)
    """
    low, dots, high = said.partition("..")
    if dots:
        ends = (low or str(-_LATEST), high or str(_LATEST))
    else:
        start = said.removesuffix("*")
        missing = max(4 - len(start), 0) if said.endswith("*") else 0
        ends = (start + "0" * missing, start + "9" * missing)
    if not all(re.fullmatch(r"-?[0-9]{1,10}", end) for end in ends):
        return None
    return int(ends[0]), int(ends[1])


def _any(queries: Iterable[Query]) -> Query:
    several = list(queries)
    if len(several) == 1:
        return several[0]
    return Query.boolean_query([(Occur.Should, query) for query in several])


def _or_more(query: Query, more: Sequence[Query]) -> Query:
    """What a query finds; it counts more where others find it too."""
    if not more:
        return query
    others = [(Occur.Should, other) for other in more]
    return Query.boolean_query([(Occur.Must, query), *others])


def _weighed(field: str, query: Query) -> Query:
    return Query.boost_query(query, WEIGHTS[field])


def _flat(query: Query) -> Query:
    return Query.const_score_query(query, FLAT)


def _everything() -> Query:
    return _flat(Query.all_query())
