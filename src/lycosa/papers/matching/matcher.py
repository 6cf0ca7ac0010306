"""References and papers grouped into works (McCallum et al. 1999).

1. Every reference is brought into its normal form; equal forms are one.
2. Forms that share a key are compared (`blocks`), a bounded number each.
3. Pairs with a positive score (`similarity`) link forms into components.
4. Within a component more pairs are compared, and positive and negative scores
   decide together which forms are one work (`contraction`).

A component is settled anew whenever a form joins it, so what was decided early
on too little evidence does not stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.blocking import BlockingIndex, unpack_pairs
from lycosa.papers.matching.components import ConnectedComponents
from lycosa.papers.matching.correlation_clustering import cluster_greedily
from lycosa.papers.matching.feature_vectors import FeatureVectors
from lycosa.papers.matching.similarity import score_pairs

BATCH_REFERENCES = 20_000  # references at a time: some hundred megabytes of pairs
_WITNESSES = 32  # of a component, that each of its forms is compared with
_FINE = 16  # a score of one is so many whole units
_SURE = 8.0  # no pair is more certain than that

Numbers = NDArray[np.int64]


class ReferenceMatcher:
    """Portions of references so far, and the works they are of.

    References are numbered as they come. A work is known by the number of its
    first reference. Works may join and part as more references arrive.

    A paper in all its versions, report, meeting and journal, is one work; with
    `separate_versions` every version is a work of its own.

    In which portions references are added makes no difference at all. In which
    order makes none either as long as no key is shared by more than
    `blocking.MAX_COMPARED_PER_BLOCK` forms; beyond that, the first of them stand for the others.

    >>> matcher = ReferenceMatcher()
    >>> first = [{"title": "On spiders"}, {"title": "On flies"}]
    >>> matcher.match([ReferenceBatch.from_references(first)])
    >>> matcher.match([ReferenceBatch.from_references([{"title": "on spiders."}])])
    >>> matcher.works().tolist()
    [0, 1, 0]
    """

    def __init__(self, *, separate_versions: bool = False) -> None:
        self._separate_versions = separate_versions
        self._count = 0
        self._forms: dict[bytes, int] = {}
        self._digests = np.empty(0, "S16")
        self._sketches = FeatureVectors.empty()
        self._blocks = BlockingIndex()
        self._components = ConnectedComponents()
        self._form_of = np.empty(0, np.int32)
        self._first = np.empty(0, np.int32)  # the first reference of each form
        self._work = np.empty(0, np.int32)  # of each form: the first form of its work

    def __len__(self) -> int:
        """How many references there are."""
        return self._count

    def match(self, portions: Iterable[ReferenceBatch]) -> None:
        """Add references."""
        start = len(self._forms)
        for portion in portions:
            self._take(portion)
            if len(self._forms) - start >= BATCH_REFERENCES:
                self._link(start)
                start = len(self._forms)
        self._link(start)
        self._settle()

    def works(self) -> NDArray[np.int32]:
        """For each reference the number of its work."""
        return self._works_of(self._form_of[: len(self)])

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, without that of the dictionary of forms."""
        return self._sketches.nbytes + self._blocks.nbytes + self._digests.nbytes

    def _works_of(self, forms: NDArray[np.int32]) -> NDArray[np.int32]:
        return self._first[self._work[forms]]

    def _take(self, portion: ReferenceBatch) -> None:
        """Find the numbers of the forms of some references."""
        start, old, forms = len(self._forms), self._count, self._forms
        numbers = np.array([forms.setdefault(d, len(forms)) for d in portion.digests], np.int32)
        self._count += len(portion)
        self._make_room(len(forms), self._count)
        self._form_of[old : self._count] = numbers[portion.forms]
        new = numbers >= start
        _, firsts = np.unique(portion.forms, return_index=True)
        self._first[numbers[new]] = old + firsts[new]
        self._digests[numbers[new]] = list(compress(portion.digests, new))
        self._work[numbers[new]] = numbers[new]
        self._sketches.put(start, portion.sketches, new)

    def _link(self, start: int) -> None:
        """Find what the forms from a number on are like."""
        count = len(self._forms)
        if count == start:
            return
        newer, older = self._blocks.add(start, self._sketches.keys[start:count])
        linked = self._scores(newer, older) > 0
        self._components.join(count, newer[linked], older[linked])

    def _make_room(self, forms: int, references: int) -> None:
        if forms > len(self._work):
            room = forms + forms // 2
            self._sketches = self._sketches.grown(room)
            for name in ("_digests", "_first", "_work"):
                setattr(self, name, _grown(getattr(self, name), room))
        if references > len(self._form_of):
            self._form_of = _grown(self._form_of, references + references // 2)

    def _settle(self) -> None:
        """Decide anew about the components that have changed."""
        few: list[Numbers] = []
        waiting = 0
        for forms in self._components.changed():
            few.append(forms)
            waiting += len(forms)
            if waiting >= BATCH_REFERENCES:
                self._decide(few)
                few, waiting = [], 0
        if few:
            self._decide(few)

    def _decide(self, components: Sequence[Numbers]) -> None:
        """Part some components into works, and the parts again while that parts them further.

        In a large component many pairs were not compared, so its parts may hold
        what nothing but a chain of links brought together. A part has witnesses of
        its own, which find that out.
        """
        while components:
            components = self._part(components)

    def _part(self, components: Sequence[Numbers]) -> list[Numbers]:
        """Part some components, many at once for speed: which parts to look at again."""
        again: list[Numbers] = []
        every = np.concatenate(components)
        owner = np.repeat(np.arange(len(components)), [len(forms) for forms in components])
        i, j = self._pairs(components, every, owner)
        weights = np.rint(np.clip(self._scores(i, j), -_SURE, _SURE) * _FINE).astype(np.int64)
        place = np.empty(len(self._forms), np.int64)  # where a form stands in `every`
        place[every] = np.arange(len(every))
        which = owner[place[i]]
        order = np.argsort(which, kind="stable")
        bounds = np.searchsorted(which[order], np.arange(len(components) + 1))
        torn = np.zeros(len(components), bool)
        torn[which[weights < 0]] = True
        for k, forms in enumerate(components):
            if not torn[k]:
                self._work[forms] = forms.min()
                continue
            mine = order[bounds[k] : bounds[k + 1]]
            ranked = forms[np.argsort(self._digests[forms], kind="stable")]
            place[ranked] = np.arange(len(ranked))
            triples = np.stack((place[i[mine]], place[j[mine]], weights[mine]), axis=1)
            clusters = np.array(cluster_greedily(len(ranked), triples.tolist()))
            least = np.full(len(ranked), len(self._forms))
            np.minimum.at(least, clusters, ranked)
            self._work[ranked] = least[clusters]
            if len(ranked) > _WITNESSES and clusters.any():
                order_of = np.argsort(clusters, kind="stable")
                starts = np.flatnonzero(np.diff(clusters[order_of]))
                parts = np.split(ranked[order_of], starts + 1)
                again += [np.sort(part) for part in parts if len(part) > 2]
        return again

    def _pairs(
        self, components: Sequence[Numbers], every: Numbers, owner: Numbers
    ) -> tuple[Numbers, Numbers]:
        """Pairs within each component: those that share a key, and all with some witnesses.

        Witnesses are the forms with the least digests: a sample that does not
        depend on the order of arrival.
        """
        newer, older = self._blocks.among(every, self._sketches.keys[every])
        label = np.full(len(self._forms), -1, np.int64)
        label[every] = owner
        inside = label[newer] == label[older]
        both = [np.stack((newer[inside], older[inside]))]
        for forms in components:
            chosen = forms[np.argsort(self._digests[forms], kind="stable")[:_WITNESSES]]
            both.append(np.stack((np.tile(forms, len(chosen)), np.repeat(chosen, len(forms)))))
        pairs = np.concatenate(both, axis=1)
        low, high = pairs.min(axis=0), pairs.max(axis=0)
        return unpack_pairs((low << 32 | high)[low < high])

    def _scores(self, i: Numbers, j: Numbers) -> NDArray[np.float32]:
        return score_pairs(self._sketches, i, j, separate_versions=self._separate_versions)


def _grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    more = np.zeros(size, array.dtype)
    more[: len(array)] = array
    return more
