"""Recurring titles: how little the title of a column or an editorial says (Winkler 2000).

A value that many share is weak evidence: agreement on it weighs less by the logarithm of
how many share it (frequency-based matching). The title of a column ("Editorial",
"Reminiscences on …") is shared by many authors. The number is estimated within a
connected component, because titles outside it are not compared: it is the inverse of
the probability that two forms with one title have the same first author. A work that is cited
with some misspelt authors has about 1, a column with ten authors about 10.

Years are counted likewise, to tell apart the columns that one author writes every year. A
work may have a report, a meeting and a journal version, so three years are not many.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.feature_vectors import FeatureVectors

YEARS_OF_A_WORK = 3
"""The years of report, meeting and journal."""
_AGREEING_PAIRS = 1.0  # assumed before any form is seen
# Where a title recurs, another year is either misprinted, as one in fifty is, or that of another
# column, and the same venue says nothing. The factor lets six references of six years take away
# more than log 50 and the weight of a venue together.
_YEAR_FACTOR = 4.0
_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)

Numbers = NDArray[np.int64]


class Recurrence(NamedTuple):
    """What the title of each form loses, as differences of match weights."""

    authors: NDArray[np.float32]
    """Of the weight of one work: the logarithm of the number of authors of the title."""
    years: NDArray[np.float32]
    """Of the weight of one version, where years differ."""

    @classmethod
    def none(cls, size: int = 0) -> Recurrence:
        """Return a recurrence of `size` titles that do not recur."""
        return cls(np.zeros(size, np.float32), np.zeros(size, np.float32))


def measure_recurrence(vectors: FeatureVectors, forms: Numbers, owner: Numbers) -> Recurrence:
    """Return the recurrence of the titles of `forms`; `owner` has the component of each.

    >>> from lycosa.papers.matching.feature_vectors import compute_vectors
    >>> from lycosa.papers.matching.normal_form import normalise
    >>> some = [{"title": "Editorial", "authors": name} for name in ("Lee", "Roe", "Ito", "Berg")]
    >>> found = measure_recurrence(
    ...     compute_vectors([normalise(each) for each in some]), np.arange(4), np.zeros(4, int))
    >>> np.exp(found.authors).round(1).tolist()
    [7.0, 7.0, 7.0, 7.0]
    """
    code = owner.astype(np.uint64)
    for column in vectors.title[forms].T:
        code = (code ^ column) * _HASH_FACTOR
        code ^= code >> np.uint64(31)
    group = _numbered(code)
    authors = np.log(_distinct(group, vectors.first[forms]))
    years = np.log(np.maximum(_distinct(group, vectors.year[forms]) / YEARS_OF_A_WORK, 1))
    untitled = vectors.title_size[forms] == 0
    authors[untitled] = years[untitled] = 0
    return Recurrence(authors.astype(np.float32), (_YEAR_FACTOR * years).astype(np.float32))


def _numbered(values: NDArray[Any]) -> Numbers:
    """Return values as numbers from 0."""
    order = np.argsort(values, kind="stable")
    numbers = np.empty(len(values), np.int64)
    ordered = values[order]
    numbers[order] = np.cumsum(np.concatenate(([0], ordered[1:] != ordered[:-1])))
    return numbers


def _distinct(group: Numbers, values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the effective number of values in the group of each row, without those that are 0.

    The inverse of Simpson's index (1949), the probability that two rows agree.
    """
    known = values != 0
    pairs = _count_pairs(group[known], len(group))
    both = group * len(group) + _numbered(values)
    _, first, counts = np.unique(both[known], return_index=True, return_counts=True)
    agreeing = np.bincount(group[known][first], counts * (counts - 1) / 2, minlength=len(group))
    return ((pairs + _AGREEING_PAIRS) / (agreeing + _AGREEING_PAIRS))[group]


def _count_pairs(group: Numbers, size: int) -> NDArray[np.float64]:
    counts = np.bincount(group, minlength=size).astype(np.float64)
    return counts * (counts - 1) / 2
