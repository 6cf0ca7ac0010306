"""The citation graph over works: who cites whom, what is cited together, what is seminal.

Two sparse arrays of rows, one for each direction, eight bytes a citation in all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lycosa.content import Ints
from lycosa.errors import UsageError

Floats = NDArray[np.float64]


class RankedWork(NamedTuple):
    """A work and what it was ranked by."""

    work: int
    value: float


class Citations:
    """Which work cites which; works are numbered from 0 to `size` - 1.

    A work that cites another twice cites it once, and no work cites itself: a
    preprint that cites its journal version is no citation.

    >>> graph = Citations([(0, 2), (1, 2), (1, 3), (0, 3), (3, 2)], size=4)
    >>> graph.cites(0).tolist(), graph.cited_by(2).tolist()
    ([2, 3], [0, 1, 3])
    >>> graph.cocited(2)                     # 0 and 1 cite both 2 and 3
    [RankedWork(work=3, value=2.0)]
    >>> graph.coupled(0)                     # 0 and 1 cite 2 and 3 both, 3 cites 2 only
    [RankedWork(work=1, value=2.0), RankedWork(work=3, value=1.0)]
    >>> graph.most_cited(1)
    [RankedWork(work=2, value=3.0)]
    """

    __slots__ = ("_cited_by", "_cites", "size")

    def __init__(self, pairs: ArrayLike | Iterable[tuple[int, int]], size: int) -> None:
        given = pairs if isinstance(pairs, np.ndarray) else list(pairs)  # type: ignore[arg-type]
        table = np.asarray(given, np.int64).reshape(-1, 2)
        if len(table) and not (table.min() >= 0 and table.max() < size):
            raise UsageError(
                f"A citation is between works numbered from 0 to {size - 1}; "
                "give the size of the graph, or number the works anew."
            )
        self.size = size
        citing, cited = table[table[:, 0] != table[:, 1]].T
        self._cites = _Rows.of(citing, cited, size)
        self._cited_by = _Rows.of(cited, citing, size)

    def __len__(self) -> int:
        """How many citations there are."""
        return len(self._cites.columns)

    @property
    def counts(self) -> Ints:
        """How often each work is cited."""
        return np.diff(self._cited_by.starts).astype(np.int32)

    def cites(self, work: int) -> Ints:
        """The works that a work cites."""
        return self._cites.row(self._known(work))

    def cited_by(self, work: int) -> Ints:
        """The works that cite a work."""
        return self._cited_by.row(self._known(work))

    def cocited(self, work: int, most: int = 10) -> list[RankedWork]:
        """The works most often cited together with a work (Small 1973)."""
        citing = self._cited_by.row(self._known(work))
        return _ranked(self._cites.gathered(citing), work, most)

    def coupled(self, work: int, most: int = 10) -> list[RankedWork]:
        """The works that cite most of what a work cites: bibliographic coupling (Kessler 1963)."""
        cited = self._cites.row(self._known(work))
        return _ranked(self._cited_by.gathered(cited), work, most)

    def most_cited(self, most: int = 10, among: ArrayLike | None = None) -> list[RankedWork]:
        """The works that are cited most, of all or among some."""
        return top_works(self.counts, most, among)

    def pagerank(self, damping: float = 0.85, tolerance: float = 1e-10) -> Floats:
        """The chance to be at each work when following citations (Brin & Page 1998).

        Who comes to a work that cites nothing goes on anywhere. Power iteration;
        each round brings the error down by `damping`.

        >>> Citations([(0, 1), (2, 1)], size=3).pagerank().round(3).tolist()
        [0.213, 0.574, 0.213]
        """
        if not 0 <= damping < 1:
            raise UsageError(f"The damping of PageRank is at least 0 and below 1, not {damping}.")
        if not self.size:
            return np.empty(0)
        out = np.diff(self._cites.starts)
        ends = np.flatnonzero(out == 0)
        share = damping / np.maximum(out, 1)
        sources, starts = self._cited_by.columns, self._cited_by.starts
        cited = np.flatnonzero(np.diff(starts))
        rank = np.full(self.size, 1 / self.size)
        while True:
            lost = damping * rank[ends].sum()
            new = np.full(self.size, (1 - damping + lost) / self.size)
            if len(cited):
                # Rows that are empty must not be given to `reduceat`.
                new[cited] += np.add.reduceat((rank * share)[sources], starts[cited])
            new /= new.sum()
            change = np.abs(new - rank).sum()
            rank = new
            if change < tolerance:
                return rank

    def seminal(
        self, topics: ArrayLike, most: int = 10, damping: float = 0.85
    ) -> Mapping[int, list[RankedWork]]:
        """For each topic the works that matter most to it, given the topic of every work.

        A work matters to a topic by its PageRank among the citations within the
        topic, so what everybody cites for other reasons does not come first. Works of
        no topic (below 0) are not listed.

        >>> graph = Citations([(0, 2), (1, 2), (3, 4), (5, 4), (4, 2)], size=6)
        >>> found = graph.seminal([0, 0, 0, 1, 1, 1], most=1)
        >>> {topic: works[0].work for topic, works in found.items()}
        {0: 2, 1: 4}
        """
        of = np.asarray(topics, np.int64)
        if of.shape != (self.size,):
            raise UsageError(f"Give one topic for each of the {self.size} works, -1 for none.")
        found = {}
        citing = np.repeat(np.arange(self.size), np.diff(self._cites.starts))
        for topic in np.unique(of[of >= 0]).tolist():
            mine = np.flatnonzero(of == topic)
            inside = (of[citing] == topic) & (of[self._cites.columns] == topic)
            place = np.zeros(self.size, np.int64)
            place[mine] = np.arange(len(mine))
            ends = (place[citing[inside]], place[self._cites.columns[inside]])
            part = Citations(np.stack(ends, axis=1), len(mine))
            best = top_works(part.pagerank(damping), most)
            found[topic] = [RankedWork(int(mine[each.work]), each.value) for each in best]
        return found

    def _known(self, work: int) -> int:
        if not 0 <= work < self.size:
            raise UsageError(f"There is no work {work}; works are numbered 0 to {self.size - 1}.")
        return work


class _Rows(NamedTuple):
    """Rows of numbers one after the other: row k is `columns[starts[k]:starts[k + 1]]`."""

    starts: NDArray[np.int64]
    columns: Ints

    @classmethod
    def of(cls, rows: NDArray[np.int64], columns: NDArray[np.int64], size: int) -> _Rows:
        codes = np.sort(rows * max(size, 1) + columns)
        codes = codes[np.diff(codes, prepend=-1) > 0]
        rows, columns = np.divmod(codes, max(size, 1))
        return cls(np.searchsorted(rows, np.arange(size + 1)), columns.astype(np.int32))

    def row(self, number: int) -> Ints:
        return self.columns[self.starts[number] : self.starts[number + 1]]

    def gathered(self, numbers: Sequence[int] | Ints) -> Ints:
        """Several rows, one after the other."""
        parts = [self.row(int(number)) for number in numbers]
        return np.concatenate(parts) if parts else self.columns[:0]


def top_works(values: NDArray[Any], most: int, among: ArrayLike | None = None) -> list[RankedWork]:
    """The highest values and whose they are; of equal ones the first comes first.

    >>> top_works(np.array([1, 3, 2, 3]), 2)
    [RankedWork(work=1, value=3.0), RankedWork(work=3, value=3.0)]
    """
    works = np.arange(len(values)) if among is None else np.unique(np.asarray(among, np.int64))
    order = np.lexsort((works, -values[works]))[:most]
    return [RankedWork(int(works[k]), float(values[works[k]])) for k in order]


def _ranked(works: Ints, but: int, most: int) -> list[RankedWork]:
    found, counts = np.unique(works, return_counts=True)
    other = found != but
    found, counts = found[other], counts[other]
    return [RankedWork(int(found[k]), value) for k, value in top_works(counts, most)]
