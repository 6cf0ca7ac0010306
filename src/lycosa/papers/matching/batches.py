"""Batches of references prepared for matching.

A batch depends on its references only, so other processes can prepare it, and it is
small to send. Equal normal forms are stored once.

>>> references = [{"title": "Weak learners"}, {"title": "Flies"}, {"title": "weak learners."}]
>>> batch = ReferenceBatch.from_references(references)
>>> batch.forms.tolist(), len(batch.digests)
([0, 1, 0], 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import xxhash
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.errors import UsageError
from lycosa.papers.matching.feature_vectors import FeatureVectors, compute_vectors
from lycosa.papers.matching.normal_form import NormalForm, normalise


class ReferenceBatch(NamedTuple):
    """References as normal forms, numbered in the order of their first reference."""

    forms: Ints
    """The number of the normal form of each reference."""
    digests: list[bytes]
    """The digest of each normal form."""
    vectors: FeatureVectors
    """The feature vector of each normal form."""
    sources: NDArray[np.int64]
    """The list that each reference stands in, a number of at least 0; -1 for none."""

    @classmethod
    def from_references(
        cls, references: Iterable[Mapping[str, str]], sources: Sequence[int] | None = None
    ) -> ReferenceBatch:
        """Compute the normal forms of references.

        `sources` has the number of the list that each stands in, or -1; by default none
        stands in a list.
        """
        known: dict[bytes, int] = {}
        forms: list[NormalForm] = []
        numbers = []
        for reference in references:
            form = normalise(reference)
            number = known.setdefault(_digest(form), len(forms))
            if number == len(forms):
                forms.append(form)
            numbers.append(number)
        listed = np.full(len(numbers), -1) if sources is None else np.array(sources, np.int64)
        if len(listed) != len(numbers):
            raise UsageError(
                f"Give a source for each of the {len(numbers)} references, -1 for none; "
                f"there are {len(listed)}."
            )
        return cls(np.array(numbers, np.int32), list(known), compute_vectors(forms), listed)

    def __len__(self) -> int:
        """Return the number of references."""
        return len(self.forms)


def _digest(form: NormalForm) -> bytes:
    # Digests decide the order of forms within a component, so the hashed text must not change:
    # it has the class names of the version for which the matching was measured.
    authors = ", ".join([f"Name(family={a.family!r}, initial={a.initial!r})" for a in form.names])
    authors = f"({authors},)" if len(form.names) == 1 else f"({authors})"
    fields = (
        f"title={form.title!r}, parts={form.parts!r}, names={authors}, year={form.year!r}, "
        f"first_page={form.first_page!r}, last_page={form.last_page!r}, volume={form.volume!r}, "
        f"venue={form.venue!r}, kind={form.kind!r}, waiting={form.waiting!r}"
    )
    if form.doi or form.preprint:
        fields += f", doi={form.doi!r}, preprint={form.preprint!r}"
    # A digest may not end in a zero byte: numpy's strings drop it.
    return xxhash.xxh3_128_digest(f"Form({fields})".encode("utf-8", "replace"))[:15] + b"\1"
