"""Encoders: what gives a query its vector, in the space of the vectors of the works.

There are two: the space that was learned from the works themselves
(`latent_semantics`), and a sentence encoder that was trained on other texts
(`sentence_encoder`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lycosa.portal.search.latent_semantics import Bag, LatentSpace
from lycosa.portal.search.sentence_encoder import MODEL, encode_query, load_model
from lycosa.portal.search.vectors import Array

LATENT = "latent semantics"
"""The name of the encoder that was learned from the works."""
_SPACE = ("words", "weights", "directions", "mean_length", "works")

Arrays = Mapping[str, NDArray[Any]]


class Encoder(Protocol):
    """Gives queries their vectors."""

    @property
    def name(self) -> str:
        """Identifies the encoder in files."""

    def vector(self, text: str, terms: Mapping[str, int]) -> Array:
        """Return the unit vector of a query, given as typed, and as terms with their counts."""

    def arrays(self) -> Arrays:
        """Return what a file stores of it."""


@dataclass(frozen=True, slots=True)
class LatentEncoder:
    """Encodes by the terms of a query, in a `space` learned from the works."""

    space: LatentSpace
    name: str = LATENT

    def vector(self, text: str, terms: Mapping[str, int]) -> Array:
        """Return the unit vector of a query, given its terms and how often each was typed."""
        return self.space.direction(Bag.of_counts(terms))

    def arrays(self) -> Arrays:
        """Return the arrays of the space."""
        space = self.space
        return {
            "words": space.words,
            "weights": space.weights,
            "directions": space.directions.astype(np.float16),
            "mean_length": np.array(space.mean_length),
            "works": np.array(space.works),
        }

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> LatentEncoder:
        """Return the encoder that a file stores."""
        words, weights, directions, mean_length, works = (file[name] for name in _SPACE)
        directions = directions.astype(np.float32)
        return cls(LatentSpace(words, weights, directions, float(mean_length), int(works)))


@dataclass(frozen=True, slots=True)
class SentenceEncoder:
    """Encodes the text of a query as a sentence; the extra `semantic` must be installed."""

    name: str = MODEL

    def vector(self, text: str, terms: Mapping[str, int]) -> Array:
        """Return the unit vector of a query as it was typed."""
        return encode_query(text)

    def arrays(self) -> Arrays:
        """Return nothing: the model is not stored with an index."""
        return {}

    @classmethod
    def load(cls) -> SentenceEncoder:
        """Load the model; raise StoreError if it is not installed."""
        load_model()
        return cls()
