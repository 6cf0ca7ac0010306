"""Weighted log-odds-ratio: words that distinguish two collections (Monroe et al. 2008).

The frequent words of a collection are frequent everywhere, and the words with the most
extreme odds are the rare ones. The weighted log-odds-ratio with an informative Dirichlet
prior (Monroe, Colaresi & Quinn 2008) avoids both: the prior draws counts towards those of both
collections together, and the difference of the log-odds is divided by its standard error.

>>> words = contrast(Counter(paper=40, the=60), Counter(staff=40, the=60))
>>> [(word.word, round(word.z, 1)) for word in words]
[('paper', 5.2), ('the', 0.0), ('staff', -5.2)]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PRIOR = 100.0
"""Pseudo-count of the prior, distributed as the words of both collections together."""


@dataclass(frozen=True, slots=True)
class ContrastedWord:
    """A word, its counts in two collections, and its z-score."""

    word: str
    targets: int
    """Its count in the first collection."""
    others: int
    """Its count in the second collection."""
    z: float
    """Positive if the word is more frequent in the first collection than in the second."""


def contrast(first: Counter[str], second: Counter[str], least: int = 1) -> list[ContrastedWord]:
    """Return the words with at least `least` occurrences, highest z-score first.

    Return an empty list if there is nothing to compare: a collection is empty, or both have
    the same single word.
    """
    every = {**first, **second}
    if not first.total() or not second.total() or len(every) == 1:
        return []
    one = np.array([first[word] for word in every], np.float64)
    other = np.array([second[word] for word in every], np.float64)
    found = [
        ContrastedWord(word, first[word], second[word], z)
        for word, z in zip(every, z_scores(one, other).tolist(), strict=True)
        if first[word] + second[word] >= least
    ]
    return sorted(found, key=lambda word: (-word.z, word.word))


def z_scores(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float64]:
    """Return the z-score of each word, given its counts; 0 for a word in neither collection.

    A single word has nothing to be compared with: its score is 0, too.
    """
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    both = one + other
    seen = both > 0
    if np.count_nonzero(seen) < 2:
        return np.zeros(len(seen))
    one, other, both = one[seen], other[seen], both[seen]
    prior = PRIOR * both / max(both.sum(), 1e-9)
    # A word that is nearly all of both leaves a rest of 0 after rounding.
    rests = [np.maximum(each.sum() - each + PRIOR - prior, 1e-9) for each in (one, other)]
    odds = np.log((one + prior) / rests[0]) - np.log((other + prior) / rests[1])
    scores = np.zeros(len(seen))
    scores[seen] = odds / np.sqrt(1 / (one + prior) + 1 / (other + prior))
    return scores
