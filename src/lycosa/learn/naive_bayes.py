"""Multinomial naive Bayes with Laplace smoothing, one vocabulary per channel.

Rennie & McCallum 1999, equations 3 to 5; Lewis 1998; McCallum & Nigam 1998.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.bins import Bins
from lycosa.learn.examples import TrainingLinks
from lycosa.learn.linear_model import LinearModel


class NaiveBayes:
    """Counts words by bin; the weights of the model are the logarithms of their shares.

    It is incremental: what was learned stays, `learn` adds to it. The words it
    knows are those of the examples it was made for.

    >>> import numpy as np
    >>> counts = np.array([[3.0, 0.0], [1.0, 4.0]])           # two words, two bins
    >>> np.exp(word_weights(counts)).round(3).tolist()        # (1 + n) / (V + N), by equation 4
    [[0.667, 0.167], [0.333, 0.833]]
    """

    name = "nb"

    def __init__(self, examples: TrainingLinks, bins: Bins) -> None:
        self._examples = examples
        self._bins = bins
        self._links = np.zeros(bins.count)
        self._sums = np.zeros(bins.count)
        self._words = [np.zeros((len(v), bins.count)) for v in examples.vocabularies]

    def learn(self, examples: TrainingLinks) -> None:
        """Add the counts of more links, read with the vocabularies it was made with."""
        values = examples.all_values
        which = self._bins.of(values)
        marks = np.eye(self._bins.count)[which]
        self._links += marks.sum(axis=0)
        self._sums += np.bincount(which, values, self._bins.count)
        mine = replace(examples, vocabularies=self._examples.vocabularies)
        for words, new in zip(self._words, mine.counts(marks), strict=True):
            np.add(words, new, out=words)

    def model(self) -> LinearModel:
        """What was learned so far."""
        # Equation 5: the share of each bin, smoothed by one link.
        prior = np.log((1 + self._links) / (len(self._links) + self._links.sum()))
        fallback = np.append(self._bins.borders, 0.0)
        means = np.where(self._links > 0, self._sums / np.maximum(self._links, 1), fallback)
        return LinearModel(
            self._examples.neighbourhood,
            self._examples.vocabularies,
            tuple(word_weights(counts) for counts in self._words),
            prior,
            means,
            root=False,
        )


def word_weights(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithm of the probability of each word in each bin (equation 4)."""
    return np.asarray(np.log((1 + counts) / (len(counts) + counts.sum(axis=0))))
