"""Queries for the free words of a query: with all of them, with some, and for their evidence.

A word is looked up by its stems in the languages of the works. A query for works
with some of the words is a union of terms and nothing else: of such a union
tantivy skips all blocks of postings that cannot be among the best (block-max
WAND, Ding & Suel 2011).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise

from tantivy import Occur, Query, Schema, Searcher

from lycosa.goals.syntax import Phrase
from lycosa.portal.search.analysis import Analysis
from lycosa.portal.search.ranking import Ranking
from lycosa.portal.search.tokens import measure

MAX_PAIRS = 16
"""Pairs of neighbouring words that are looked for."""
PAIR_SLOP = 1
"""Other words that may stand between them."""
MIN_PART_LENGTH = 2
"""Characters of a part of a compound that is also searched alone: norm of p-norm, but not p."""

Clause = tuple[Occur, Query]


class FreeQuery:
    """The free words of one query on one snapshot of an index.

    `words` are its words, `languages` those of the works; the others belong to the snapshot.
    """

    def __init__(
        self,
        words: Sequence[Phrase],
        schema: Schema,
        searcher: Searcher,
        analysis: Analysis,
        languages: Sequence[str],
    ) -> None:
        self.words = words
        self._schema = schema
        self._searcher = searcher
        self._analysis = analysis
        self._languages = languages
        self._forms = {word: self._known_forms("".join(word.words)) for word in {*words}}
        self.terms: Counter[str] = Counter()
        """The terms of all words, and how often each was typed."""
        for word in words:
            parts = [part for part in parts_of(word) if len(part) >= MIN_PART_LENGTH]
            typed = [form for part in parts for form in self._known_forms(part)]
            self.terms.update({*self._forms[word], *typed})

    @property
    def text(self) -> str:
        """The words as a sentence."""
        return " ".join(part for word in self.words for part in word.words)

    @property
    def is_one_word(self) -> bool:
        """Whether works with some of the words have all."""
        return len({*self.words}) == 1 and not parts_of(self.words[0])

    def with_all(self) -> Query:
        """Return a query for works with all words, scored by BM25."""
        return all_of(self._unit(word) for word in dict.fromkeys(self.words))

    def with_some(self) -> Query:
        """Return a query for works with at least one of the words, scored by BM25."""
        clauses = [self._term("any_stems", term, times) for term, times in self.terms.items()]
        # Chinese and Japanese words are phrases of single characters.
        phrases = [self._phrase(word.words) for word in {*self.words} if is_cjk(word)]
        return any_of([*clauses, *phrases]) if clauses or phrases else Query.empty_query()

    def evidence(self, ranking: Ranking, top: float) -> list[Clause]:
        """Return the clauses that score a work; `top` is the best score of `with_some`."""
        found = [self._term("any_stems", term, times) for term, times in self.terms.items()]
        for field, weight in (("gist", ranking.gist), ("title_stems", ranking.title)):
            if weight:
                found += [self._term(field, term, weight * n) for term, n in self.terms.items()]
        singles = [word.words[0] for word in self.words if len(word.words) == 1]
        terms = [*dict.fromkeys(map(self._analysis.term, singles))]
        for field, weight in (("any", ranking.form), ("reference_words", ranking.references)):
            if weight:
                found += [self._term(field, term, weight) for term in terms]
        if ranking.pairs:
            found += [Query.boost_query(query, ranking.pairs) for *_, query in self.pairs]
        found += self._roles(terms, ranking, top)
        return [(Occur.Should, query) for query in found]

    @cached_property
    def pairs(self) -> list[tuple[Phrase, Phrase, Query]]:
        """Pairs of neighbouring words, each with a query for works that have them side by side."""
        known = [(word, self._main_form(word)) for word in self.words]
        found: dict[tuple[str, str], tuple[Phrase, Phrase]] = {}
        for (one, stem), (other, next_stem) in pairwise(known):
            if stem and next_stem and stem != next_stem:
                found.setdefault((stem, next_stem), (one, other))
        return [
            (*words, Query.phrase_query(self._schema, "any_stems", [*stems], PAIR_SLOP))
            for stems, words in [*found.items()][:MAX_PAIRS]
        ]

    def _roles(self, terms: Sequence[str], ranking: Ranking, top: float) -> list[Query]:
        """Return queries for what the words are in a work: its title, its authors, its year."""
        found = []

        def add(query: Query, share: float) -> None:
            if share:
                found.append(Query.const_score_query(query, share * top))

        typed = [self._analysis.term(part) for word in self.words for part in word.words]
        in_title = (
            Query.phrase_query(self._schema, "title", [*typed])
            if len(typed) > 1
            else self._term("title", typed[0])
        )
        add(in_title, ranking.title_phrase)
        years = [term for term in terms if term.isdecimal() and len(term) == 4]
        names = [term for term in terms if term not in years]
        for year in years:
            of_year = Query.term_query(self._schema, "year", int(year), "basic")
            add(of_year, ranking.year)
        people = [self._term("people", name) for name in names]
        for query in people:
            add(query, ranking.name)
        if people and 1 < len(names) + len(years) == len({*typed}):
            add(all_of(people), ranking.people)
        return found

    def _unit(self, word: Phrase) -> Query:
        """Return a query for one word; for a compound, as one word or as several."""
        queries = [self._term("any_stems", form) for form in self._forms[word]]
        if parts := parts_of(word):
            queries.append(self._phrase(parts))
        return any_of(queries) if queries else Query.empty_query()

    def _phrase(self, words: Sequence[str]) -> Query:
        terms = [self._analysis.term(part) for part in words]
        return Query.phrase_query(self._schema, "any", [*terms])

    def _known_forms(self, word: str) -> list[str]:
        forms = self._analysis.forms(word, self._languages)
        return [form for form in forms if self._searcher.doc_freq("any_stems", form)]

    def _main_form(self, word: Phrase) -> str:
        """Return the most frequent form of a word; empty if no work has it."""
        forms = self._forms[word]
        return max(forms, key=lambda form: self._searcher.doc_freq("any_stems", form), default="")

    def _term(self, field: str, term: str, weight: float = 1.0) -> Query:
        query = Query.term_query(self._schema, field, term, "freq")
        return query if weight == 1 else Query.boost_query(query, weight)


def parts_of(word: Phrase) -> tuple[str, ...]:
    """Return the words of a compound, number and unit of 5GHz; none of any other word."""
    return word.words if len(word.words) > 1 else measure(word.words[0])


def is_cjk(word: Phrase) -> bool:
    """Return whether a word is a phrase of Chinese or Japanese characters."""
    return len(word.words) > 1 and all(len(part) == 1 and ord(part) > 0x3000 for part in word.words)


def all_of(queries: Iterable[Query]) -> Query:
    """Return the conjunction of queries."""
    required = list(queries)
    if len(required) == 1:
        return required[0]
    return Query.boolean_query([(Occur.Must, query) for query in required])


def any_of(queries: Iterable[Query]) -> Query:
    """Return the disjunction of queries."""
    alternatives = list(queries)
    if len(alternatives) == 1:
        return alternatives[0]
    return Query.boolean_query([(Occur.Should, query) for query in alternatives])
