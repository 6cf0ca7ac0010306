"""Citation evidence: the topics of citing and cited documents (Chakrabarti et al. 1998).

Papers cite papers of their topic, of sibling topics, and some of any topic: for a paper of topic
c, row c of a matrix is the distribution of a neighbour's topic. EM learns the matrix along with
the words, with a prior that mixes "the same topic", "one with a common ancestor" and "any"; the
three weights of the mixture are learned as well. The topics of neighbours are known only as
probabilities, so mean-field rounds update all documents together, as in relaxation labelling
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
"""Pseudo-count of the mixture in each row of the matrix."""

MIXTURE_STEPS = 30
"""EM steps of the weights of the mixture for one set of shares."""


class Affinity(NamedTuple):
    """Association between the topics of neighbours.

    `logs[c, e]` is the log of how much more often a neighbour of a document of topic c has topic
    e than any document does. `weights` are the mixture weights of the same topic, a topic with
    a common ancestor, and any.
    """

    logs: Floats
    weights: NDArray[np.float64]


class Neighbours:
    """Documents linked by citations in either direction.

    * `citations`: square matrix of the documents;
    * `kin[c, e]`: whether two topics have an ancestor in common below the root;
    * `weight`: factor of the evidence of each neighbour. Neighbours are not independent, so the
      evidence of each of n neighbours is also divided by the root of n;
    * `besides`: number of neighbours of each document that are not in the matrix.
    """

    def __init__(
        self,
        citations: sparse.csr_matrix,
        kin: NDArray[Any],
        weight: float = 1.0,
        besides: NDArray[Any] | int = 0,
    ) -> None:
        self.links = links = symmetric_links(citations)
        self.kin = np.asarray(kin, np.float64)
        degrees = np.maximum(np.diff(links.indptr) + besides, 1)
        self.link_weights = (weight / np.sqrt(degrees)).astype(np.float32)[:, None]

    def affinity(self, shares: Floats, prior: NDArray[Any]) -> Affinity:
        """Learn the association matrix from the shares of the documents."""
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
        """Return what the neighbours add to the scores of each document."""
        evidence = self.links @ (shares @ affinity.logs.T)
        evidence *= self.link_weights
        return np.asarray(evidence, np.float32)

    def settle(self, scores: Floats, shares: Floats, affinity: Affinity, rounds: int) -> Floats:
        """Run mean-field rounds; return the shares, given the scores of the documents' words."""
        for _ in range(rounds):
            shares = self.messages(shares, affinity)
            shares += scores
            normalise(shares)
        return shares


def symmetric_links(citations: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return 1 for each pair of documents of which one cites the other."""
    links = (citations + citations.T).tocsr().astype(np.float32)
    links.data[:] = 1
    return links


def _mix(weights: NDArray[np.float64], levels: NDArray[np.float64]) -> NDArray[np.float64]:
    # Not a matrix product: BLAS would start threads for less work than starting them takes.
    return np.asarray(np.einsum("l,lce->ce", weights, levels))
