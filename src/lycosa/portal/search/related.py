"""Works like a work: by the rarest of its words, by citations and by topics.

The words of title and abstract with the highest tf-idf (Salton & Buckley 1988)
are asked for, with the works that it cites, which others may cite too
(Kessler 1963), the works that cite it, and its topics.
"""

from __future__ import annotations

import math
from collections import Counter

from tantivy import Document, Occur, Query, Schema, Searcher

from lycosa.portal.search.analysis import Analysis, is_english
from lycosa.portal.search.layout import unstemmed

TERMS = 20
"""How many words are asked for."""
CITED = 100
"""How many of the works that it cites are asked for."""
REMEMBERED = 100_000
"""Of how many words it is remembered how many works have them."""
SHARED, CITES, TOPIC = 1.5, 4.0, 1.0
"""What it counts to cite the same work, to cite or be cited, to be on the same topic."""


def related_query(
    searcher: Searcher,
    schema: Schema,
    analysis: Analysis,
    id: str,
    document: Document,
    known: dict[str, int],
) -> Query:
    """Finds what is like a document that the index has.

    `known` is where it is remembered how many works have a word.
    """

    def weighed(field: str, value: str, weight: float) -> tuple[Occur, Query]:
        query = Query.const_score_query(Query.term_query(schema, field, value, "basic"), weight)
        return Occur.Should, query

    parts = [
        (Occur.Should, Query.boost_query(Query.term_query(schema, "gist", term, "freq"), weight))
        for term, weight in _terms(searcher, analysis, document, known)
    ]
    cites = document.get_all("cites")[:CITED]
    parts += [weighed("cites", cited, SHARED) for cited in cites]
    parts += [weighed("id", cited, CITES) for cited in cites]
    parts.append(weighed("cites", analysis.exact(id), CITES))
    # Topics have so many works that they only add to what is like it in something else.
    topics = [weighed("topic", topic, TOPIC) for topic in document.get_all("topic")]
    itself = (Occur.MustNot, Query.term_query(schema, "id", id, "basic"))
    return Query.boolean_query([(Occur.Must, Query.boolean_query(parts)), *topics, itself])


def _terms(
    searcher: Searcher, analysis: Analysis, document: Document, known: dict[str, int]
) -> list[tuple[str, float]]:
    """The words that tell most about a document, and how much each tells."""
    english = is_english(document.get_first("language") or "")
    counts: Counter[str] = Counter()
    for name, times in (("shown_title", 3), ("shown_abstract", 1)):
        exact, stems = analysis.both(stored_text(document, name))
        for term in (stems if english else unstemmed(exact)).split():
            counts[term] += times
    works = max(searcher.num_docs, 1)
    weights = {}
    for term, count in counts.items():
        frequency = known.get(term)
        if frequency is None:
            if len(known) >= REMEMBERED:
                known.clear()
            frequency = known[term] = searcher.doc_freq("gist", term)
        if len(term) > 2 and 1 < frequency < works:
            weights[term] = math.sqrt(count) * math.log(works / frequency)
    best = sorted(weights, key=lambda term: (-weights[term], term))[:TERMS]
    top = max(weights.values(), default=1.0)
    return [(term, weights[term] / top) for term in best]


def stored_text(document: Document, field: str) -> str:
    """A stored text."""
    return bytes(document.get_first(field) or b"").decode("utf-8", "replace")
