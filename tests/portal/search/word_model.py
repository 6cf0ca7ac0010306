"""A sentence encoder for tests: a text is the sum of random directions of its words.

Words of one concept have one direction, as those of a trained encoder would.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xxhash import xxh32_intdigest

from lycosa.portal.search.sentence_encoder import DIMENSIONS
from lycosa.portal.search.vectors import Array, Rows, pack
from lycosa.portal.search.wordpiece import words

CONCEPTS = {"automobile": "car", "automobiles": "car", "cars": "car", "vehicle": "car"}


def vectors(texts: Sequence[str]) -> Array:
    found = np.zeros((len(texts), DIMENSIONS), np.float32)
    for place, text in enumerate(texts):
        for word in words(text):
            seed = xxh32_intdigest(CONCEPTS.get(word, word).encode())
            found[place] += np.random.default_rng(seed).standard_normal(DIMENSIONS, np.float32)
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)


def encode_texts(texts: Sequence[str]) -> Rows:
    return pack(vectors(texts))


def encode_query(text: str) -> Array:
    return vectors([text])[0]
