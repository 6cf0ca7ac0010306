"""The number of rewards at each distance from every page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.sites.graph import Graph

LANES = 16
"""64-bit words in one block of rewards, to bound the memory."""

LINKS = 1 << 15
"""Links followed at once, to bound the memory."""

BIT_COUNTS: NDArray[np.uint8] = np.array([n.bit_count() for n in range(1 << 16)], np.uint8)
BIT_COUNTS.setflags(write=False)


class Ring(NamedTuple):
    """The pages that have rewards at exactly this `distance`, in links.

    `counts[i]` is the number of these rewards of `pages[i]`. A distance may occur in
    several rings, each for other rewards; the counts add up.
    """

    distance: int
    pages: NDArray[np.int64]
    counts: NDArray[np.int64]


def rings(graph: Graph, rewards: NDArray[np.int64], depth: int | None = None) -> Iterator[Ring]:
    """Yield the rewards around all pages, up to distance `depth` (None: without limit).

    Every page has a set of rewards, one bit each, that it can reach within d
    links. Within d + 1 links it reaches what its targets reach within d; only
    pages with a target whose set has grown are visited again.

    >>> graph = Graph.from_edges(4, [0, 1, 1], [1, 2, 3])
    >>> for ring in rings(graph, np.array([2, 3])):
    ...     print(ring.distance, ring.pages.tolist(), ring.counts.tolist())
    0 [2, 3] [1, 1]
    1 [1] [2]
    2 [0] [2]
    """
    back = graph.reverse()
    block = LANES * 64
    for start in range(0, len(rewards), block):
        yield from _block(graph, back, rewards[start : start + block], depth)


def _block(
    graph: Graph, back: Graph, rewards: NDArray[np.int64], depth: int | None
) -> Iterator[Ring]:
    lanes = -(-len(rewards) // 64)
    known = np.zeros((len(graph), lanes), np.uint64)
    number = np.arange(len(rewards))
    known[rewards, number // 64] = np.uint64(1) << (number % 64).astype(np.uint64)
    pages, counts, distance = rewards, np.ones(len(rewards), np.int64), 0
    while len(pages):
        yield Ring(distance, pages, counts)
        if distance == depth:
            return
        distance += 1
        grown = np.zeros(len(graph), np.bool_)
        grown[pages] = True
        touched = np.zeros(len(graph), np.bool_)
        touched[back.links(pages)[1]] = True
        pages, counts = _grow(graph, known, grown, np.flatnonzero(touched))


def _grow(
    graph: Graph,
    known: NDArray[np.uint64],
    grown: NDArray[np.bool_],
    pages: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Add to pages the sets of their grown targets; return the pages that gained, and how much."""
    updates = []
    for part in _parts(graph, pages):
        owner, found = graph.links(part)
        changed = grown[found]
        owner, found = owner[changed], found[changed]
        # Every page here has a grown target, so no group is empty.
        first = np.searchsorted(owner, np.arange(len(part)))
        sets = np.bitwise_or.reduceat(known[found], first, axis=0)
        sets &= ~known[part]
        counts = BIT_COUNTS[sets.view(np.uint16)].sum(axis=1, dtype=np.int64)
        gained = counts > 0
        updates.append((part[gained], counts[gained], sets[gained]))
    # Only now: the sets of this distance are made from those of the last.
    for part, _, sets in updates:
        known[part] |= sets
    if not updates:
        return pages, pages
    return (
        np.concatenate([part for part, _, _ in updates]),
        np.concatenate([counts for _, counts, _ in updates]),
    )


def _parts(graph: Graph, pages: NDArray[np.int64]) -> list[NDArray[Any]]:
    """Return the pages in groups with about `LINKS` links each."""
    lengths = graph.offsets[pages + 1] - graph.offsets[pages]
    group = np.cumsum(lengths) // LINKS
    return [part for part in np.split(pages, np.flatnonzero(np.diff(group)) + 1) if len(part)]
