"""Entries of sorted runs, merged in parts."""

from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.papers.matching import sorted_runs
from lycosa.papers.matching.digest_index import DigestIndex
from lycosa.papers.matching.sorted_runs import SortedRuns

PART = st.lists(st.integers(1, 9), max_size=12)


@settings(deadline=None, max_examples=60)
@given(st.lists(PART, max_size=6), st.integers(1, 5))
def test_merged_entries_are_sorted_and_older_ones_first(parts, at_once):
    runs, expected, number = SortedRuns(), [], 0
    with patch.object(sorted_runs, "MERGED_AT_ONCE", at_once):
        for part in parts:
            keys = np.sort(np.array(part, np.uint64))
            values = np.arange(number, number + len(part), dtype=np.int32)
            runs.add(keys, values)
            expected += zip(keys.tolist(), values.tolist(), strict=True)
            number += len(part)
        keys, values = runs.merged()
    assert list(zip(keys.tolist(), values.tolist(), strict=True)) == sorted(expected)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.integers(0, 99), max_size=9), max_size=6), st.lists(st.integers(0, 99)))
def test_digests_that_share_their_first_bytes_are_told_apart(parts, wanted):
    def digest(number):
        return b"%08d%08d" % (number // 10, number)

    index, every = DigestIndex(), []
    for part in parts:
        new = [digest(n) for n in dict.fromkeys(part) if digest(n) not in every]
        index.add(len(every), np.array(new, "S16"))
        every += new
    found = index.find(np.array([digest(n) for n in wanted], "S16"), np.array(every, "S16"))
    expected = [every.index(digest(n)) if digest(n) in every else -1 for n in wanted]
    assert found.tolist() == expected
