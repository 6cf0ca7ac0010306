"""Hidden Markov models: Viterbi path and posterior probabilities (Rabiner 1989).

A `Chain` holds the states of a model and their transitions. The caller models the emissions:
every method takes a matrix with the log-probability that a state (column) emits the symbol at
a position of the sequence (row). All arithmetic is in logarithms, so long sequences do not
underflow. Impossible emissions (-inf) are left out of the sums and cost no time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.errors import UsageError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """Log-probabilities of a Markov chain with a start and an end.

    `start` and `end` have those of each state to be the first and the last of a path;
    `steps` has those of the steps from each state (row) to each state (column).

    Here state 1 follows state 0, and then itself:

    >>> chain = Chain.trained([[0, 1, 1], [0, 0, 1]], states=2)
    >>> emissions = np.log([[0.9, 0.1], [0.1, 0.9]])             # symbol by state
    >>> path, log_probability = chain.viterbi(emissions[[0, 0, 1, 1]])
    >>> path.tolist(), chain.posteriors(emissions[[0, 0, 1, 1]]).argmax(axis=1).tolist()
    ([0, 0, 1, 1], [0, 0, 1, 1])
    """

    start: Floats
    steps: Floats
    end: Floats

    @classmethod
    def trained(cls, paths: Iterable[Sequence[int]], states: int) -> Chain:
        """Return the maximum-likelihood chain of sequences whose states are known."""
        counts = step_counts(paths, states)
        leave = counts.sum(axis=1, keepdims=True)
        return cls.of(np.divide(counts, leave, out=np.zeros_like(counts), where=leave > 0))

    @classmethod
    def of(cls, steps: Floats, escape: float = 0.0) -> Chain:
        """Return the chain with these probabilities, in the layout of `step_counts`.

        `escape` is the probability of a step to a uniformly drawn state instead; above 0 it
        makes every path possible.
        """
        states = len(steps) - 1
        with np.errstate(divide="ignore"):
            start = np.log((1 - escape) * steps[states, :states] + escape / max(states, 1))
            logs = np.log((1 - escape) * steps[:states] + escape / (states + 1))
        return cls(start, logs[:, :states].copy(), logs[:, states].copy())

    def viterbi(self, emissions: Floats) -> tuple[Ints, float]:
        """Return the most likely path and its log-probability.

        Of equally likely paths, return the one with the lowest last state, then the lowest
        state before it, and so on.
        """
        possible = self._possible(emissions)
        best = (self.start + emissions[0])[possible[0]]
        before = []
        for t in range(1, len(emissions)):
            ways = best[:, None] + self._between(possible[t - 1], possible[t])
            leader = ways.argmax(axis=0)
            before.append(leader)
            best = ways[leader, np.arange(len(leader))] + emissions[t, possible[t]]
        best = best + self.end[possible[-1]]
        index = int(best.argmax())
        path = np.empty(len(emissions), np.int32)
        for t in range(len(emissions) - 1, -1, -1):
            path[t] = possible[t][index]
            index = int(before[t - 1][index]) if t else index
        return path, float(best.max())

    def log_likelihood(self, emissions: Floats) -> float:
        """Return the log-probability of the sequence, summed over all paths."""
        forward = self._forward(emissions, self._possible(emissions))
        return float(_log_sum((forward[-1] + self.end)[:, None])[0])

    def posteriors(self, emissions: Floats) -> Floats:
        """Return the probability of every state at every position, given the whole sequence.

        If no path can emit the sequence, all states are equally probable.
        """
        possible = self._possible(emissions)
        logs = self._forward(emissions, possible) + self._backward(emissions, possible)
        top = logs.max(axis=1, keepdims=True)
        if np.isneginf(top).any():
            return np.full(emissions.shape, 1 / emissions.shape[1])
        shares = np.exp(logs - top)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def _forward(self, emissions: Floats, possible: list[Ints]) -> Floats:
        forward = np.full(emissions.shape, -np.inf)
        forward[0] = self.start + emissions[0]
        for t in range(1, len(emissions)):
            here, there = possible[t - 1], possible[t]
            ways = forward[t - 1, here][:, None] + self._between(here, there)
            forward[t, there] = _log_sum(ways) + emissions[t, there]
        return forward

    def _backward(self, emissions: Floats, possible: list[Ints]) -> Floats:
        backward = np.full(emissions.shape, -np.inf)
        backward[-1] = self.end
        for t in range(len(emissions) - 1, 0, -1):
            here, there = possible[t - 1], possible[t]
            onward = emissions[t, there] + backward[t, there]
            backward[t - 1, here] = _log_sum(onward[:, None] + self._between(here, there).T)
        return backward

    def _possible(self, emissions: Floats) -> list[Ints]:
        """Return the states that can emit the symbol at each position; all, where none can."""
        if emissions.ndim != 2 or emissions.shape[1] != len(self.start) or not len(emissions):
            raise UsageError(
                f"A chain of {len(self.start)} states needs emissions with a row for each of "
                f"one or more positions and a column for each state, not {emissions.shape}."
            )
        every = np.arange(len(self.start), dtype=np.int32)
        return [every[can] if can.any() else every for can in emissions > -np.inf]

    def _between(self, here: Ints, there: Ints) -> Floats:
        if len(here) == len(there) == len(self.start):
            return self.steps
        return np.asarray(self.steps[here[:, None], there])


def step_counts(paths: Iterable[Sequence[int]], states: int) -> Floats:
    """Return how often each state (column) follows each state (row).

    The last row is the start of a path and the last column its end.

    >>> step_counts([[0, 0, 1], [1]], states=2)
    array([[1., 1., 0.],
           [0., 0., 2.],
           [1., 1., 0.]])
    """
    counts = np.zeros((states + 1, states + 1))
    for path in paths:
        if len(path):
            np.add.at(counts, ((states, *path), (*path, states)), 1.0)
    return counts


def _log_sum(logs: Floats) -> Floats:
    """Return the log of the sum of exponentials of each column."""
    top = logs.max(axis=0)
    base = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(logs - base).sum(axis=0)) + base)
