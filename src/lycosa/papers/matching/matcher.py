"""Matcher of references and papers into works (McCallum et al. 1999).

1. Every reference is converted to its normal form; equal forms are stored once.
2. Forms that share a blocking key are compared (`blocking`), a bounded number each.
3. Pairs with a positive score (`similarity`) link forms into connected components.
4. `component_clustering` divides each component into works.

A component is clustered again whenever a form joins it, so that early decisions on little
evidence are revised.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.component_clustering import ComponentClustering
from lycosa.papers.matching.components import ConnectedComponents
from lycosa.papers.matching.feature_vectors import FeatureVectors
from lycosa.papers.matching.recurring_titles import Recurrence
from lycosa.papers.matching.similarity import score_pairs

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

    >>> matcher = ReferenceMatcher()
    >>> first = [{"title": "On spiders"}, {"title": "On flies"}]
    >>> matcher.match([ReferenceBatch.from_references(first)])
    >>> matcher.match([ReferenceBatch.from_references([{"title": "on spiders."}])])
    >>> matcher.works().tolist()
    [0, 1, 0]
    """

    def __init__(self, *, separate_versions: bool = True) -> None:
        super().__init__(separate_versions=separate_versions)
        self._count = 0
        self._forms: dict[bytes, int] = {}
        self._components = ConnectedComponents()
        self._form_of = np.empty(0, np.int32)
        self._first = np.empty(0, np.int32)  # the first reference of each form

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
        self.cluster(self._components.pop_changed())

    def works(self) -> NDArray[np.int32]:
        """Return the number of the work of each reference."""
        return self._works_of(self._form_of[: len(self)])

    @property
    def forms(self) -> FeatureVectors:
        """The feature vectors of all forms, by their numbers."""
        return self._vectors.head(len(self._forms))

    @property
    def digests(self) -> NDArray[np.bytes_]:
        """The digests of all forms."""
        return self._digests[: len(self._forms)]

    @property
    def form_of(self) -> NDArray[np.int32]:
        """The form of each reference."""
        return self._form_of[: len(self)]

    def components(self) -> NDArray[np.int32]:
        """Return the connected component of each form: the number of its first form."""
        return self._components.labels(len(self._forms))

    def works_of_forms(self) -> NDArray[np.int32]:
        """Return the work of each form: the number of its first form."""
        return self._work[: len(self._forms)]

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


def _resized(array: NDArray[Any], size: int) -> NDArray[Any]:
    more = np.zeros(size, array.dtype)
    more[: len(array)] = array
    return more
