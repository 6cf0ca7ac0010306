"""The frontier: a priority queue of the links that wait.

A page brings its links all at once, so they enter as one **run**: sorted by
one numpy call, best first, and written to the end of a log of URL numbers.
A heap holds only the head of each run. When a head is taken, the next of its
run takes its place. Small runs are merged into larger ones from time to time,
as in a log-structured merge tree (O'Neil et al. 1996), so that the heap stays
small enough for the processor's cache however many pages were seen.

`heapq` with an entry for every link would cost several microseconds and over a
hundred bytes a link, and most links of a page are already known. Buckets of
rounded scores would change the order of the policy, and experiments could not
be repeated exactly. Here the order is exact and the cost is per page: a link
that is already known costs its share of one vectorised comparison.

Three arrays are indexed by URL number: the best score (8 bytes), the place of
its entry in the log (4) and the page that gave it (4). With 4 bytes in the log
that is 20 bytes a link, its source included, and a sixteenth more for growth. An
entry whose URL has since got another place in the log is stale and skipped when
it surfaces; when more than half of the log is stale or taken it is rewritten as
a single run. Merging works in place at the end of the log, so that among equal
scores an earlier place is always an earlier link.

Links that get equal scores in one call have no order but that of the page. A
seed shakes it, to measure how far results depend on it: they are sorted by a
hash of their numbers before they are written. Links of different calls stay
first in, first out, so that breadth-first remains breadth-first.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush, heapreplace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lycosa.snapshots import StateReader, StateWriter
from lycosa.splitmix import SeededHash

# Marks in the array of scores. Every score is greater than NEW; none compares with TAKEN.
NEW = -np.inf
TAKEN = np.nan

SLACK = 4096  # stale entries that are not worth a rewrite of the log
MAX_RUNS = 128  # of one tier before they are merged into one run of the next
TIERS = 4


class FrontierEntry(NamedTuple):
    """A link in the frontier: the number of its URL, and its score.

    `source` is the number of the page that has the link; -1 for a seed.
    """

    number: int
    score: float
    source: int


class SkippedLinks:
    """Links that were taken from the frontier and not followed, in 16 bytes each.

    >>> skipped = SkippedLinks()
    >>> skipped.add(FrontierEntry(7, 0.5, 3))
    >>> list(skipped)
    [FrontierEntry(number=7, score=0.5, source=3)]
    """

    __slots__ = ("_numbers", "_scores", "_sources")

    def __init__(self) -> None:
        self._numbers = array("i")
        self._scores = array("d")
        self._sources = array("i")

    def __iter__(self) -> Iterator[FrontierEntry]:
        return map(FrontierEntry, self._numbers, self._scores, self._sources)

    def add(self, entry: FrontierEntry) -> None:
        """Add a link."""
        self._numbers.append(entry.number)
        self._scores.append(entry.score)
        self._sources.append(entry.source)

    def save(self, state: StateWriter) -> None:
        """Save all links."""
        state.array("number", self._numbers)
        state.array("score", self._scores)
        state.array("source", self._sources)

    @classmethod
    def restored(cls, state: StateReader) -> Self:
        """Return saved links."""
        links = cls()
        state.fill("number", links._numbers)
        state.fill("score", links._scores)
        state.fill("source", links._sources)
        return links


class Frontier:
    """URLs that wait, best score first; equal scores first in, first out.

    A URL waits once, with the best score it was pushed with. A URL that was
    popped never waits again unless it is put back. Its order among equals is
    that in which they got their present scores; links that got equal scores in
    one call are in the order of the arrays if `seed` is 0, else in one that
    depends on the seed. Infinite scores, those of seeds, are never shaken.

    >>> frontier = Frontier()
    >>> frontier.push(np.array([7, 8, 9]), np.array([0.1, 0.5, 0.5]))
    >>> frontier.push(np.array([7]), np.array([0.9]), source=8)
    >>> len(frontier), frontier.pop(), frontier.pop().number
    (3, FrontierEntry(number=7, score=0.9, source=8), 8)
    >>> frontier.push(np.array([7]), np.array([2.0]))
    >>> frontier.pop().number, frontier.pop()
    (9, None)
    """

    __slots__ = (
        "_end", "_hash", "_heads", "_log", "_place", "_runs", "_score", "_source", "_waiting",
    )  # fmt: skip

    def __init__(self, seed: int = 0) -> None:
        self._hash = SeededHash(seed) if seed else None
        self._score = np.full(SLACK, NEW)
        self._place = np.zeros(SLACK, np.int32)
        self._source = np.zeros(SLACK, np.int32)
        # URL numbers in runs; the last of a run is written as its complement.
        self._log = np.empty(SLACK, np.int32)
        self._end = 0
        self._heads: list[tuple[float, int]] = []  # (-score, place in the log)
        # Where the runs of each tier begin; higher tiers are larger and older.
        self._runs: list[list[int]] = [[] for _ in range(TIERS)]
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, in bytes."""
        arrays = (self._score, self._place, self._source, self._log)
        return sum(array.nbytes for array in arrays)

    def push(self, numbers: NDArray[Any], scores: NDArray[Any], source: int = -1) -> None:
        """Add the links of one page; one that waits with the same or a better score is ignored."""
        try:
            known = self._score[numbers]
        except IndexError:
            self._grow(int(numbers.max()) + 1)
            known = self._score[numbers]
        index = (scores > known).nonzero()[0]
        if not len(index):
            return
        if len(index) < len(numbers):
            numbers, scores, known = numbers[index], scores[index], known[index]
        if self._hash is not None and len(numbers) > 1:
            order = self._shaken(numbers, scores)
            numbers, scores, known = numbers[order], scores[order], known[order]
        self._make_room(len(numbers))
        start = self._end
        self._source[numbers] = source
        numbers, new = self._append(numbers, scores, known == NEW)
        if len(numbers) == 1:
            self._waiting += bool(new[0])
        else:  # a number that stands twice counts once
            places = np.arange(start, self._end)
            self._waiting += int(np.count_nonzero(new & (self._place[numbers] == places)))

    def replace(self, numbers: NDArray[Any], values: NDArray[Any]) -> None:
        """Give links that wait new scores, better or worse; numbers that do not wait are ignored.

        So are seeds, whose score is infinite: they stay first. A number that
        stands twice gets the better of the two.
        """
        try:
            scores = self._score.take(numbers)
        except IndexError:
            known = numbers < len(self._score)
            numbers, values = numbers[known], values[known]
            scores = self._score.take(numbers)
        changed = np.isfinite(scores)  # none of NEW, TAKEN and the score of a seed
        changed &= scores != values
        numbers, values = numbers[changed], values[changed]
        if len(numbers):
            if self._hash is not None:
                order = self._shaken(numbers, values)
                numbers, values = numbers[order], values[order]
            self._make_room(len(numbers))
            self._append(numbers, values, numbers >= 0)

    @property
    def best(self) -> float | None:
        """The score of the best link; None if nothing waits."""
        heads, log, place = self._heads, self._log, self._place
        while heads:
            key, at = heads[0]
            number = log.item(at)
            last = number < 0
            if place.item(~number if last else number) == at:
                return -key
            self._advance(at, last)
        return None

    def is_taken(self, number: int) -> bool:
        """Return whether a URL was popped or taken."""
        return number < len(self._score) and bool(np.isnan(self._score[number]))

    def is_waiting(self, number: int) -> bool:
        """Return whether a URL waits."""
        return number < len(self._score) and bool(self._score[number] > NEW)

    def take(self, number: int) -> FrontierEntry | None:
        """Remove one link out of turn; return None if it does not wait. It never waits again."""
        if number >= len(self._score):
            self._grow(number + 1)
        score = self._score.item(number)
        self._score[number] = TAKEN
        self._place[number] = -1
        if not score > NEW:
            return None
        self._waiting -= 1
        return FrontierEntry(number, score, self._source.item(number))

    def put_back(self, entry: FrontierEntry) -> None:
        """Let a link that was popped or taken wait again, the last among its equals."""
        self._score[entry.number] = NEW
        self.push(np.array([entry.number]), np.array([entry.score]), entry.source)

    def pop(self) -> FrontierEntry | None:
        """Remove and return the best link; None if nothing waits."""
        heads, log, place = self._heads, self._log, self._place
        while heads:
            key, at = heads[0]
            number = log.item(at)
            last = number < 0
            if last:
                number = ~number
            self._advance(at, last)
            if place.item(number) == at:
                self._score[number] = TAKEN
                self._waiting -= 1
                if self._end > 2 * self._waiting + SLACK:
                    self._merge(TIERS - 1)
                return FrontierEntry(number, -key, self._source.item(number))
        return None

    def save(self, state: StateWriter) -> None:
        """Save the scores, sources and order of all links."""
        state.array("score", self._score)
        state.array("source", self._source)
        state.array("place", self._place)

    def restore(
        self, state: StateReader, first: Sequence[FrontierEntry], taken: NDArray[Any]
    ) -> None:
        """Take over saved links.

        Those in `first` wait, too, in their order before others of the same score; one
        with the score `NEW` is as if it had never been seen. The numbers in `taken` do
        not wait.
        """
        self._score = state.array("score", self._score)
        self._source = state.array("source", self._source)
        self._place = state.array("place", self._place)
        numbers = np.array([entry.number for entry in first], np.int64)
        if len(numbers):
            if int(numbers.max()) >= len(self._score):
                self._grow(int(numbers.max()) + 1)
            self._score[numbers] = [entry.score for entry in first]
            self._source[numbers] = [entry.source for entry in first]
            self._place[numbers] = np.arange(-len(numbers), 0)
        self._score[taken[taken < len(self._score)]] = TAKEN
        waiting = np.flatnonzero(self._score > NEW)
        order = np.lexsort((self._place[waiting], -self._score[waiting]))
        self._log = np.empty(_more(len(waiting)), np.int32)
        self._waiting = self._end = 0
        self._heads = []
        self._runs = [[] for _ in range(TIERS)]
        if len(waiting):
            self._waiting = len(waiting)
            waiting = waiting[order]
            self._append(waiting, self._score[waiting], waiting >= 0)
            self._runs[TIERS - 1].append(self._runs[0].pop())

    def _advance(self, at: int, last: bool) -> None:
        """Put the next entry of the first run that is not stale in place of its head."""
        log, place = self._log, self._place
        while not last:
            at += 1
            number = log.item(at)
            last = number < 0
            if last:
                number = ~number
            if place.item(number) == at:
                heapreplace(self._heads, (-self._score.item(number), at))
                return
        heappop(self._heads)

    def _append(
        self, numbers: NDArray[Any], scores: NDArray[Any], flags: NDArray[np.bool_]
    ) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Write one run; return numbers and flags in its order."""
        size = len(numbers)
        start = self._end
        self._end = end = start + size
        self._runs[0].append(start)
        if size == 1:
            number = int(numbers[0])
            score = float(scores[0])
            self._log[start] = ~number
            self._place[number] = start
            self._score[number] = score
            heappush(self._heads, (-score, start))
            return numbers, flags
        order = (-scores).argsort(kind="stable")
        numbers, scores, flags = numbers[order], scores[order], flags[order]
        self._log[start:end] = numbers
        self._log[end - 1] = ~int(numbers[-1])
        # Backwards, because of two values for one index numpy keeps the last.
        self._place[numbers[::-1]] = np.arange(end - 1, start - 1, -1)
        self._score[numbers[::-1]] = scores[::-1]
        heappush(self._heads, (-float(scores[0]), start))
        return numbers, flags

    def _shaken(self, numbers: NDArray[Any], scores: NDArray[Any]) -> NDArray[np.intp]:
        """Return the order of links under the seed; those with infinite scores keep theirs."""
        assert self._hash is not None  # noqa: S101 - callers test it
        keys = self._hash(numbers)
        keys[np.isinf(scores)] = 0
        return keys.argsort(kind="stable")

    def _grow(self, size: int) -> None:
        """Make room for URL numbers below `size`, and some more."""
        extra = _more(size) - len(self._score)
        self._score = np.concatenate((self._score, np.full(extra, NEW)))
        self._place = np.concatenate((self._place, np.zeros(extra, np.int32)))
        self._source = np.concatenate((self._source, np.zeros(extra, np.int32)))

    def _make_room(self, size: int) -> None:
        """Merge runs and grow the log so that a run of that size can be written."""
        if self._end > 2 * self._waiting + SLACK:
            self._merge(TIERS - 1)
        for tier, runs in enumerate(self._runs[:-1]):
            if len(runs) < MAX_RUNS:
                break
            self._merge(tier)
        if self._end + size > len(self._log):
            room = np.empty(_more(self._end + size) - len(self._log), np.int32)
            self._log = np.concatenate((self._log, room))

    def _merge(self, tier: int) -> None:
        """Merge all runs up to that tier into one of the next, without stale and taken entries."""
        start = min(runs[0] for runs in self._runs[: tier + 1] if runs)
        log = self._log[start : self._end]
        numbers = np.where(log < 0, ~log, log)
        scores = self._score[numbers]
        places = np.arange(start, self._end)
        waits = (self._place[numbers] == places) & ~np.isnan(scores)
        self._heads = [head for head in self._heads if head[1] < start]
        heapify(self._heads)
        self._end = start
        for runs in self._runs[: tier + 1]:
            runs.clear()
        if waits.any():
            self._append(numbers[waits], scores[waits], waits[waits])
            self._runs[min(tier + 1, TIERS - 1)].append(self._runs[0].pop())
        if start == 0:  # the whole log: release memory
            self._log = self._log[: _more(self._end)].copy()


def _more(size: int) -> int:
    """Return the size to allocate when `size` is needed: a little more, to grow seldom."""
    return size + size // 16 + SLACK
