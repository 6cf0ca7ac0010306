"""The weights of the ranking of works by free words.

The text score of a work is the sum of BM25 scores (Robertson & Zaragoza 2009)
in several fields, divided by the best of the query. Meaning, citations and age
are added to it, and are bounded by their weights: a clear difference in text
outweighs what citations and age can add.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Weights of the parts of a score; zero switches a part off.

    `python -m bench.relevance --tune` chose those of the text and of meaning by
    cross-validation; the others order works whose texts match equally well.
    """

    depth: int = 150
    """Works that all parts are computed for, the best by the first of them."""
    title: float = 0.0
    """Of a word in the title, in addition to its weight there in the text as a whole."""
    gist: float = 0.1
    """Of a word in title or abstract."""
    form: float = 0.05
    """Of a word in exactly the form typed."""
    pairs: float = 0.3
    """Of two neighbouring words of the query that are neighbours in the work."""
    references: float = 0.05
    """Of a word in the bibliography."""
    meaning: float = 0.5
    """Of the cosine of the vectors of query and work."""
    sentence_meaning: float = 1.0
    """Of the same if the vectors are those of a sentence encoder; zero `meaning` is no meaning."""
    feedback: int = 5
    """Best works by text whose mean vector is added to that of the query."""
    title_phrase: float = 1.0
    """If the query is a part of the title, word by word; as a share of the best text score."""
    people: float = 0.5
    """If all of several words but years are names of the authors; as a share."""
    name: float = 0.1
    """For each word that is a name of an author; as a share."""
    year: float = 0.2
    """If a word is the year of the work; as a share."""
    citations: float = 0.06
    """Of the logarithm of the citations, 1 for ten thousand; as a share."""
    age: float = 0.02
    """Of the year, 1 for this year and 0 for thirty years ago; as a share."""
    complete_first: bool = True
    """Whether works with all words come before the others."""


DEFAULT_RANKING = Ranking()
