"""Matched forms: the state of a matching, as arrays that can be kept in files.

`ReferenceMatcher` makes it of all references; `matching_update` brings it up to date when some
are added or removed. Forms are numbered in the order of their first references.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.block_table import BlockTable
from lycosa.papers.matching.digest_index import find_digests
from lycosa.papers.matching.feature_vectors import FeatureVectors
from lycosa.papers.matching.matcher import ReferenceMatcher

VERSION = 1
"""Of what a matching depends on beside the references: features, keys, weights, clustering.

Raise it whenever one of them changes: arrays that were kept by another version are of no use.
"""

VECTOR_COLUMNS = tuple(field.name for field in fields(FeatureVectors))

Columns = Iterator[tuple[str, NDArray[Any] | list[NDArray[Any]]]]
"""Names of columns, and their arrays, some of them in pieces."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchedForms:
    """Normal forms with their works.

    Parameters
    ----------
    digests
        The digest of each form.
    vectors
        The feature vector of each form.
    component
        The first form of the connected component of each form.
    work
        The first form of the work of each form.
    blocks
        All forms by their blocking keys.

    >>> from lycosa.papers.matching.batches import ReferenceBatch
    >>> some = [{"title": title} for title in ("On spiders", "On flies", "on spiders.")]
    >>> matcher = ReferenceMatcher()
    >>> matcher.match([ReferenceBatch.from_references(some)])
    >>> MatchedForms.of(matcher).work.tolist()
    [0, 1]
    """

    digests: NDArray[np.bytes_]
    vectors: FeatureVectors
    component: NDArray[np.int32]
    work: NDArray[np.int32]
    blocks: BlockTable

    def __len__(self) -> int:
        return len(self.digests)

    @classmethod
    def empty(cls) -> MatchedForms:
        """Return the state of a matching without references."""
        none = np.empty(0, np.int32)
        return cls(np.empty(0, "S16"), FeatureVectors.empty(), none, none, BlockTable.empty())

    @classmethod
    def of(cls, matcher: ReferenceMatcher) -> MatchedForms:
        """Return the state of a matcher; it shares the arrays of the matcher."""
        return cls(
            matcher.digests,
            matcher.forms,
            matcher.components(),
            matcher.works_of_forms(),
            BlockTable.of_keys(matcher.forms.keys, matcher.scratch),
        )

    @classmethod
    def from_columns(cls, columns: Mapping[str, NDArray[Any]]) -> MatchedForms:
        """Return a state from its columns."""
        return cls(
            columns["digests"],
            FeatureVectors(*(columns[name] for name in VECTOR_COLUMNS)),
            columns["component"],
            columns["form_work"],
            BlockTable(columns["block_keys"], columns["block_forms"]),
        )

    def find(self, digests: Sequence[bytes]) -> list[int]:
        """Return the forms that have some digests, -1 for none."""
        found: list[int] = find_digests(np.array(digests, "S16"), self.digests).tolist()
        return found

    def columns(self) -> Columns:
        """Yield the name and the array of each column."""
        yield "digests", self.digests
        for name in VECTOR_COLUMNS:
            yield name, getattr(self.vectors, name)
        yield "component", self.component
        yield "form_work", self.work
        yield "block_keys", self.blocks.keys
        yield "block_forms", self.blocks.forms
