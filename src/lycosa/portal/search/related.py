"""Related works: by meaning, by citations and by topics.

Works are related to one by the cosine of their vectors, by works that both cite
(bibliographic coupling, Kessler 1963), by citing it or being cited by it, and by
its topics. A work without a vector is compared by the words of its title and
abstract with the highest tf-idf (Salton & Buckley 1988) instead.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import MutableMapping
from typing import Any

import numpy as np
from tantivy import Document, Occur, Query, Schema, Searcher

from lycosa.portal.search.analysis import Analysis
from lycosa.portal.search.layout import number, stored_text
from lycosa.portal.search.vectors import Array, VectorTable

MAX_TERMS = 20
"""Words in the query."""
MAX_CITED = 100
"""Cited works in the query."""
MAX_NEAREST = 50
"""Works that are compared because of their vectors alone."""
MAX_COMPARED = 100
"""Works, the best by citations and nearest vectors, that are compared by both."""
MIN_COSINE = 0.3
"""Of a work that is related by its vector alone."""
MAX_FREQUENCIES = 100_000
"""Document frequencies that an engine caches."""
MEANING_WEIGHT = 20.0
"""The score of a cosine of 1."""
COUPLING_WEIGHT, CITATION_WEIGHT, TOPIC_WEIGHT = 1.5, 4.0, 1.0
"""The scores of citing the same work, of citing or being cited, and of a common topic."""

Clause = tuple[Occur, Query]


class RelatedWorks:
    """Finds works related to those of one snapshot of an index.

    `table` has the vectors of the works; `frequencies` caches in how many works a term occurs.
    The others belong to the snapshot.
    """

    def __init__(
        self,
        searcher: Searcher,
        schema: Schema,
        analysis: Analysis,
        table: VectorTable,
        frequencies: MutableMapping[str, int],
    ) -> None:
        self._searcher = searcher
        self._schema = schema
        self._analysis = analysis
        self._table = table
        self._frequencies = frequencies

    def of(self, work: str, limit: int) -> list[str]:
        """Return the ids of related works, the nearest first; none if the work is not indexed."""
        itself = Query.term_query(self._schema, "id", work, "basic")
        found = self._searcher.search(itself, 1, count=False).hits
        if not found:
            return []
        document = self._searcher.doc(found[0][1])
        mine = np.array([number(work)], np.uint64)
        vector = self._table.vectors(mine)[0]
        has_vector = bool(vector.any())
        near = self._nearest(vector, int(mine[0])) if has_vector else {}
        parts = self._near_parts(near) if has_vector else self._word_parts(document)
        parts += self._citation_parts(work, document)
        # A topic has too many works to relate two of them by itself: it only adds to their score.
        topics = [
            self._constant("topic", topic, TOPIC_WEIGHT) for topic in document.get_all("topic")
        ]
        query = Query.boolean_query(
            [(Occur.Must, Query.boolean_query(parts)), *topics, (Occur.MustNot, itself)]
        )
        compared = max(limit, MAX_COMPARED) if has_vector else limit
        hits: Any = self._searcher.search(query, compared, count=False).hits
        if has_vector:
            hits = self._with_meaning(hits, vector, near)
        return [str(self._searcher.doc(address).get_first("id")) for _, address in hits[:limit]]

    def _nearest(self, vector: Array, itself: int) -> dict[int, float]:
        """Return the cosines of the nearest works by their numbers."""
        numbers, cosines = self._table.nearest(vector, MAX_NEAREST + 1)
        pairs = zip(numbers.tolist(), cosines.tolist(), strict=True)
        return {n: cosine for n, cosine in pairs if n != itself and cosine >= MIN_COSINE}

    def _near_parts(self, near: dict[int, float]) -> list[Clause]:
        return [self._constant("number", n, MEANING_WEIGHT * cosine) for n, cosine in near.items()]

    def _citation_parts(self, work: str, document: Document) -> list[Clause]:
        cites = document.get_all("cites")[:MAX_CITED]
        parts = [self._constant("cites", cited, COUPLING_WEIGHT) for cited in cites]
        parts += [self._constant("id", cited, CITATION_WEIGHT) for cited in cites]
        return [*parts, self._constant("cites", self._analysis.exact(work), CITATION_WEIGHT)]

    def _word_parts(self, document: Document) -> list[Clause]:
        weighted = _weighted_terms(self._searcher, self._analysis, document, self._frequencies)
        return [
            (Occur.Should, Query.boost_query(self._term("gist", term, "freq"), weight))
            for term, weight in weighted
        ]

    def _with_meaning(self, hits: list[Any], vector: Array, near: dict[int, float]) -> list[Any]:
        """Return hits in order, with the cosines of those that citations alone have found."""
        if not hits:
            return []
        found: Any = self._searcher.fast_field_values("number", [address for _, address in hits])
        numbers = np.array([int(n or 0) for n in found], np.uint64)
        cosines = self._table.cosines(vector, numbers)
        scores = [
            score + (0.0 if n in near else MEANING_WEIGHT * max(cosine, 0.0))
            for (score, _), n, cosine in zip(hits, numbers.tolist(), cosines.tolist(), strict=True)
        ]
        order = sorted(range(len(hits)), key=lambda at: -scores[at])
        return [hits[at] for at in order]

    def _constant(self, field: str, value: str | int, weight: float) -> Clause:
        return Occur.Should, Query.const_score_query(self._term(field, value, "basic"), weight)

    def _term(self, field: str, value: str | int, option: str) -> Query:
        return Query.term_query(self._schema, field, value, option)


def _weighted_terms(
    searcher: Searcher,
    analysis: Analysis,
    document: Document,
    frequencies: MutableMapping[str, int],
) -> list[tuple[str, float]]:
    """Return the terms of a document with the highest tf-idf, scaled so that the first has 1."""
    language = document.get_first("language") or ""
    counts: Counter[str] = Counter()
    for name, times in (("shown_title", 3), ("shown_abstract", 1)):
        for term in analysis.stems(stored_text(document, name), language).split():
            counts[term] += times
    works = max(searcher.num_docs, 1)
    weights = {}
    for term, count in counts.items():
        frequency = frequencies.get(term)
        if frequency is None:
            frequency = frequencies[term] = searcher.doc_freq("gist", term)
        if len(term) > 2 and 1 < frequency < works:
            weights[term] = math.sqrt(count) * math.log(works / frequency)
    best = sorted(weights, key=lambda term: (-weights[term], term))[:MAX_TERMS]
    top = max(weights.values(), default=1.0)
    return [(term, weights[term] / top) for term in best]
