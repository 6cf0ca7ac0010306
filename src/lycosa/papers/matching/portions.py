"""References made ready to be matched, which needs nothing but themselves.

So it can be done in other processes, many references at a time; what is sent on
is small. Equal forms are one.

>>> some = [{"title": "Weak learners"}, {"title": "Flies"}, {"title": "weak learners."}]
>>> portion = Portion.of(some)
>>> portion.forms.tolist(), len(portion.digests)
([0, 1, 0], 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import xxhash

from lycosa.content import Ints
from lycosa.papers.matching.forms import Form, form
from lycosa.papers.matching.sketches import Sketches, sketch


class Portion(NamedTuple):
    """Some references: for each the number of its form, in the order in which these came."""

    forms: Ints
    digests: list[bytes]
    """Of each form."""
    sketches: Sketches

    @classmethod
    def of(cls, references: Iterable[Mapping[str, str]]) -> Portion:
        """Find the forms of references."""
        known: dict[bytes, int] = {}
        new: list[Form] = []
        numbers = []
        for reference in references:
            each = form(reference)
            number = known.setdefault(_digest(each), len(new))
            if number == len(new):
                new.append(each)
            numbers.append(number)
        return cls(np.array(numbers, np.int32), list(known), sketch(new))

    def __len__(self) -> int:
        """How many references there are."""
        return len(self.forms)


def _digest(each: Form) -> bytes:
    # A digest may not end in a zero byte: numpy's strings drop it.
    return xxhash.xxh3_128_digest(repr(each).encode("utf-8", "replace"))[:15] + b"\1"
