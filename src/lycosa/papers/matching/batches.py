"""References made ready to be matched, which needs nothing but themselves.

So it can be done in other processes, many references at a time; what is sent on
is small. Equal forms are one.

>>> some = [{"title": "Weak learners"}, {"title": "Flies"}, {"title": "weak learners."}]
>>> portion = ReferenceBatch.from_references(some)
>>> portion.forms.tolist(), len(portion.digests)
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
    """Some references: for each the number of its form, in the order in which these came."""

    forms: Ints
    digests: list[bytes]
    """Of each form."""
    sketches: FeatureVectors

    @classmethod
    def from_references(cls, references: Iterable[Mapping[str, str]]) -> ReferenceBatch:
        """Find the forms of references."""
        known: dict[bytes, int] = {}
        new: list[NormalForm] = []
        numbers = []
        for reference in references:
            each = normalise(reference)
            number = known.setdefault(_digest(each), len(new))
            if number == len(new):
                new.append(each)
            numbers.append(number)
        return cls(np.array(numbers, np.int32), list(known), compute_vectors(new))

    def __len__(self) -> int:
        """How many references there are."""
        return len(self.forms)


def _digest(each: NormalForm) -> bytes:
    # Digests order the forms of a component, so the text under them must never change: it keeps
    # the names that the tuples had when the matching was measured.
    authors = ", ".join(f"Name(family={a.family!r}, initial={a.initial!r})" for a in each.names)
    authors = f"({authors},)" if len(each.names) == 1 else f"({authors})"
    others = {**each._asdict(), "names": None}
    fields = ", ".join(
        f"{name}={authors if name == 'names' else repr(value)}" for name, value in others.items()
    )
    # A digest may not end in a zero byte: numpy's strings drop it.
    return xxhash.xxh3_128_digest(f"Form({fields})".encode("utf-8", "replace"))[:15] + b"\1"
