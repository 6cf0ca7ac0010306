"""Clustering of connected components of normal forms into works.

Within a component more pairs are compared than those that linked it, titles that recur weigh
less (`recurring_titles`), and `correlation_clustering` divides the component by positive and
negative scores. Entries of one list of references, and forms with different identifiers, are
not joined (`constraints`).

The works of a component are a function of its forms, of their lists, and of which of them
come first in their blocks; they do not depend on other components.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.blocking import BlockingIndex, unpack_pairs
from lycosa.papers.matching.constraints import Constraints
from lycosa.papers.matching.correlation_clustering import CERTAIN, cluster_greedily
from lycosa.papers.matching.feature_vectors import FeatureVectors
from lycosa.papers.matching.recurring_titles import Recurrence, measure_recurrence
from lycosa.papers.matching.similarity import CERTAIN_SCORE, are_copies, score_pairs
from lycosa.papers.matching.source_lists import SourceLists

BATCH_FORMS = 20_000
"""The number of forms that are clustered at once: some hundred megabytes of pairs."""

_WITNESSES = 32  # forms of a component with which each of its forms is compared
_SCORE_UNITS = 16  # integer units of a score of 1
_MAX_SCORE = 8.0  # scores are clipped, so that no single pair dominates

Numbers = NDArray[np.int64]


class ComponentClustering:
    """Forms with what decides about their works, and the work of each.

    Parameters
    ----------
    separate_versions
        Whether report, meeting and journal version of a paper are different works, as
        people cite them.
    """

    def __init__(self, *, separate_versions: bool = True) -> None:
        self._separate_versions = separate_versions
        self._digests = np.empty(0, "S16")
        self._vectors = FeatureVectors.empty()
        self._blocks = BlockingIndex()
        self._sources = SourceLists()
        self._work = np.empty(0, np.int32)  # of each form: the first form of its work
        self._recurrence = Recurrence.none()

    @classmethod
    def of(
        cls,
        vectors: FeatureVectors,
        digests: NDArray[np.bytes_],
        blocks: BlockingIndex,
        sources: SourceLists,
        *,
        separate_versions: bool,
    ) -> Self:
        """Return some forms, each of which is a work until their components are clustered."""
        found = cls(separate_versions=separate_versions)
        found._vectors, found._digests = vectors, digests
        found._blocks, found._sources = blocks, sources
        found._work = np.arange(len(digests), dtype=np.int32)
        found._recurrence = Recurrence.none(len(digests))
        return found

    @property
    def recurrence(self) -> Recurrence:
        """What the titles of forms lose, as measured within their components."""
        return self._recurrence

    def works_of_forms(self) -> NDArray[np.int32]:
        """Return the work of each form: the number of its first form."""
        return self._work

    def cluster(self, components: Iterable[Numbers]) -> None:
        """Divide components into works, many at once."""
        pending: list[Numbers] = []
        pending_forms = 0
        for forms in components:
            pending.append(forms)
            pending_forms += len(forms)
            if pending_forms >= BATCH_FORMS:
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
        by_form = np.argsort(every, kind="stable")
        which = owner[by_form[np.searchsorted(every[by_form], i)]]
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
            rank = np.argsort(ranked, kind="stable")
            ends = (rank[np.searchsorted(ranked[rank], x[pairs])] for x in (i, j))
            triples = np.stack((*ends, weights[pairs]), axis=1)
            constraints = None
            if constrained[k]:
                constraints = self._constraints(ranked, triples)
            clusters = np.array(cluster_greedily(len(ranked), triples.tolist(), constraints))
            least = np.full(len(ranked), len(self._work))
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
        by_form = np.argsort(every, kind="stable")
        ordered, label = every[by_form], owner[by_form]
        inside = label[np.searchsorted(ordered, newer)] == label[np.searchsorted(ordered, older)]
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
