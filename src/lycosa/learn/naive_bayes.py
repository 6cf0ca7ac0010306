"""Multinomial naive Bayes with Laplace smoothing and one vocabulary per channel.

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
    """Incremental naive Bayes: counts words by bin; `learn` adds to the counts.

    `examples` gives the neighbourhood and the vocabularies, which stay fixed; `bins` are the
    classes. The weights of the model are the log-probabilities of the words.

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
        """Add the counts of more links; words outside the fixed vocabularies are ignored."""
        values = examples.all_values
        which = self._bins.of(values)
        marks = np.eye(self._bins.count)[which]
        self._links += marks.sum(axis=0)
        self._sums += np.bincount(which, values, self._bins.count)
        known = replace(examples, vocabularies=self._examples.vocabularies)
        for words, new in zip(self._words, known.counts(marks), strict=True):
            np.add(words, new, out=words)

    def model(self) -> LinearModel:
        """Return the model of all counts so far."""
        # Equation 5: the prior of each bin, smoothed by one link.
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
    """Return the log-probability of each word in each bin (equation 4)."""
    return np.asarray(np.log((1 + counts) / (len(counts) + counts.sum(axis=0))))
