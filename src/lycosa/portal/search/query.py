"""Query builder: the tree of a parsed query as tantivy queries that match and score.

Queries are assembled term by term and never pass through tantivy's own query
parser, so that no text of a user is interpreted in its syntax.

A word matches by its stem in any language of the works, and by its exact form in
quotes and in phrases. A match in a title, a name or an abstract
scores higher (`layout`), one in a title higher again, and one in exactly the
form typed highest. English stop words are ignored beside other words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from types import MappingProxyType
from typing import Any

from tantivy import FieldType, Occur, Query, Schema, Searcher

from lycosa.goals.syntax import And, Not, Or, Phrase, Tree
from lycosa.papers.evidence.identifiers import find_identifiers
from lycosa.portal.fields import SEARCHED
from lycosa.portal.message import Message
from lycosa.portal.search.analysis import Analysis, clean
from lycosa.portal.search.expansion import MAX_EXPANSIONS, MAX_PHRASE_EXPANSIONS, Expansions
from lycosa.portal.search.free_query import FreeQuery, any_of
from lycosa.portal.search.free_words import is_stop_word
from lycosa.portal.search.layout import facet_field, searched_field, title_key
from lycosa.portal.search.notices import list_parts
from lycosa.portal.search.spelling import Spelling

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"any": 1.5, "any_stems": 1.5, "title": 3.0, "title_stems": 1.5}
)
"""The boost of a match in each field; words of a title are also in `any`."""
TITLE_PHRASE_WEIGHT = 2.0
"""The boost if the words of a query form a phrase in the title."""
CONSTANT_SCORE = 0.1
"""The score of a matching year, site and so on, which restrict the results without ranking them."""
MAX_TITLE_WORDS = 30
"""Words of a query that may be a part of a title."""
MAX_LANGUAGES = 50
"""Languages in whose stemmers a word is searched."""

_TEXT = "text"
_FIELD_OF = MappingProxyType(
    {name: searched_field(name) for name in SEARCHED if name not in ("title", "year")}
)
_MAX_YEAR = 10**9


class QueryBuilder:
    """Builds queries for one snapshot of an index.

    The searcher, the expansions and the spelling belong to that snapshot; the schema and
    the analysis are those that the index was written with.
    """

    def __init__(
        self,
        schema: Schema,
        searcher: Searcher,
        analysis: Analysis,
        expansions: Expansions,
        spelling: Spelling,
    ) -> None:
        self._schema = schema
        self._searcher = searcher
        self._analysis = analysis
        self._expansions = expansions
        self._spelling = spelling
        self._max_expansions = MAX_EXPANSIONS
        languages = [code for code, _ in searcher.terms_with_prefix("language", "")]
        self.languages = (*languages[:MAX_LANGUAGES], "")
        """The languages of the works, and the unknown one."""

    def limited(self, max_expansions: int) -> QueryBuilder:
        """Return a builder whose stars expand to at most so many words each."""
        limited = copy(self)
        limited._max_expansions = max_expansions
        return limited

    def matching(self, tree: Tree | None) -> Query:
        """Return a query that matches what the tree does; its scores are meaningless."""
        return self._build(tree, scored=False)

    def scoring(self, tree: Tree | None) -> Query:
        """Return a query that matches the same and scores it."""
        return self._build(tree, scored=True)

    def expansion_notices(self, tree: Tree | None) -> list[str]:
        """Return notices about words with a star that have too many expansions."""
        limited: dict[int, dict[str, None]] = {}
        for phrase, _ in tree.phrases() if tree else ():
            if phrase.field == "year":
                continue
            most = MAX_PHRASE_EXPANSIONS if len(phrase.words) > 1 else MAX_EXPANSIONS
            limit = min(most, self._max_expansions)
            for word in phrase.words:
                if word.endswith("*"):
                    start = self._analysis.term(word.removesuffix("*"))
                    found = self._expansions.of(_home(phrase.field), start).first(limit)
                    if not found.complete:
                        limited.setdefault(len(found.words), {})[word] = None
        return [_expansion_notice(list(words), limit) for limit, words in limited.items()]

    def at_least(self, tree: And, least: int, *, scored: bool) -> Query:
        """Return a query for works that match at least `least` parts and none that is excluded."""
        return self._some(tree, lambda part: self._build(part, scored=scored), least)

    def counting(self, tree: And) -> Query:
        """Return a query whose score is how many parts a work matches, if none is excluded."""
        return self._some(
            tree, lambda part: Query.const_score_query(self._build(part, scored=False), 1.0), 1
        )

    def _some(self, tree: And, build: Callable[[Tree], Query], least: int) -> Query:
        parts = required_parts(tree)
        positive = [part for part in parts if not isinstance(part, Not)]
        some = Query.boolean_query(
            [(Occur.Should, build(part)) for part in positive], minimum_number_should_match=least
        )
        negative = [part.part for part in parts if isinstance(part, Not)]
        none = [(Occur.MustNot, self._build(part, scored=False)) for part in negative]
        return Query.boolean_query([(Occur.Must, some), *none])

    def filtered(self, query: Query, filters: Mapping[str, Sequence[str]]) -> Query:
        """Restrict a query to works that have one of the values of every field named."""
        required = [(Occur.Must, each) for each in self.restrictions(filters)]
        return Query.boolean_query([(Occur.Must, query), *required]) if required else query

    def restrictions(self, filters: Mapping[str, Sequence[str]]) -> list[Query]:
        """Return a query for each field named; they do not score."""
        return [
            Query.const_score_query(self._one_of(field, values), 0.0)
            for field, values in filters.items()
            if values
        ]

    def free(self, words: Sequence[Phrase], text: str = "") -> FreeQuery:
        """Return the queries for free words; `text` is a query that has nothing else."""
        typed = self._analysis.exact(clean(text)).split()
        known = (self._schema, self._searcher, self._analysis, self.languages, self._spelling)
        return FreeQuery(words, *known, typed if len(typed) <= MAX_TITLE_WORDS else ())

    def exact(self, text: str) -> Query:
        """Return a query for works of which a text is the title or an identifier."""
        keys = [title_key(self._analysis.exact(clean(text))), *find_identifiers(text)]
        return any_of(Query.term_query(self._schema, "exact", key, "basic") for key in keys)

    def sampled(self, query: Query, times: int) -> Query:
        """Restrict a query to a fixed sample of the works: one half, one quarter, … of them."""
        sample = Query.term_query(self._schema, "sample", times, "basic")
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, sample)])

    def numbered(self, numbers: Sequence[int]) -> Query:
        """Return a query for the works with these numbers."""
        # A term set query would walk through all terms of the field, which takes longer.
        return any_of(Query.term_query(self._schema, "number", each, "basic") for each in numbers)

    def _one_of(self, field: str, values: Sequence[str]) -> Query:
        if field != "year":
            values_of = facet_field(field)
            return any_of(
                Query.term_query(self._schema, values_of, each, "basic") for each in values
            )
        ranges = [_parse_years(value) for value in values]
        return any_of(self._range(*years) for years in ranges if years)

    def _range(self, low: int, high: int) -> Query:
        return Query.range_query(self._schema, "year", FieldType.Integer, low, high)

    def _build(self, tree: Tree | None, *, scored: bool) -> Query:
        match tree:
            case None:
                return Query.all_query()
            case Phrase():
                return self._leaf(tree, scored=scored)
            case Not():
                excluded = (Occur.MustNot, self._build(tree.part, scored=False))
                return Query.boolean_query([(Occur.Must, _everything()), excluded])
            case Or():
                return any_of(self._build(part, scored=scored) for part in tree.parts)
        return self._all(required_parts(tree), scored=scored)

    def _all(self, parts: Sequence[Tree], *, scored: bool) -> Query:
        negative = [part.part for part in parts if isinstance(part, Not)]
        positive = [part for part in parts if not isinstance(part, Not)]
        clauses = [(Occur.Must, self._build(part, scored=scored)) for part in positive]
        if not positive:
            clauses.append((Occur.Must, _everything()))
        clauses += [(Occur.MustNot, self._build(part, scored=False)) for part in negative]
        if scored and (words := _plain_words(positive)):
            terms = [self._analysis.term(word) for word in words]
            phrase = Query.phrase_query(self._schema, "title", [*terms])
            clauses.append((Occur.Should, Query.boost_query(phrase, TITLE_PHRASE_WEIGHT)))
        return Query.boolean_query(clauses)

    def _leaf(self, phrase: Phrase, *, scored: bool) -> Query:
        if phrase.field == "year":
            years = _parse_years(phrase.words[0])
            return _constant(self._range(*years)) if years else Query.empty_query()
        if phrase.field in _FIELD_OF:
            query = self._phrase(_FIELD_OF[phrase.field], phrase.words)
            return query if phrase.field == "author" else _constant(query)
        home, term = "title" if phrase.field == "title" else "any", phrase.words[0]
        optional = ["title"] if scored and home == "any" else []
        if len(phrase.words) > 1 or term.endswith("*"):
            return _with_optional(
                _boosted(home, self._phrase(home, phrase.words)),
                [_boosted(field, self._phrase(field, phrase.words)) for field in optional],
            )
        term = self._analysis.term(term)
        exact = [_boosted(field, self._term(field, term)) for field in optional]
        if phrase.quoted:
            return _with_optional(_boosted(home, self._term(home, term)), exact)
        stem = _boosted("title_stems", self._any_form("title_stems", phrase.words[0]))
        if home == "title":
            return any_of([_boosted("title", self._term("title", term)), stem])
        forms = self._any_form("any_stems", phrase.words[0])
        if not scored:
            return forms
        return _with_optional(
            _boosted("any_stems", forms), [_boosted("any", self._term("any", term)), *exact, stem]
        )

    def _any_form(self, field: str, word: str) -> Query:
        """Return a query for a word in any form."""
        forms = self._analysis.forms(word, self.languages)
        known = [form for form in forms if self._searcher.doc_freq(field, form)]
        return any_of(self._term(field, form) for form in known or forms[:1])

    def _term(self, field: str, term: str) -> Query:
        return Query.term_query(self._schema, field, term, "freq")

    def _phrase(self, field: str, words: Sequence[str]) -> Query:
        """Return a query for a phrase; a word with a star is expanded."""
        terms = [self._analysis.term(word.removesuffix("*")) for word in words]
        starred = [at for at, word in enumerate(words) if word.endswith("*")]
        if len(words) == 1:
            return self._prefix(field, terms[0]) if starred else self._term(field, terms[0])
        phrases = [terms]
        most = min(MAX_PHRASE_EXPANSIONS, self._max_expansions)
        for at in starred:
            limit = max(most // len(phrases), 1)
            expansions = self._expansions.of(field, terms[at]).words[:limit] or [terms[at]]
            phrases = [[*row[:at], word, *row[at + 1 :]] for row in phrases for word in expansions]
        return any_of(Query.phrase_query(self._schema, field, list(row)) for row in phrases)

    def _prefix(self, field: str, prefix: str) -> Query:
        """Return a query for words with a prefix; of too many, the most frequent."""
        found = self._expansions.of(field, prefix).first(self._max_expansions)
        if found.complete and len(found.words) > MAX_EXPANSIONS:
            # Walks through the terms once, which is faster than to look up each of very many.
            return Query.regex_query(self._schema, field, f"{re.escape(prefix)}.*")
        return Query.term_set_query(self._schema, field, list(found.words))


def count_matches(searcher: Searcher, query: Query) -> int:
    """Return the number of works that match a query."""
    # Every work has one number. An aggregation counts without scoring: a third faster.
    found: Any = searcher.aggregate(query, {"works": {"value_count": {"field": "number"}}})
    return int(found["works"]["value"])


def required_parts(tree: And) -> list[Tree]:
    """Return the parts that must match: stop words only if there is nothing else."""
    stops = [part for part in tree.parts if is_stop_word(part)]
    others = [part for part in tree.parts if not is_stop_word(part)]
    return others if any(not isinstance(part, Not) for part in others) else [*stops, *others]


def has_phrase(tree: Tree | None) -> bool:
    """Return whether a tree has a phrase, which is slow to search and has few matches."""
    return tree is not None and any(len(leaf.words) > 1 for leaf, _ in tree.phrases())


def _home(field: str) -> str:
    """Return the field of the index with the exact words of a field that a query names."""
    return {"text": "any", "title": "title"}.get(field) or _FIELD_OF[field]


def _expansion_notice(words: Sequence[str], limit: int) -> str:
    listed = list_parts(words)
    if len(words) > 1:
        return Message(
            "Too many words match %(words)s: only the %(limit)s most frequent of each were "
            "searched.",
            words=listed,
            limit=limit,
        )
    return Message(
        "Too many words match %(words)s: only the %(limit)s most frequent were searched.",
        words=listed,
        limit=limit,
    )


def _plain_words(parts: Iterable[Tree]) -> list[str]:
    """Return the single words among parts, if there are several."""
    words = [
        part.words[0]
        for part in parts
        if isinstance(part, Phrase) and part.field == _TEXT and len(part.words) == 1
    ]
    plain = [word for word in words if not word.endswith("*")]
    return plain if len(plain) > 1 else []


def _parse_years(text: str) -> tuple[int, int] | None:
    """Return the first and last year of 1999, 199*, 1996..1999 or 1996..; None if it is neither.

    >>> _parse_years("199*"), _parse_years("1996..1999"), _parse_years("soon")
    ((1990, 1999), (1996, 1999), None)
    """
    low, dots, high = text.partition("..")
    if dots:
        ends = (low or str(-_MAX_YEAR), high or str(_MAX_YEAR))
    else:
        start = text.removesuffix("*")
        missing = max(4 - len(start), 0) if text.endswith("*") else 0
        ends = (start + "0" * missing, start + "9" * missing)
    if not all(re.fullmatch(r"-?[0-9]{1,10}", end) for end in ends):
        return None
    return int(ends[0]), int(ends[1])


def _with_optional(query: Query, optional: Sequence[Query]) -> Query:
    """Return a query that scores higher where optional ones match too."""
    if not optional:
        return query
    clauses = [(Occur.Should, other) for other in optional]
    return Query.boolean_query([(Occur.Must, query), *clauses])


def _boosted(field: str, query: Query) -> Query:
    return Query.boost_query(query, WEIGHTS[field])


def _constant(query: Query) -> Query:
    return Query.const_score_query(query, CONSTANT_SCORE)


def _everything() -> Query:
    return _constant(Query.all_query())
