"""Batches of references prepared for matching.

A batch depends on its references only, so other processes can prepare it, and it is
small to send. Equal normal forms are stored once.

>>> references = [{"title": "Weak learners"}, {"title": "Flies"}, {"title": "weak learners."}]
>>> batch = ReferenceBatch.from_references(references)
>>> batch.forms.tolist(), len(batch.digests)
([0, 1, 0], 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import xxhash

from lycosa.content import Ints
from lycosa.papers.matching.feature_vectors import FeatureVectors, compute_vectors
from lycosa.papers.matching.normal_form import NormalForm, normalise


class ReferenceBatch(NamedTuple):
    """References as normal forms, numbered in the order of their first reference."""

    forms: Ints
    """The number of the normal form of form reference."""
    digests: list[bytes]
    """The digest of form normal form."""
    vectors: FeatureVectors
    """The feature vector of form normal form."""

    @classmethod
    def from_references(cls, references: Iterable[Mapping[str, str]]) -> ReferenceBatch:
        """Compute the normal forms of references."""
        known: dict[bytes, int] = {}
        forms: list[NormalForm] = []
        numbers = []
        for reference in references:
            form = normalise(reference)
            number = known.setdefault(_digest(form), len(forms))
            if number == len(forms):
                forms.append(form)
            numbers.append(number)
        return cls(np.array(numbers, np.int32), list(known), compute_vectors(forms))

    def __len__(self) -> int:
        """Return the number of references."""
        return len(self.forms)


def _digest(form: NormalForm) -> bytes:
    # Digests decide the order of forms within a component, so the hashed text must not change:
    # it has the class names of the version for which the matching was measured.
    authors = ", ".join(f"Name(family={a.family!r}, initial={a.initial!r})" for a in form.names)
    authors = f"({authors},)" if len(form.names) == 1 else f"({authors})"
    others = {**form._asdict(), "names": None}
    for name in ("doi", "preprint"):
        if not others[name]:
            del others[name]
    fields = ", ".join(
        f"{name}={authors if name == 'names' else repr(value)}" for name, value in others.items()
    )
    # A digest may not end in a zero byte: numpy's strings drop it.
    return xxhash.xxh3_128_digest(f"Form({fields})".encode("utf-8", "replace"))[:15] + b"\1"
