"""Which members are one work: what matching finds, then what people say.

People have the last word, in the order in which they spoke: two works that are
the same are joined, and of two members that are different each takes with it
what is more like itself than like the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.feature_vectors import compute_vectors
from lycosa.papers.matching.matcher import ReferenceMatcher
from lycosa.papers.matching.normal_form import normalise
from lycosa.papers.matching.similarity import score_pairs
from lycosa.portal.build.applied_corrections import Opinions
from lycosa.portal.build.members import Members, fields_in, is_untitled, ready

Numbers = NDArray[np.int64]


class Groups:
    """The work of every member, called by the number of its first member.

    >>> groups = Groups(np.array([0, 1, 2, 1]))
    >>> groups.join([(2, 3)])
    >>> groups.of.tolist()
    [0, 1, 1, 1]
    >>> groups.part(2, np.array([False, True, True]))
    >>> groups.of.tolist()
    [0, 1, 2, 2]
    """

    def __init__(self, of: NDArray[np.integer]) -> None:
        self.of: Numbers = np.asarray(of, np.int64)

    def members(self, number: int) -> Numbers:
        """All members of the work that a member is in."""
        return np.flatnonzero(self.of == self.of[number])

    def join(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Make one work of those that these pairs of members are in."""
        root: dict[int, int] = {}

        def find(work: int) -> int:
            while (above := root.get(work, work)) != work:
                root[work] = root.get(above, above)
                work = above
            return work

        for one, two in pairs:
            a, b = find(int(self.of[one])), find(int(self.of[two]))
            root[max(a, b)] = min(a, b)
        if root:
            new = np.arange(len(self.of))
            old = np.array(sorted(root), np.int64)
            new[old] = [find(work) for work in old.tolist()]
            self.of = new[self.of]

    def part(self, number: int, gone: NDArray[np.bool_]) -> None:
        """Make two works of the one that a member is in; `gone` says who is in the second."""
        mine = self.members(number)
        for some in (mine[gone], mine[~gone]):
            self.of[some] = some.min(initial=len(self.of))


def grouped(
    members: Members, arriving: Iterable[ReferenceBatch], opinions: Opinions, *, apart: bool
) -> Groups:
    """The works of all members, which are matched while they arrive."""
    matching = ReferenceMatcher(separate_versions=apart)
    matching.match(_heard(members, arriving, opinions))
    found = matching.works()
    untitled = [n for n, member in enumerate(members.packed) if is_untitled(member)]
    found[untitled] = untitled
    groups = Groups(found)
    groups.join(_alike(members))
    for kind, one, two in opinions.pairs():
        if kind == "same":
            groups.join([(one, two)])
            continue
        first = one
        if one == two:  # the document that the work is called by: the rest goes by another
            first = next((n for n in groups.members(one).tolist() if n != two), one)
        if first != two and groups.of[first] == groups.of[two]:
            groups.part(first, _nearer(members, groups.members(first), first, two))
    return groups


def _heard(
    members: Members, arriving: Iterable[ReferenceBatch], opinions: Opinions
) -> Iterator[ReferenceBatch]:
    """Members as they come, after people have been heard about them."""
    start = 0
    for portion in arriving:
        numbers = range(start, start + len(portion))
        corrected = opinions.hear(members, numbers)
        yield ready([members.packed[n] for n in numbers]) if corrected else portion
        start = numbers.stop


def _alike(members: Members) -> Iterator[tuple[int, int]]:
    """Pairs of documents that are equal."""
    first: dict[tuple[str, str], int] = {}
    for (start, _), kind, same in zip(
        pairwise(members.starts), members.kinds, members.alike, strict=True
    ):
        if (other := first.setdefault((kind, same), start)) != start:
            yield other, start


def _nearer(members: Members, some: Numbers, one: int, two: int) -> NDArray[np.bool_]:
    """Which of some members are more like the second than like the first."""
    numbers = [one, two, *some.tolist()]
    sketches = compute_vectors([normalise(fields_in(members.packed[number])) for number in numbers])
    others = np.arange(2, len(sketches))
    first, second = (
        score_pairs(sketches, np.full(len(others), n), others, separate_versions=True)
        for n in (0, 1)
    )
    nearer = np.asarray(second > first)
    nearer[some == one], nearer[some == two] = False, True
    return nearer
