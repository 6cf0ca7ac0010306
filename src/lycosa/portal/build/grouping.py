"""Grouping of members into works: by matching, then by corrections.

Corrections override matching, in the order in which they were made. Works that
are corrected to be the same are merged. When two members are corrected to be
different, the work is split: each takes the members that are more similar to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.feature_vectors import compute_vectors
from lycosa.papers.matching.matcher import ReferenceMatcher
from lycosa.papers.matching.normal_form import normalise
from lycosa.papers.matching.similarity import score_pairs
from lycosa.portal.build.applied_corrections import AppliedCorrections
from lycosa.portal.build.member_table import Members
from lycosa.portal.build.members import matched_fields, matching_batch
from lycosa.scratch import Scratch

Numbers = NDArray[np.int64]


class Groups:
    """The work of every member, identified by the number of its first member.

    >>> groups = Groups(np.array([0, 1, 2, 1]))
    >>> groups.merge([(2, 3)])
    >>> groups.of.tolist()
    [0, 1, 1, 1]
    >>> groups.split(2, np.array([False, True, True]))
    >>> groups.of.tolist()
    [0, 1, 2, 2]
    """

    def __init__(self, of: NDArray[np.integer]) -> None:
        self.of: Numbers = np.asarray(of, np.int64)

    def members(self, number: int) -> Numbers:
        """Return all members of the work of a member."""
        return np.flatnonzero(self.of == self.of[number])

    def merge(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Merge the works of each pair of members."""
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

    def split(self, number: int, second: NDArray[np.bool_]) -> None:
        """Split the work of a member in two; `second` says which members form the second one."""
        members = self.members(number)
        for part in (members[second], members[~second]):
            self.of[part] = part.min(initial=len(self.of))


def match_members(
    members: Members,
    batches: Iterable[ReferenceBatch],
    corrections: AppliedCorrections,
    *,
    separate_versions: bool,
    scratch: Scratch | None = None,
) -> ReferenceMatcher:
    """Return a matcher of all members, which are matched while `batches` of them arrive.

    `scratch` makes the arrays of the matcher.
    """
    matcher = ReferenceMatcher(separate_versions=separate_versions, scratch=scratch)
    matcher.match(corrected_batches(members, batches, corrections))
    return matcher


def group_members(
    members: Members,
    matched: NDArray[np.integer],
    corrections: AppliedCorrections,
    same_pages: Iterable[tuple[int, int]] = (),
) -> Groups:
    """Return the works of all members, given the works that matching has found.

    `same_pages` are further pairs that are one work.
    """
    corrections.locate(members)
    found = np.array(matched, np.int64)
    unmatched = np.flatnonzero(np.frombuffer(bytes(members.unmatched), np.uint8))
    found[unmatched] = unmatched
    groups = Groups(found)
    groups.merge(_equal_documents(members))
    groups.merge(same_pages)
    for kind, one, two in corrections.pairs():
        if kind == "same":
            groups.merge([(one, two)])
            continue
        first = one
        if one == two:  # the document that gives the work its id: the rest gets another id
            first = next((n for n in groups.members(one).tolist() if n != two), one)
        if first != two and groups.of[first] == groups.of[two]:
            groups.split(first, _nearer_to_second(members, groups.members(first), first, two))
    return groups


def corrected_batches(
    members: Members, batches: Iterable[ReferenceBatch], corrections: AppliedCorrections
) -> Iterator[ReferenceBatch]:
    """Yield batches of members after corrections were applied to them."""
    start = 0
    for batch in batches:
        numbers = range(start, start + len(batch))
        changed = corrections.apply(members, numbers)
        yield (
            matching_batch(members.packed[start : numbers.stop], batch.sources.tolist())
            if changed
            else batch
        )
        start = numbers.stop


def _equal_documents(members: Members) -> Iterator[tuple[int, int]]:
    """Yield pairs of documents with the same content."""
    keys, kinds = members.content_keys.array, members.kinds
    order = np.argsort(keys, kind="stable")
    same = np.flatnonzero(keys[order[1:]] == keys[order[:-1]]) + 1
    first: dict[str, int] = {}  # of the present key, by kind
    last = -1
    for place in same.tolist():
        if place != last + 1:
            first = {kinds[order[place - 1]]: int(order[place - 1])}
        k, last = int(order[place]), place
        if (other := first.setdefault(kinds[k], k)) != k:
            yield members.starts[other], members.starts[k]


def _nearer_to_second(members: Members, some: Numbers, one: int, two: int) -> NDArray[np.bool_]:
    """Return which of some members are more similar to the second than to the first."""
    numbers = [one, two, *some.tolist()]
    vectors = compute_vectors([normalise(matched_fields(members.packed[n])) for n in numbers])
    others = np.arange(2, len(vectors))
    first, second = (
        score_pairs(vectors, np.full(len(others), n), others, separate_versions=True)
        for n in (0, 1)
    )
    nearer = np.asarray(second > first)
    nearer[some == one], nearer[some == two] = False, True
    return nearer
