"""Explainer: finds out why a work is among the results of a query.

The search is repeated for its signals. Where its words match is read from what
the index stores of the one work, analysed as it was for the index, and from
queries that are restricted to it; searches themselves compute nothing for this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tantivy import DocAddress, Query

from lycosa.goals.syntax import Phrase, Tree
from lycosa.portal.search.analysis import Analysis, clean
from lycosa.portal.search.explanation import (
    ABSTRACT,
    AUTHORS,
    CITING,
    MATCHED_FIELDS,
    REFERENCES,
    TEXT,
    TITLE,
    VENUE,
    YEAR,
    Explanation,
    WordMatch,
)
from lycosa.portal.search.free_query import (
    MIN_PART_LENGTH,
    FreeQuery,
    all_of,
    any_of,
    is_cjk,
    parts_of,
)
from lycosa.portal.search.free_words import SplitQuery, split_query, stop_words
from lycosa.portal.search.layout import (
    SEPARATOR,
    cited_by_of_key,
    label_prefix,
    number,
    stored_text,
    title_key,
)
from lycosa.portal.search.query import QueryBuilder, count_matches
from lycosa.portal.search.selection import Filters, Selection, Selector
from lycosa.portal.search.snapshot import Snapshot


class _Terms(NamedTuple):
    """The terms of a text: the exact ones with a space around each, and the stems."""

    exact: str
    stems: frozenset[str]


class Explainer:
    """Explains results of one snapshot of an index.

    `queries` and `selector` are those that a search for the query has; `filters` are the chosen
    values of facets.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        queries: QueryBuilder,
        analysis: Analysis,
        selector: Selector,
        filters: Filters,
    ) -> None:
        self._snapshot = snapshot
        self._queries = queries
        self._analysis = analysis
        self._selector = selector
        self._filters = filters

    def explain(self, text: str, tree: Tree | None, work: str) -> Explanation | None:
        """Return the explanation of a work for a query; None if the work is not indexed."""
        searcher, work = self._snapshot.searcher, clean(work)
        itself = Query.term_query(self._snapshot.schema, "id", work, "basic")
        found: Any = searcher.search(itself, 1, count=False).hits
        if not found:
            return None
        address = found[0][1]
        split, place, depth = split_query(tree), None, 0
        if split.words:
            depth = self._snapshot.ranker.depth
            selection = self._selector.rank(text, tree, 0, depth)
            split = selection.split or split
            mine = number(work)
            place = next((each for each in selection.works if each.number == mine), None)
        else:
            selection = self._selector.sort(tree, "relevance", 0, 1, gather=False)
        free = self._queries.free(split.words)
        signals = place.signals if place else None
        document = _DocumentMatches(self._snapshot, self._queries, self._analysis, itself, address)
        return Explanation(
            work,
            matches=place is not None or self._matches(itself, free, split, selection),
            words=tuple(document.words(split.words)),
            ignored=tuple(word for word in stop_words(tree) if word not in _single(split.words)),
            pairs=tuple(
                (display_word(one), display_word(other))
                for one, other, query in free.pairs
                if document.has(query)
            ),
            title_phrase=document.has_title_phrase(split.words),
            conditions="" if split.conditions is None else str(split.conditions),
            meets_all=bool(split.words) or selection.matches > 0,
            exact=document.exact(text) if signals and signals.exact else "",
            signals=signals,
            cited_by=document.cited_by,
            depth=depth,
        )

    def _matches(
        self, itself: Query, free: FreeQuery, split: SplitQuery, selection: Selection
    ) -> bool:
        """Return whether a work that is not among the best is among the results."""
        if split.words:
            results = all_of([free.with_some(), self._queries.matching(split.conditions)])
        else:
            results = selection.counted
        query = self._queries.filtered(all_of([itself, results]), self._filters)
        return count_matches(self._snapshot.searcher, query) > 0


