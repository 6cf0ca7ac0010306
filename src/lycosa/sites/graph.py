"""The link graph of a site as two arrays (compressed sparse rows)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints
from lycosa.core import Site


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A directed graph of pages: page p links to `targets[offsets[p]:offsets[p + 1]]`.

    Links keep their order on the page.

    >>> graph = Graph.from_edges(4, [0, 0, 1], [1, 2, 3])
    >>> graph.distances([0]).tolist()
    [0, 1, 1, 2]
    >>> graph.reverse().distances([3]).tolist()
    [2, 1, -1, 0]
    """

    offsets: NDArray[np.int64]
    targets: Ints

    @classmethod
    def of(cls, site: Site) -> Graph:
        """Return the graph of a site: the one it has, else built page by page."""
        if isinstance(site, SiteWithGraph):
            return site.graph
        rows = [site.page(number).targets for number in range(len(site))]
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        return cls(offsets, np.concatenate([NO_INTS, *rows]))

    @classmethod
    def from_edges(cls, size: int, sources: Any, targets: Any) -> Graph:
        """Return the graph of `size` pages with the links from `sources` to `targets`."""
        tails, heads = np.asarray(sources, np.int64), np.asarray(targets, np.int32)
        offsets = np.zeros(size + 1, np.int64)
        np.cumsum(np.bincount(tails, minlength=size), out=offsets[1:])
        return cls(offsets, heads[np.argsort(tails, kind="stable")])

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def links(self, pages: NDArray[Any]) -> tuple[NDArray[np.int64], Ints]:
        """Return the links of some pages: the index in `pages` and the target of each link."""
        if len(pages) == 1:  # the usual case of a crawl, and much cheaper
            start, stop = self.offsets[pages[0] : pages[0] + 2].tolist()
            return np.zeros(stop - start, np.int64), self.targets[start:stop]
        starts = self.offsets[pages]
        lengths = self.offsets[np.asarray(pages) + 1] - starts
        ends = np.cumsum(lengths)
        owner = np.repeat(np.arange(len(pages)), lengths)
        index = (starts - (ends - lengths))[owner] + np.arange(len(owner))
        return owner, self.targets[index]

    def distances(self, sources: Any) -> Ints:
        """Return the distance of every page from the nearest source; -1: unreachable.

        The search is breadth-first, one whole level at a time.
        """
        distances = np.full(len(self), -1, np.int32)
        level = np.unique(np.asarray(sources, np.int32))
        steps = 0
        while len(level):
            distances[level] = steps
            steps += 1
            _, found = self.links(level)
            level = np.unique(found[distances[found] < 0])
        return distances

    def reachable(self, seeds: Any) -> Ints:
        """Return the pages that are reachable from the seeds, in the order of their numbers."""
        return np.flatnonzero(self.distances(seeds) >= 0).astype(np.int32)

    def reverse(self) -> Graph:
        """Return the graph with every link reversed."""
        sources = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.offsets))
        return Graph.from_edges(len(self), self.targets, sources)


@runtime_checkable
class SiteWithGraph(Protocol):
    """A site that has its link graph, so that no page must be read to build it."""

    @property
    def graph(self) -> Graph:
        """Return the link graph of the whole site."""
