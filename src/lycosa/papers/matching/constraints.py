"""Constraints of clustering: cannot-links between clusters (Wagstaff & Cardie 2000).

Two entries of one list of references are two works, because nobody cites a work twice in a
list; and references with different DOIs, or different preprint ids, are two works. The
pairs are not enumerated, since a list of n entries has n² of them: each cluster keeps the
set of its lists and of its identifiers, and the smaller set is merged into the larger.

>>> rules = Constraints([{7}, {7, 8}, set()], [[{1}, set(), {2}]])
>>> rules.allow(0, 1), rules.allow(0, 2), rules.allow(1, 2)
(False, False, True)
>>> rules.join(2, 1)
>>> rules.allow(2, 0)
False
"""

from __future__ import annotations

from collections.abc import Sequence

Labels = list[set[int]]


class Constraints:
    """What must not be in one cluster.

    Parameters
    ----------
    lists
        The lists of references that each node stands in; clusters that share a list stay apart.
    identifiers
        For each kind of identifier those of each node; clusters that both have some but share
        none stay apart.
    """

    def __init__(self, lists: Labels, identifiers: Sequence[Labels] = ()) -> None:
        self._lists = lists
        self._identifiers = identifiers

    def allow(self, i: int, j: int) -> bool:
        """Return whether the clusters `i` and `j` may be one."""
        if not self._lists[i].isdisjoint(self._lists[j]):
            return False
        return all(
            not kind[i] or not kind[j] or not kind[i].isdisjoint(kind[j])
            for kind in self._identifiers
        )

    def join(self, kept: int, gone: int) -> None:
        """Give the cluster `kept` what holds for `gone`."""
        for labels in (self._lists, *self._identifiers):
            small, large = sorted((labels[kept], labels[gone]), key=len)
            large |= small
            labels[kept] = large
