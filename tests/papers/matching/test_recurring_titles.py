"""Titles that recur with other authors, or in other years."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.papers.matching.feature_vectors import compute_vectors
from lycosa.papers.matching.normal_form import normalise
from lycosa.papers.matching.recurring_titles import measure_recurrence

RECORDS = st.lists(
    st.tuples(
        st.sampled_from(["Editorial", "Letters", ""]),
        st.sampled_from(["", "Lee", "Roe", "Ito"]),
        st.integers(0, 1),
    ),
    min_size=1,
    max_size=9,
)


def measured(records):
    vectors = compute_vectors([normalise(r) for r, _ in records])
    return measure_recurrence(vectors, np.arange(len(records)), np.array([c for _, c in records]))


@settings(deadline=None)
@given(RECORDS)
def test_the_number_of_authors_is_the_inverse_of_the_share_of_agreeing_pairs(some):
    found = measured([({"title": t, "authors": a}, c) for t, a, c in some]).authors
    for k, (title, _, component) in enumerate(some):
        same = [a for t, a, c in some if (t, c) == (title, component) and a]
        pairs = list(combinations(same, 2))
        agreeing = sum(a == b for a, b in pairs)
        expected = (len(pairs) + 1) / (agreeing + 1) if title else 1
        assert np.exp(found[k]) == pytest.approx(expected, rel=1e-5)


def test_a_work_with_a_few_misspelt_authors_hardly_recurs():
    names = ["Schapire"] * 90 + [f"Schap{letter}re" for letter in "abcdefghjk"]
    records = [({"title": "Weak learning", "authors": n, "year": "1990"}, 0) for n in names]
    found = measured(records)
    assert np.exp(found.authors).max() < 1.3
    assert found.years.max() == 0


def test_three_years_are_versions_and_ten_are_not():
    def years(*some):
        return measured([({"title": "Editorial", "year": str(y)}, 0) for y in some]).years.max()

    assert years(1991, 1991, 1992, 1992, 1994, 1994) < 2
    assert years(*range(1990, 2000)) > 5
