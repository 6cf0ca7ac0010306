"""Related works: by rare words, by citations and by topics.

The query for works related to one has the words of its title and abstract with
the highest tf-idf (Salton & Buckley 1988), the works that it cites, which
related works also cite (bibliographic coupling, Kessler 1963), the works that
cite it, and its topics.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import MutableMapping

from tantivy import Document, Occur, Query, Schema, Searcher

from lycosa.portal.search.analysis import Analysis
from lycosa.portal.search.layout import stored_text

MAX_TERMS = 20
"""Words in the query."""
MAX_CITED = 100
"""Cited works in the query."""
MAX_FREQUENCIES = 100_000
"""Document frequencies that an engine caches."""
COUPLING_WEIGHT, CITATION_WEIGHT, TOPIC_WEIGHT = 1.5, 4.0, 1.0
"""The scores of citing the same work, of citing or being cited, and of a common topic."""


def related_query(
    searcher: Searcher,
    schema: Schema,
    analysis: Analysis,
    id: str,
    document: Document,
    frequencies: MutableMapping[str, int],
) -> Query:
    """Return the query for works related to a document of the index.

    `frequencies` caches in how many works a term occurs.
    """

    def constant(field: str, value: str, weight: float) -> tuple[Occur, Query]:
        query = Query.const_score_query(Query.term_query(schema, field, value, "basic"), weight)
        return Occur.Should, query

    parts = [
        (Occur.Should, Query.boost_query(Query.term_query(schema, "gist", term, "freq"), weight))
        for term, weight in _weighted_terms(searcher, analysis, document, frequencies)
    ]
    cites = document.get_all("cites")[:MAX_CITED]
    parts += [constant("cites", cited, COUPLING_WEIGHT) for cited in cites]
    parts += [constant("id", cited, CITATION_WEIGHT) for cited in cites]
    parts.append(constant("cites", analysis.exact(id), CITATION_WEIGHT))
    # A topic has too many works to relate two of them by itself: it only adds to their score.
    topics = [constant("topic", topic, TOPIC_WEIGHT) for topic in document.get_all("topic")]
    itself = (Occur.MustNot, Query.term_query(schema, "id", id, "basic"))
    return Query.boolean_query([(Occur.Must, Query.boolean_query(parts)), *topics, itself])


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
