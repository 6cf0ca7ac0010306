"""Citation graph over works: co-citation, bibliographic coupling and PageRank.

Stored as two compressed sparse rows, one for each direction: eight bytes a citation.
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
    """A work and the value by which it is ranked."""

    work: int
    value: float


class Citations:
    """The citations between works.

    Repeated citations count once, and self-citations are dropped: a preprint that cites
    its journal version is not a citation.

    Parameters
    ----------
    pairs
        The citing and the cited work of each citation.
    size
        The number of works; they are numbered from 0 to `size` - 1.

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
                f"A citation must be between works numbered from 0 to {size - 1}; "
                "give the size of the graph, or renumber the works."
            )
        self.size = size
        citing, cited = table[table[:, 0] != table[:, 1]].T
        self._cites = _SparseRows.from_pairs(citing, cited, size)
        self._cited_by = _SparseRows.from_pairs(cited, citing, size)

    def __len__(self) -> int:
        """Return the number of citations."""
        return len(self._cites.columns)

    @property
    def reference_counts(self) -> Ints:
        """The number of works that each work cites."""
        return np.diff(self._cites.starts).astype(np.int32)

    @property
    def counts(self) -> Ints:
        """The number of citations of each work."""
        return np.diff(self._cited_by.starts).astype(np.int32)

    def pairs(self) -> NDArray[np.int64]:
        """Return all citations as rows of the citing and the cited work, in order."""
        citing = np.repeat(np.arange(self.size), np.diff(self._cites.starts))
        return np.stack((citing, self._cites.columns.astype(np.int64)), axis=1)

    def cites(self, work: int) -> Ints:
        """Return the works that a work cites."""
        return self._cites.row(self._check(work))

    def cited_by(self, work: int) -> Ints:
        """Return the works that cite a work."""
        return self._cited_by.row(self._check(work))

    def cocited(self, work: int, limit: int = 10) -> list[RankedWork]:
        """Return the works most often cited together with a work: co-citation (Small 1973)."""
        citing = self._cited_by.row(self._check(work))
        return _rank_by_count(self._cites.concatenated(citing), work, limit)

    def coupled(self, work: int, limit: int = 10) -> list[RankedWork]:
        """Return the works with most shared references: bibliographic coupling (Kessler 1963)."""
        cited = self._cites.row(self._check(work))
        return _rank_by_count(self._cited_by.concatenated(cited), work, limit)

    def most_cited(self, limit: int = 10, among: ArrayLike | None = None) -> list[RankedWork]:
        """Return the most cited works, of all or of those in `among`."""
        return top_works(self.counts, limit, among)

    def pagerank(self, damping: float = 0.85, tolerance: float = 1e-10) -> Floats:
        """Return the PageRank of each work (Brin & Page 1998).

        A work without references leads to every work with equal probability. Power
        iteration until the ranks change by less than `tolerance`; each round reduces the
        error by the factor `damping`.

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
                # `reduceat` must not be given empty rows.
                new[cited] += np.add.reduceat((rank * share)[sources], starts[cited])
            new /= new.sum()
            change = np.abs(new - rank).sum()
            rank = new
            if change < tolerance:
                return rank

    def relative_pagerank(self, damping: float = 0.85, tolerance: float = 1e-6) -> Floats:
        """Return the PageRank of each work divided by that of a work that nobody cites.

        In this form, that of the paper (Brin & Page 1998) without its factor 1 - `damping`,
        a citation changes the rank of the works that it leads to and of no others, however
        many works there are. Fixed-point iteration until no rank changes by more than
        `tolerance` times itself.

        >>> Citations([(0, 1), (2, 1)], size=3).relative_pagerank().round(3).tolist()
        [1.0, 2.7, 1.0]
        """
        if not 0 <= damping < 1:
            raise UsageError(f"The damping of PageRank is at least 0 and below 1, not {damping}.")
        share = damping / np.maximum(np.diff(self._cites.starts), 1)
        sources, starts = self._cited_by.columns, self._cited_by.starts
        cited = np.flatnonzero(np.diff(starts))
        rank = np.ones(self.size)
        while len(cited):
            new = 1 + np.add.reduceat((rank * share)[sources], starts[cited])
            change = np.abs(new - rank[cited]) > tolerance * new
            rank[cited] = new
            if not change.any():
                break
        return rank

    def seminal(
        self, topics: ArrayLike, limit: int = 10, damping: float = 0.85
    ) -> Mapping[int, list[RankedWork]]:
        """Return the most important works of each topic, given the topic of every work.

        Works are ranked by their PageRank among the citations within the topic, so that
        works that all topics cite do not come first. Works without a topic (below 0) are
        not listed.

        >>> graph = Citations([(0, 2), (1, 2), (3, 4), (5, 4), (4, 2)], size=6)
        >>> found = graph.seminal([0, 0, 0, 1, 1, 1], limit=1)
        >>> {topic: works[0].work for topic, works in found.items()}
        {0: 2, 1: 4}
        """
        topic_of = np.asarray(topics, np.int64)
        if topic_of.shape != (self.size,):
            raise UsageError(f"Give one topic for each of the {self.size} works, -1 for none.")
        found = {}
        citing = np.repeat(np.arange(self.size), np.diff(self._cites.starts))
        cited = self._cites.columns
        inside = np.flatnonzero((topic_of[citing] == topic_of[cited]) & (topic_of[citing] >= 0))
        inside = inside[np.argsort(topic_of[citing[inside]], kind="stable")]
        citing, cited = citing[inside], cited[inside]
        of_pair = topic_of[citing]
        place = np.zeros(self.size, np.int64)
        for topic in np.unique(topic_of[topic_of >= 0]).tolist():
            works = np.flatnonzero(topic_of == topic)
            place[works] = np.arange(len(works))
            some = slice(*np.searchsorted(of_pair, [topic, topic + 1]).tolist())
            ends = (place[citing[some]], place[cited[some]])
            part = Citations(np.stack(ends, axis=1), len(works))
            best = top_works(part.pagerank(damping), limit)
            found[topic] = [RankedWork(int(works[each.work]), each.value) for each in best]
        return found

    def _check(self, work: int) -> int:
        if not 0 <= work < self.size:
            raise UsageError(f"There is no work {work}; works are numbered 0 to {self.size - 1}.")
        return work


class _SparseRows(NamedTuple):
    """A sparse matrix by rows: row k is `columns[starts[k]:starts[k + 1]]`."""

    starts: NDArray[np.int64]
    columns: Ints

    @classmethod
    def from_pairs(
        cls, rows: NDArray[np.int64], columns: NDArray[np.int64], size: int
    ) -> _SparseRows:
        codes = np.sort(rows * max(size, 1) + columns)
        codes = codes[np.diff(codes, prepend=-1) > 0]
        rows, columns = np.divmod(codes, max(size, 1))
        return cls(np.searchsorted(rows, np.arange(size + 1)), columns.astype(np.int32))

    def row(self, number: int) -> Ints:
        return self.columns[self.starts[number] : self.starts[number + 1]]

    def concatenated(self, numbers: Sequence[int] | Ints) -> Ints:
        """Return several rows in one array."""
        parts = [self.row(int(number)) for number in numbers]
        return np.concatenate(parts) if parts else self.columns[:0]


def top_works(values: NDArray[Any], limit: int, among: ArrayLike | None = None) -> list[RankedWork]:
    """Return the works with the highest values; of equal ones the first comes first.

    >>> top_works(np.array([1, 3, 2, 3]), 2)
    [RankedWork(work=1, value=3.0), RankedWork(work=3, value=3.0)]
    """
    works = np.arange(len(values)) if among is None else np.unique(np.asarray(among, np.int64))
    order = np.lexsort((works, -values[works]))[:limit]
    return [RankedWork(int(works[k]), float(values[works[k]])) for k in order]


def _rank_by_count(works: Ints, excluded: int, limit: int) -> list[RankedWork]:
    found, counts = np.unique(works, return_counts=True)
    other = found != excluded
    found, counts = found[other], counts[other]
    return [RankedWork(int(found[k]), value) for k, value in top_works(counts, limit)]