class _DocumentMatches:
    """What words match in one document of the index, which `itself` is a query for."""

    def __init__(
        self,
        snapshot: Snapshot,
        queries: QueryBuilder,
        analysis: Analysis,
        itself: Query,
        address: DocAddress,
    ) -> None:
        self._searcher = searcher = snapshot.searcher
        self._schema = snapshot.schema
        self._analysis = analysis
        self._languages = queries.languages
        self._itself = itself
        stored = searcher.doc(address)
        self._language = str(stored.get_first("language") or "")
        self._title = stored_text(stored, "shown_title")
        self._texts = {
            TITLE: self._terms(self._title),
            ABSTRACT: self._terms(stored_text(stored, "shown_abstract")),
            TEXT: self._terms(stored_text(stored, "shown_text")),
            YEAR: self._terms(str(self._value("year", address) or "")),
            VENUE: self._terms(self._venue(address)),
        }
        self.cited_by = cited_by_of_key(self._value("by_cited", address) or 0)
        """How many works cite it."""

    def words(self, words: Sequence[Phrase]) -> Iterator[WordMatch]:
        """Yield where each word is, and the parts of a compound that is nowhere."""
        for word in dict.fromkeys(words):
            found = WordMatch(display_word(word), self._fields(word))
            yield found
            if not found.counts:
                for part in dict.fromkeys(parts_of(word)):
                    fields = self._fields(Phrase(word.field, (part,)))
                    if len(part) >= MIN_PART_LENGTH and fields:
                        yield WordMatch(part, fields, is_part=True)

    def has(self, query: Query) -> bool:
        """Return whether the document matches a query."""
        return count_matches(self._searcher, all_of([self._itself, query])) > 0

    def has_title_phrase(self, words: Sequence[Phrase]) -> bool:
        """Return whether the title has several words one after the other."""
        terms = [self._analysis.term(part) for word in words for part in word.words]
        return len(terms) > 1 and f" {' '.join(terms)} " in self._texts[TITLE].exact

    def exact(self, text: str) -> str:
        """Return what an exact match is: the title or an identifier."""
        typed = title_key(self._analysis.exact(clean(text)))
        title = title_key(self._analysis.exact(self._title))
        return "title" if typed == title else "identifier"

    def _fields(self, word: Phrase) -> tuple[str, ...]:
        terms = [self._analysis.term(part) for part in parts_of(word) or word.words]
        forms = self._analysis.forms("".join(word.words), self._languages)
        phrase = f" {' '.join(terms)} " if len(terms) > 1 else ""
        found = {
            name
            for name, text in self._texts.items()
            if not text.stems.isdisjoint(forms) or (phrase and phrase in text.exact)
        }
        if self._has_term("people", forms, terms):
            found.add(AUTHORS)
        if not found and self._has_term("any_stems", forms):
            found.add(CITING)
        single = [self._analysis.term(word.words[0])] if len(word.words) == 1 else []
        if self._has_term("reference_words", single, terms):
            found.add(REFERENCES)
        return tuple(name for name in MATCHED_FIELDS if name in found)

    def _has_term(self, field: str, forms: Sequence[str], phrase: Sequence[str] = ()) -> bool:
        """Return whether a field has one of some terms, or a phrase of several."""
        queries = [Query.term_query(self._schema, field, form, "basic") for form in forms]
        if len(phrase) > 1:
            queries.append(Query.phrase_query(self._schema, field, [*phrase]))
        return bool(queries) and self.has(any_of(queries))

    def _terms(self, text: str) -> _Terms:
        exact, stems = self._analysis.both(text, self._language)
        return _Terms(f" {exact} ", frozenset(stems.split()))

    def _venue(self, address: DocAddress) -> str:
        """Return where the work was published, from the label of the facet."""
        code = self._value("venue_code", address)
        if code is None:
            return ""
        prefix = label_prefix(code)
        labels = self._searcher.terms_with_prefix("labels", prefix, limit=1)
        return labels[0][0].removeprefix(prefix).partition(SEPARATOR)[0] if labels else ""

    def _value(self, field: str, address: DocAddress) -> int | None:
        values: Any = self._searcher.fast_field_values(field, [address])
        return None if values[0] is None else int(values[0])


def display_word(word: Phrase) -> str:
    """Return a word of a query for readers.

    >>> display_word(Phrase("text", ("p", "norm")))
    'p-norm'
    """
    return ("" if is_cjk(word) else "-").join(word.words)


def _single(words: Sequence[Phrase]) -> set[str]:
    return {word.words[0] for word in words if len(word.words) == 1}
