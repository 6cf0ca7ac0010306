"""The skill of a crawl's order: how often a target was scored above another page.

It is the area under the curve of the ROC, equal to the probability that a target
had a higher score when it was requested than a page that is none, ties counted
half (Mann and Whitney 1947). A breadth-first crawl has 0.5, for it scores all links
alike: that it finds nothing for a while says little about what waits. A spider with
0.95 requests targets first, and the end of its harvest is the end of the targets.
Only the order of scores counts, so every policy can be compared.

The scores are sampled: each of the two samples takes every score, and when it is full
drops every second one and takes every second from then on, and so forth.
"""

from __future__ import annotations

from array import array
from math import isfinite

import numpy as np

from lycosa.snapshots import StateReader, StateWriter

MAX_SAMPLE = 512
"""Scores in a sample, which bounds the cost of an estimate; the error is about 0.02."""


class ScoreSample:
    """A systematic sample of a stream of scores, evenly spread over it."""

    __slots__ = ("_seen", "_step", "scores")

    def __init__(self) -> None:
        self.scores = array("d")
        self._step = 1
        self._seen = 0

    def add(self, score: float) -> None:
        """Add the next score of the stream."""
        if self._seen % self._step == 0:
            if len(self.scores) == MAX_SAMPLE:
                self.scores = self.scores[::2]
                self._step *= 2
            if self._seen % self._step == 0:
                self.scores.append(score)
        self._seen += 1

    def save(self, state: StateWriter) -> None:
        """Save the sample."""
        state.value("position", [self._seen, self._step])
        state.array("scores", self.scores)

    def restore(self, state: StateReader) -> None:
        """Take over a saved sample."""
        self._seen, self._step = state.value("position")
        state.fill("scores", self.scores)


class OrderSkill:
    """Measures how well the scores of a crawl tell targets from other pages.

    >>> skill = OrderSkill()
    >>> skill.value
    0.5
    >>> for score, hit in ((0.9, True), (0.8, False), (0.7, True), (0.1, False)):
    ...     skill.observe(score, hit=hit)
    >>> skill.value
    0.75
    """

    __slots__ = ("_hits", "_misses")

    def __init__(self) -> None:
        self._hits = ScoreSample()
        self._misses = ScoreSample()

    def observe(self, score: float, *, hit: bool) -> None:
        """Record the score that a page was requested with; that of a seed, infinity, is ignored."""
        if isfinite(score):
            (self._hits if hit else self._misses).add(score)

    def save(self, state: StateWriter) -> None:
        """Save both samples."""
        self._hits.save(state.part("hits"))
        self._misses.save(state.part("misses"))

    def restore(self, state: StateReader) -> None:
        """Take over saved samples."""
        self._hits.restore(state.part("hits"))
        self._misses.restore(state.part("misses"))

    @property
    def value(self) -> float:
        """The probability that a target is scored above another page; 0.5 if nothing is known."""
        hits = np.array(self._hits.scores)
        misses = np.sort(np.array(self._misses.scores))
        if not len(hits) or not len(misses):
            return 0.5
        below = np.searchsorted(misses, hits, "left") + np.searchsorted(misses, hits, "right")
        return float(below.mean()) / (2 * len(misses))
