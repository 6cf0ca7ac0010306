"""The lists of references of forms, beside a dictionary of sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.matching.source_lists import SourceLists

ENTRIES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2**62)), max_size=12)


@given(st.lists(ENTRIES, max_size=5))
def test_sources_are_those_that_were_added(batches):
    lists, expected = SourceLists(), {}
    for batch in batches:
        table = np.array(batch, np.int64).reshape(-1, 2)
        lists.add(table[:, 0], table[:, 1])
        for form, source in batch:
            expected.setdefault(form, set()).add(source)
    forms = np.arange(9)[::-1]
    found = {}
    for place, source in zip(*(part.tolist() for part in lists.find(forms)), strict=True):
        found.setdefault(int(forms[place]), set()).add(source)
    assert found == expected
