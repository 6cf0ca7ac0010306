"""What the topics of the documents it cites, or that cite it, say about a document's own.

Papers cite papers of their topic, of sister topics, and some of any: for a
paper of topic c the topic of a neighbour is drawn from row c of a matrix. The
matrix is learned in the same EM as the words, drawn towards a mixture of "the
same topic", "one with a common ancestor" and "any", whose three weights are
learned too. Neighbours know each other's topics only as probabilities, so all
are settled together by mean-field rounds, as in relaxation labelling
(Chakrabarti, Dom & Indyk 1998).

>>> shares = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], np.float32)
>>> links = sparse.csr_matrix(np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]))
>>> affinity = Neighbours(links, np.eye(2)).affinity(shares, np.array([0.5, 0.5]))
>>> bool(affinity.logs[0, 0] > 0 > affinity.logs[0, 1])
True
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.topics.naive_bayes import Floats, normalise

PRIOR_CITATIONS = 50.0
"""How many citations the mixture is worth in each row of the matrix."""

MIXTURE_STEPS = 30
"""How often the weights of the mixture are bettered for one set of shares."""


class Affinity(NamedTuple):
    """What topics say about those of their neighbours.

    `logs[c, e]` is how much more often a neighbour of a document of topic c is
    of topic e than any document is, as a logarithm. `weights` are those of the
    same topic, a topic with a common ancestor, and any.
    """

    logs: Floats
    weights: NDArray[np.float64]


class Neighbours:
    """Documents that cite each other, in whichever direction.

    `citations` is a square matrix; `kin[c, e]` says whether two topics have an
    ancestor in common below the root. Neighbours repeat each other, so what each of
    n says is multiplied by `weight` and divided by the root of n. `besides` is how
    many neighbours a document has elsewhere.
    """

    def __init__(
        self,
        citations: sparse.csr_matrix,
        kin: NDArray[Any],
        weight: float = 1.0,
        besides: NDArray[Any] | int = 0,
    ) -> None:
        links = (citations + citations.T).tocsr().astype(np.float32)
        links.data[:] = 1
        self.links = links
        self.kin = np.asarray(kin, np.float64)
        degrees = np.maximum(np.diff(links.indptr) + besides, 1)
        self.voices = (weight / np.sqrt(degrees)).astype(np.float32)[:, None]

    def affinity(self, shares: Floats, prior: NDArray[Any]) -> Affinity:
        """Learn the matrix from the shares of the documents."""
        found = (shares.T @ (self.links @ shares)).astype(np.float64)
        near = self.kin * prior
        near /= near.sum(axis=1, keepdims=True)
        levels = np.stack([np.eye(len(prior)), near, np.tile(prior, (len(prior), 1))])
        weights = np.full(3, 1 / 3)
        if found.sum() > 0:
            for _ in range(MIXTURE_STEPS):
                ratios = found / _mix(weights, levels)
                weights = weights * (levels * ratios).sum(axis=(1, 2))
                weights /= weights.sum()
        rows = found + PRIOR_CITATIONS * _mix(weights, levels)
        rows /= rows.sum(axis=1, keepdims=True)
        return Affinity(np.log(rows / prior).astype(np.float32), weights)

    def messages(self, shares: Floats, affinity: Affinity) -> Floats:
        """What the neighbours add to the scores of each document."""
        told = self.links @ (shares @ affinity.logs.T)
        told *= self.voices
        return np.asarray(told, np.float32)

    def settled(self, scores: Floats, shares: Floats, affinity: Affinity, rounds: int) -> Floats:
        """The shares of documents whose own words give them these scores."""
        for _ in range(rounds):
            shares = self.messages(shares, affinity)
            shares += scores
            normalise(shares)
        return shares


def _mix(weights: NDArray[np.float64], levels: NDArray[np.float64]) -> NDArray[np.float64]:
    # A product would wake other threads for less than they take to wake.
    return np.asarray(np.einsum("l,lce->ce", weights, levels))
