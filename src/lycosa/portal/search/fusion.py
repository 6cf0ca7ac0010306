"""Fusion: how nearness in meaning is added to the text score of a work.

The vector of a query is refined by pseudo-relevance feedback first: the mean of
the best works is added to it (Rocchio 1971), which a short query needs, and which
keeps meaning close to what the words have found. Scores are shares of the best
text score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from lycosa.portal.search.encoders import Encoder, SentenceEncoder
from lycosa.portal.search.ranking import Ranking
from lycosa.portal.search.vectors import Array, VectorTable, has_vector, products

MAX_NEW_BY_MEANING: Final = 20
"""Works without any of the words that meaning may add to the results."""


class Fusion(Protocol):
    """Adds meaning to text."""

    @property
    def min_cosine(self) -> float:
        """The least cosine of a work that the words have not found."""

    def compared(self, found: int, depth: int) -> int:
        """Return how many of the nearest works are looked up, if the words have found so many."""

    def refine(self, query: Array, texts: Array, rows: Array, table: VectorTable) -> Array:
        """Return the vector to search with.

        `texts` and `rows` are the text scores and the vectors of the works that the
        words have found, `table` has the vectors of all.
        """

    def scores(
        self, cosines: Array, texts: Array, known: NDArray[np.bool_], nearest: Array
    ) -> Array:
        """Return what meaning adds to the score of each work.

        `cosines` and `texts` are those of the works, `known` says which have a
        vector, and `nearest` are the cosines of the nearest works of all.
        """


@dataclass(frozen=True, slots=True)
class CosineFusion:
    """Adds the cosine itself: for vectors whose cosines grow with the words two texts share."""

    weight: float
    feedback: int
    min_cosine: float = 0.5

    def compared(self, found: int, depth: int) -> int:
        """Look for new works only if the words have found few: all others have none of them."""
        return MAX_NEW_BY_MEANING + found if found < depth else 0

    def refine(self, query: Array, texts: Array, rows: Array, table: VectorTable) -> Array:
        """Add the mean of the best works by their words, weighted by their scores."""
        best = np.argsort(-texts, kind="stable")[: self.feedback]
        if not len(best):
            return query
        return unit(query + unit(np.maximum(texts[best], 0) @ rows[best]))

    def scores(
        self, cosines: Array, texts: Array, known: NDArray[np.bool_], nearest: Array
    ) -> Array:
        """Return the weighted cosines."""
        return np.asarray(self.weight * cosines, np.float32)


@dataclass(frozen=True, slots=True)
class ScaledFusion:
    """Adds the cosine, scaled to the range of the nearest works of the query.

    Cosines of a sentence encoder have another range for every query: the nearest
    work of all counts `weight` times as much as the best by its words, and the last
    of `range` nearest nothing. A work without a vector, one in another language than
    the encoder reads, counts by its words instead.
    """

    weight: float
    feedback: int = 3
    feedback_weight: float = 0.6
    range: int = 1_000
    min_cosine: float = 0.3

    def compared(self, found: int, depth: int) -> int:
        """Always look for works that the words have not found."""
        return self.range

    def refine(self, query: Array, texts: Array, rows: Array, table: VectorTable) -> Array:
        """Add a part of the mean of the best works, by words and meaning together."""
        if not len(texts):
            return query
        _, nearest = table.nearest(query, self.range)
        near = self.scores(products(rows, query), texts, has_vector(rows), nearest)
        best = np.argsort(-np.add(texts, near), kind="stable")[: self.feedback]
        return unit(query + np.float32(self.feedback_weight) * rows[best].mean(axis=0))

    def scores(
        self, cosines: Array, texts: Array, known: NDArray[np.bool_], nearest: Array
    ) -> Array:
        """Return the scaled cosines, and the text scores of works without a vector."""
        if not len(cosines) or not len(nearest):
            return np.zeros(len(cosines), np.float32)
        top, least = float(nearest[0]), float(nearest[-1])
        scaled = np.clip((cosines - least) / max(top - least, 1e-6), 0, 1)
        best = float(texts.max()) or 1.0
        return np.asarray(self.weight * np.where(known, best * scaled, texts), np.float32)


def fusion_of(encoder: Encoder, ranking: Ranking) -> Fusion:
    """Return the fusion for the vectors of an encoder."""
    if isinstance(encoder, SentenceEncoder):
        return ScaledFusion(ranking.sentence_meaning)
    return CosineFusion(ranking.meaning, ranking.feedback)


def unit(vector: Array) -> Array:
    """Return a vector scaled to unit length."""
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9), np.float32)
