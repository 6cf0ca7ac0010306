"""Matcher of references and papers into works (McCallum et al. 1999).

1. Every reference is converted to its normal form; equal forms are stored once.
2. Forms that share a blocking key are compared (`blocking`), a bounded number each.
3. Pairs with a positive score (`similarity`) link forms into connected components.
4. Within a component more pairs are compared, titles that recur weigh less
   (`recurring_titles`), and `correlation_clustering` divides the component into works by
   positive and negative scores. Entries of one list of references, and forms with
   different identifiers, are not joined (`constraints`).

A component is clustered again whenever a form joins it, so that early decisions on little
evidence are revised.
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
from lycosa.papers.matching.constraints import Constraints
from lycosa.papers.matching.correlation_clustering import CERTAIN, cluster_greedily
from lycosa.papers.matching.feature_vectors import FeatureVectors
from lycosa.papers.matching.recurring_titles import Recurrence, measure_recurrence
from lycosa.papers.matching.similarity import CERTAIN_SCORE, are_copies, score_pairs
from lycosa.papers.matching.source_lists import SourceLists

BATCH_REFERENCES = 20_000
"""The number of references that are linked at once: some hundred megabytes of pairs."""

_WITNESSES = 32  # forms of a component with which each of its forms is compared
_SCORE_UNITS = 16  # integer units of a score of 1
_MAX_SCORE = 8.0  # scores are clipped, so that no single pair dominates

Numbers = NDArray[np.int64]


class ReferenceMatcher:
    """Groups references into works.

    References are numbered as they are added. A work has the number of its first
    reference. Works can merge and split as more references are added.

    The result does not depend on the batches in which references are added. It does not
    depend on their order either, as long as no blocking key is shared by more than
    `blocking.MAX_COMPARED_PER_BLOCK` forms; beyond that, the first of them represent the
    others.

    Parameters
    ----------
    separate_versions
        Whether report, meeting and journal version of a paper are different works, as
        people cite them.

    >>> matcher = ReferenceMatcher()
    >>> first = [{"title": "On spiders"}, {"title": "On flies"}]
    >>> matcher.match([ReferenceBatch.from_references(first)])
    >>> matcher.match([ReferenceBatch.from_references([{"title": "on spiders."}])])
    >>> matcher.works().tolist()
    [0, 1, 0]
    """

    def __init__(self, *, separate_versions: bool = True) -> None:
        self._separate_versions = separate_versions
        self._count = 0
        self._forms: dict[bytes, int] = {}
        self._digests = np.empty(0, "S16")
        self._vectors = FeatureVectors.empty()
        self._blocks = BlockingIndex()
        self._components = ConnectedComponents()
        self._form_of = np.empty(0, np.int32)
        self._first = np.empty(0, np.int32)  # the first reference of each form
        self._work = np.empty(0, np.int32)  # of each form: the first form of its work
        self._sources = SourceLists()
        self._recurrence = Recurrence.none()

    def __len__(self) -> int:
        """Return the number of references."""
        return self._count

    def match(self, batches: Iterable[ReferenceBatch]) -> None:
        """Add batches of references and update the works."""
        start = len(self._forms)
        for batch in batches:
            self._store(batch)
            if len(self._forms) - start >= BATCH_REFERENCES:
                self._link(start)
                start = len(self._forms)
        self._link(start)
        self._cluster_changed()

    def works(self) -> NDArray[np.int32]:
        """Return the number of the work of each reference."""
        return self._works_of(self._form_of[: len(self)])

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes, without the dictionary of forms."""
        arrays = (self._vectors, self._blocks, self._digests, self._sources, *self._recurrence)
        return sum(each.nbytes for each in arrays)

    def _works_of(self, forms: NDArray[np.int32]) -> NDArray[np.int32]:
        return self._first[self._work[forms]]

    def _store(self, batch: ReferenceBatch) -> None:
        """Number the normal forms of a batch and store the new ones."""
        start, old, forms = len(self._forms), self._count, self._forms
        numbers = np.array([forms.setdefault(d, len(forms)) for d in batch.digests], np.int32)
        self._count += len(batch)
        self._reserve(len(forms), self._count)
        self._form_of[old : self._count] = numbers[batch.forms]
        listed = batch.sources >= 0
        self._sources.add(self._form_of[old : self._count][listed], batch.sources[listed])
        # A form that stands in another list may no longer be in the work that it was in.
        self._components.touch(np.unique(self._form_of[old : self._count][listed]))
        new = numbers >= start
        _, firsts = np.unique(batch.forms, return_index=True)
        self._first[numbers[new]] = old + firsts[new]
        self._digests[numbers[new]] = list(compress(batch.digests, new))
        self._work[numbers[new]] = numbers[new]
        self._vectors.put(start, batch.vectors, new)

    def _link(self, start: int) -> None:
        """Link the forms from number `start` on with all forms that match them."""
        count = len(self._forms)
        if count == start:
            return
        newer, older = self._blocks.add(start, self._vectors.keys[start:count])
        # Without recurrence: what a title is worth depends on the component that is made here.
        separate = self._separate_versions
        linked = score_pairs(self._vectors, newer, older, separate_versions=separate) > 0
        self._components.join(count, newer[linked], older[linked])

    def _reserve(self, forms: int, references: int) -> None:
        if forms > len(self._work):
            room = forms + forms // 2
            self._vectors = self._vectors.resized(room)
            for name in ("_digests", "_first", "_work"):
                setattr(self, name, _resized(getattr(self, name), room))
            self._recurrence = Recurrence(*(_resized(each, room) for each in self._recurrence))
        if references > len(self._form_of):
            self._form_of = _resized(self._form_of, references + references // 2)

    def _cluster_changed(self) -> None:
        """Cluster the components that have changed."""
        pending: list[Numbers] = []
        pending_forms = 0
        for forms in self._components.pop_changed():
            pending.append(forms)
            pending_forms += len(forms)
            if pending_forms >= BATCH_REFERENCES:
                self._cluster(pending)
                pending, pending_forms = [], 0
        if pending:
            self._cluster(pending)

    def _cluster(self, components: Sequence[Numbers]) -> None:
        """Divide components into works, and the parts again until none is divided further.

        In a large component many pairs are not compared, so a part can hold forms that only
        a chain of links connects. Each part gets new witnesses, which detect that.
        """
        every = np.concatenate(components)
        measured = measure_recurrence(self._vectors, every, _owners(components))
        for kept, found in zip(self._recurrence, measured, strict=True):
            kept[every] = found
        while components:
            components = self._divide(components)

    def _divide(self, components: Sequence[Numbers]) -> list[Numbers]:
        """Divide many components at once, for speed; return the parts to divide again."""
        again: list[Numbers] = []
        every, owner = np.concatenate(components), _owners(components)
        i, j = self._pairs(components, every, owner)
        scores = self._scores(i, j)
        weights = np.rint(np.clip(scores, -_MAX_SCORE, _MAX_SCORE) * _SCORE_UNITS).astype(np.int64)
        weights[scores >= CERTAIN_SCORE] = CERTAIN
        place = np.empty(len(self._forms), np.int64)  # the position of a form in `every`
        place[every] = np.arange(len(every))
        which = owner[place[i]]
        order = np.argsort(which, kind="stable")
        bounds = np.searchsorted(which[order], np.arange(len(components) + 1))
        constrained = self._constrained(every, owner)
        contradicted = constrained.copy()
        contradicted[which[weights < 0]] = True
        for k, forms in enumerate(components):
            if not contradicted[k]:
                self._work[forms] = forms.min()
                continue
            pairs = order[bounds[k] : bounds[k + 1]]
            ranked = forms[np.argsort(self._digests[forms], kind="stable")]
            place[ranked] = np.arange(len(ranked))
            triples = np.stack((place[i[pairs]], place[j[pairs]], weights[pairs]), axis=1)
            constraints = None
            if constrained[k]:
                constraints = self._constraints(ranked, triples)
            clusters = np.array(cluster_greedily(len(ranked), triples.tolist(), constraints))
            least = np.full(len(ranked), len(self._forms))
            np.minimum.at(least, clusters, ranked)
            self._work[ranked] = least[clusters]
            if len(ranked) > _WITNESSES and clusters.any():
                order_of = np.argsort(clusters, kind="stable")
                starts = np.flatnonzero(np.diff(clusters[order_of]))
                parts = np.split(ranked[order_of], starts + 1)
                again += [np.sort(part) for part in parts if len(part) > 2]
        return again

    def _constrained(self, every: Numbers, owner: Numbers) -> NDArray[np.bool_]:
        """Return which components have two entries of one list, or two identifiers of a kind."""
        found = np.zeros(owner.max(initial=-1) + 1, bool)
        places, sources = self._sources.find(every)
        which = owner[places]
        order = np.lexsort((sources, which))
        which, sources = which[order], sources[order]
        found[which[1:][(which[1:] == which[:-1]) & (sources[1:] == sources[:-1])]] = True
        for column in (self._vectors.doi[every], self._vectors.preprint[every]):
            known = np.flatnonzero(column)
            known = known[np.lexsort((column[known], owner[known]))]
            which, values = owner[known], column[known]
            found[which[1:][(which[1:] == which[:-1]) & (values[1:] != values[:-1])]] = True
        return found

    def _constraints(self, forms: Numbers, triples: Numbers) -> Constraints:
        """Return the constraints of forms, and change the weights of some of their pairs.

        Copies within one list become certain pairs. A form without an identifier joins
        the more frequent one rather than a mistyped one, if it fits both.
        """
        lists: list[set[int]] = [set() for _ in forms]
        places, sources = self._sources.find(forms)
        for place, source in zip(places.tolist(), sources.tolist(), strict=True):
            lists[place].add(source)
        one, two = triples[:, 0], triples[:, 1]
        copies = np.flatnonzero(are_copies(self._vectors, forms[one], forms[two]))
        for pair, a, b in zip(
            copies.tolist(), one[copies].tolist(), two[copies].tolist(), strict=True
        ):
            if not lists[a].isdisjoint(lists[b]):
                triples[pair, 2] = CERTAIN
        columns = (self._vectors.doi[forms], self._vectors.preprint[forms])
        for column in columns:
            _prefer_frequent(column, triples)
        identifiers = [[{n} if n else set() for n in column.tolist()] for column in columns]
        return Constraints(lists, identifiers)

    def _pairs(
        self, components: Sequence[Numbers], every: Numbers, owner: Numbers
    ) -> tuple[Numbers, Numbers]:
        """Return pairs within each component: those that share a key, and all with a witness.

        Witnesses are the forms with the least digests: a sample that does not depend on
        the order in which forms were added.
        """
        newer, older = self._blocks.pairs_among(every, self._vectors.keys[every])
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
        return score_pairs(
            self._vectors,
            i,
            j,
            separate_versions=self._separate_versions,
            recurrence=self._recurrence,
        )


def _prefer_frequent(identifiers: NDArray[np.uint32], triples: Numbers) -> None:
    """Scale the weights between forms without an identifier and forms with a rare one.

    The sign of a weight stays, so the scale changes only what is joined first.
    """
    values, numbers, counts = np.unique(identifiers, return_inverse=True, return_counts=True)
    counts[values == 0] = 0
    share = counts / max(counts.max(), 1)
    one, two, weight = triples.T
    undecided = ((identifiers[one] == 0) != (identifiers[two] == 0)) & (weight != 0)
    undecided &= weight < CERTAIN
    with_one = np.where(identifiers[one] > 0, one, two)[undecided]
    scaled = np.rint(np.abs(weight[undecided]) * share[numbers[with_one]]).astype(np.int64)
    triples[undecided, 2] = np.sign(weight[undecided]) * np.maximum(scaled, 1)


def _owners(components: Sequence[Numbers]) -> Numbers:
    """Return the number of the component of each form, in the order of all forms."""
    return np.repeat(np.arange(len(components)), [len(forms) for forms in components])


def _resized(array: NDArray[Any], size: int) -> NDArray[Any]:
    more = np.zeros(size, array.dtype)
    more[: len(array)] = array
    return more
