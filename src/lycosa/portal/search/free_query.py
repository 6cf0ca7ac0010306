"""Queries for the free words of a query: with all of them, with some, and for their evidence.

A word is looked up by its stems in the languages of the works. A query for works
with some of the words is a union of terms and nothing else: of such a union
tantivy skips all blocks of postings that cannot be among the best (block-max
WAND, Ding & Suel 2011).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from tantivy import Occur, Query, Schema, Searcher

from lycosa.goals.syntax import Phrase
from lycosa.portal.search.analysis import Analysis
from lycosa.portal.search.ranking import Ranking
from lycosa.portal.search.spelling import MAX_CORRECTED, Spelling
from lycosa.portal.search.tokens import measure

MAX_PAIRS = 16
"""Pairs of neighbouring words that are looked for."""
MAX_FORM_WORDS = 4
"""Words of a query in which the form typed counts."""
MAX_PAIR_WORKS = 5_000
"""Works with the rarer word of a pair: to find those with the pair, all of these are read."""
PAIR_SLOP = 1
"""Other words that may stand between them."""
SIMILAR_WEIGHT = 0.5
"""Of a word in place of one that no work has; a word that was typed has 1."""
MIN_PART_LENGTH = 2
"""Characters of a part of a compound that is also searched alone: norm of p-norm, but not p."""


class FreeQuery:
    """The free words of one query on one snapshot of an index.

    `words` are its words, `languages` those of the works, and `typed` are all terms of the
    query, stop words included; the others belong to the snapshot. A word that no work has
    is searched as the words that `spelling` finds one edit away, as four of five misspellings
    are (Damerau 1964); these count half as much as a word that was typed.
    """

    def __init__(
        self,
        words: Sequence[Phrase],
        schema: Schema,
        searcher: Searcher,
        analysis: Analysis,
        languages: Sequence[str],
        spelling: Spelling,
        typed: Sequence[str] = (),
    ) -> None:
        self.words = words
        self._schema = schema
        self._searcher = searcher
        self._analysis = analysis
        self._languages = languages
        self._frequencies: dict[str, int] = {}
        self._forms = {
            word: self._known_forms("".join(word.words)) for word in dict.fromkeys(words)
        }
        self.terms: dict[str, float] = {}
        """The terms of all words, and how much each counts: those typed as often as they were."""
        self.similar: dict[str, Sequence[str]] = {}
        """The words that are searched in place of a single one that no work has."""
        for word in words:
            parts = [part for part in parts_of(word) if len(part) >= MIN_PART_LENGTH]
            of_parts = [form for part in parts for form in self._known_forms(part)]
            # Each once, in an order that does not depend on hashes: scores are sums of floats.
            self._count(dict.fromkeys([*self._forms[word], *of_parts]))
        single = [
            word.words[0]
            for word, forms in self._forms.items()
            if not forms and len(word.words) == 1
        ]
        unknown = [word for word in single if word.isalpha()]
        for each in unknown[:MAX_CORRECTED]:
            self._count_similar(each, spelling.similar(analysis.term(each)))
        self._typed = [next(iter(self.similar.get(term, ())), term) for term in typed]

    def _count(self, terms: Iterable[str], weight: float = 1.0) -> None:
        for term in terms:
            self.terms[term] = self.terms.get(term, 0.0) + weight

    def _count_similar(self, word: str, similar: Mapping[str, int]) -> None:
        """Count the words that are one edit away from one."""
        if nearest := [other for other, edits in similar.items() if edits == 1]:
            forms = dict.fromkeys(form for each in nearest for form in self._known_forms(each))
            self._count(forms, SIMILAR_WEIGHT)
            self.similar[word] = nearest

    @property
    def searched(self) -> tuple[Phrase, ...]:
        """The words, with similar ones in place of those that no work has."""
        found: list[Phrase] = []
        for word in self.words:
            similar = self.similar.get(word.words[0], ()) if len(word.words) == 1 else ()
            found += [replace(word, words=(each,)) for each in similar] or [word]
        return tuple(found)

    @property
    def counts(self) -> dict[str, int]:
        """How often each term was typed; without those of similar words."""
        return {term: int(weight) for term, weight in self.terms.items() if weight >= 1}

    @property
    def text(self) -> str:
        """The words as a sentence."""
        return " ".join(part for word in self.words for part in word.words)

    @property
    def has_unknown_words(self) -> bool:
        """Whether no work has one of the words."""
        return not all(self._forms.values())

    def estimate(self) -> int:
        """Estimate how many works have some of the words, as if they were independent."""
        works = max(self._searcher.num_docs, 1)
        without = 1.0
        for term in self.terms:
            without *= 1 - min(self._frequency(term) / works, 1)
        return round(works * (1 - without))

    @property
    def is_one_word(self) -> bool:
        """Whether works with some of the words have all."""
        return len({*self.words}) == 1 and not parts_of(self.words[0]) and not self.similar

    def with_all(self) -> Query:
        """Return a query for works with all words, scored by BM25."""
        return all_of(self._unit(word) for word in dict.fromkeys(self.words))

    def with_some(self) -> Query:
        """Return a query for works with at least one of the words, scored by BM25."""
        clauses = [self._term("any_stems", term, times) for term, times in self.terms.items()]
        # Chinese and Japanese words are phrases of single characters.
        phrases = [self._phrase(word.words) for word in dict.fromkeys(self.words) if is_cjk(word)]
        return any_of([*clauses, *phrases]) if clauses or phrases else Query.empty_query()

    def evidence(self, ranking: Ranking, top: float) -> list[Query]:
        """Return the queries that score a work in addition to `with_some`, whose best is `top`."""
        found: list[Query] = []
        for field, weight in (("gist", ranking.gist), ("title_stems", ranking.title)):
            if weight:
                found += [self._term(field, term, weight * n) for term, n in self.terms.items()]
        singles = [word.words[0] for word in self.words if len(word.words) == 1]
        terms = [*dict.fromkeys(map(self._analysis.term, singles))]
        form = ranking.form if len(terms) <= MAX_FORM_WORDS else 0.0
        for field, weight in (("any", form), ("reference_words", ranking.references)):
            if weight:
                found += [self._term(field, each, weight) for each in self._known(field, terms)]
        if ranking.pairs:
            found += [Query.boost_query(query, ranking.pairs) for *_, query in self.pairs]
        return [*found, *self._roles(terms, ranking, top)]

    @cached_property
    def pairs(self) -> list[tuple[Phrase, Phrase, Query]]:
        """Pairs of neighbouring words, each with a query for works that have them side by side."""
        known = [(word, self._main_form(word)) for word in self.words]
        found: dict[tuple[str, str], tuple[Phrase, Phrase]] = {}
        for (one, stem), (other, next_stem) in pairwise(known):
            if stem and next_stem and stem != next_stem and self._is_cheap(stem, next_stem):
                found.setdefault((stem, next_stem), (one, other))
        return [
            (*words, Query.phrase_query(self._schema, "any_stems", [*stems], PAIR_SLOP))
            for stems, words in [*found.items()][:MAX_PAIRS]
        ]

    def _is_cheap(self, *stems: str) -> bool:
        return min(self._frequency(stem) for stem in stems) <= MAX_PAIR_WORKS

    def _frequency(self, stem: str) -> int:
        """Return in how many works a stem is; it is asked for several times."""
        known = self._frequencies.get(stem)
        if known is None:
            known = self._frequencies[stem] = self._searcher.doc_freq("any_stems", stem)
        return known

    def _roles(self, terms: Sequence[str], ranking: Ranking, top: float) -> list[Query]:
        """Return queries for what the words are in a work: its title, its authors, its year."""
        found = []

        def add(query: Query, share: float) -> None:
            if share:
                found.append(Query.const_score_query(query, share * top))

        distinct = {self._analysis.term(part) for word in self.words for part in word.words}
        if len(self._typed) > 1:
            in_title = Query.phrase_query(self._schema, "title", [*self._typed])
            add(in_title, ranking.title_phrase)
        elif self._typed:
            add(self._term("title", self._typed[0]), ranking.title_phrase)
        years = [term for term in terms if term.isdecimal() and len(term) == 4]
        names = [term for term in terms if term not in years]
        for year in years:
            of_year = Query.term_query(self._schema, "year", int(year), "basic")
            add(of_year, ranking.year)
        people = [self._term("people", name) for name in self._known("people", names)]
        for query in people:
            add(query, ranking.name)
        if people and 1 < len(people) + len(years) == len(distinct):
            add(all_of(people), ranking.people)
        return found

    def _known(self, field: str, terms: Sequence[str]) -> list[str]:
        return [term for term in terms if self._searcher.doc_freq(field, term)]

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
        return [form for form in forms if self._frequency(form)]

    def _main_form(self, word: Phrase) -> str:
        """Return the most frequent form of a word; empty if no work has it."""
        forms = self._forms[word]
        return max(forms, key=self._frequency, default="")

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
