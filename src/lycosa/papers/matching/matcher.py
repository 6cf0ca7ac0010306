"""Matcher of references and papers into works (McCallum et al. 1999).

1. Every reference is converted to its normal form; equal forms are stored once.
2. Forms that share a blocking key are compared (`blocking`), a bounded number each.
3. Pairs with a positive score (`similarity`) link forms into connected components.
4. `component_clustering` divides each component into works.

A component is clustered again whenever a form joins it, so that early decisions on little
evidence are revised.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.blocking import BlockingIndex, compact_pairs
from lycosa.papers.matching.component_clustering import ComponentClustering, Numbers
from lycosa.papers.matching.components import ConnectedComponents
from lycosa.papers.matching.digest_index import DigestIndex
from lycosa.papers.matching.feature_vectors import FeatureVectors
from lycosa.papers.matching.recurring_titles import Recurrence
from lycosa.papers.matching.similarity import score_pairs
from lycosa.papers.matching.source_lists import SourceLists
from lycosa.scratch import Scratch

BATCH_REFERENCES = 20_000
"""The number of references that are linked at once: some hundred megabytes of pairs."""


class ReferenceMatcher(ComponentClustering):
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
    scratch
        Makes the arrays, which may be larger than memory; by default they are in memory.

    >>> matcher = ReferenceMatcher()
    >>> first = [{"title": "On spiders"}, {"title": "On flies"}]
    >>> matcher.match([ReferenceBatch.from_references(first)])
    >>> matcher.match([ReferenceBatch.from_references([{"title": "on spiders."}])])
    >>> matcher.works().tolist()
    [0, 1, 0]
    """

    def __init__(self, *, separate_versions: bool = True, scratch: Scratch | None = None) -> None:
        super().__init__(separate_versions=separate_versions)
        self.scratch = scratch = scratch or Scratch()
        self._count = 0
        self._form_count = 0
        self._numbers = DigestIndex(scratch)
        self._components = ConnectedComponents(scratch)
        self._blocks = BlockingIndex(scratch)
        self._sources = SourceLists(scratch)
        self._form_of = np.empty(0, np.int32)
        self._first = np.empty(0, np.int32)  # the first reference of each form
        self._references = scratch.array(np.int32)
        self._form_columns = {
            name: scratch.array(getattr(self, name).dtype)
            for name in ("_digests", "_first", "_work")
        }
        self._recurrence_columns = [scratch.array(each.dtype) for each in self._recurrence]
        self._vector_columns = [
            scratch.array(column.dtype, *column.shape[1:]) for column in self._vectors.columns()
        ]

    def __len__(self) -> int:
        """Return the number of references."""
        return self._count

    def match(self, batches: Iterable[ReferenceBatch]) -> None:
        """Add batches of references and update the works."""
        start = self._form_count
        for batch in batches:
            self._store(batch)
            if self._form_count - start >= BATCH_REFERENCES:
                self._link(start)
                start = self._form_count
        self._link(start)
        self.cluster(self._components.pop_changed())

    def works(self) -> NDArray[np.int32]:
        """Return the number of the work of each reference."""
        return self._works_of(self._form_of[: len(self)])

    @property
    def forms(self) -> FeatureVectors:
        """The feature vectors of all forms, by their numbers."""
        return self._vectors.head(self._form_count)

    @property
    def digests(self) -> NDArray[np.bytes_]:
        """The digests of all forms."""
        return self._digests[: self._form_count]

    @property
    def form_of(self) -> NDArray[np.int32]:
        """The form of each reference."""
        return self._form_of[: len(self)]

    def components(self) -> NDArray[np.int32]:
        """Return the connected component of each form: the number of its first form."""
        return self._components.labels(self._form_count)

    def works_of_forms(self) -> NDArray[np.int32]:
        """Return the work of each form: the number of its first form."""
        return self._work[: self._form_count]

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes, without the index of digests."""
        arrays = (self._vectors, self._blocks, self._digests, self._sources, *self._recurrence)
        return sum(each.nbytes for each in arrays)

    def _works_of(self, forms: NDArray[np.int32]) -> NDArray[np.int32]:
        return self._first[self._work[forms]]

    def _store(self, batch: ReferenceBatch) -> None:
        """Number the normal forms of a batch and store the new ones."""
        start, old = self._form_count, self._count
        digests = np.array(batch.digests, "S16")
        numbers = self._numbers.find(digests, self._digests)
        new = numbers < 0
        numbers[new] = np.arange(start, start + new.sum())
        self._form_count += int(new.sum())
        self._count += len(batch)
        self._reserve(self._form_count, self._count)
        self._numbers.add(start, digests[new])
        self._form_of[old : self._count] = numbers[batch.forms]
        listed = batch.sources >= 0
        self._sources.add(self._form_of[old : self._count][listed], batch.sources[listed])
        # A form that stands in another list may no longer be in the work that it was in.
        self._components.touch(np.unique(self._form_of[old : self._count][listed]))
        _, firsts = np.unique(batch.forms, return_index=True)
        self._first[numbers[new]] = old + firsts[new]
        self._digests[numbers[new]] = digests[new]
        self._work[numbers[new]] = numbers[new]
        self._vectors.put(start, batch.vectors, new)

    def _link(self, start: int) -> None:
        """Link the forms from number `start` on with all forms that match them."""
        count = self._form_count
        if count == start:
            return
        newer, older = self._blocks.add(start, self._vectors.keys[start:count])
        used, i, j = compact_pairs(newer, older)
        # Without recurrence: what a title is worth depends on the component that is made here.
        scores = score_pairs(self._gather(used), i, j, separate_versions=self._separate_versions)
        self._components.join(count, newer[scores > 0], older[scores > 0])

    def _cluster(self, components: Sequence[Numbers]) -> None:
        """Cluster components in a copy of their forms, which is in memory."""
        every = np.sort(np.concatenate(components))
        vectors = self._gather(every)
        keys, forms = self._blocks.first_of(np.unique(vectors.keys[vectors.keys > 0]))
        places = np.minimum(np.searchsorted(every, forms), len(every) - 1)
        inside = every[places] == forms
        lists = SourceLists()
        lists.add(*self._sources.find(every))
        clustering = ComponentClustering.of(
            vectors,
            self._digests[every],
            BlockingIndex.of_first(keys[inside], places[inside]),
            lists,
            separate_versions=self._separate_versions,
        )
        clustering.cluster(np.searchsorted(every, forms) for forms in components)
        self._work[every] = every[clustering.works_of_forms()]
        for kept, found in zip(self._recurrence, clustering.recurrence, strict=True):
            kept[every] = found
        self.scratch.release()

    def _gather(self, forms: Numbers) -> FeatureVectors:
        """Return a copy of the vectors of some forms."""
        take = self.scratch.take
        return FeatureVectors(*(take(column, forms) for column in self._vectors.columns()))

    def _reserve(self, forms: int, references: int) -> None:
        if forms > len(self._work):
            for name, column in self._form_columns.items():
                setattr(self, name, column.reserve(forms))
            self._vectors = FeatureVectors(*(each.reserve(forms) for each in self._vector_columns))
            self._recurrence = Recurrence(
                *(each.reserve(forms) for each in self._recurrence_columns)
            )
        self._form_of = self._references.reserve(references)
