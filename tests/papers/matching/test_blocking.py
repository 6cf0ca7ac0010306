"""Selection of pairs by blocking keys."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.papers.matching.blocking import MAX_COMPARED_PER_BLOCK, BlockingIndex


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.integers(0, 6), min_size=2, max_size=2), min_size=1, max_size=80),
    st.integers(1, 80),
)
def test_blocks_pair_forms_with_the_first_of_each_block(rows, batch):
    keys = np.array(rows, np.uint64)
    found, blocks = set(), BlockingIndex()
    for start in range(0, len(keys), batch):
        newer, older = blocks.add(start, keys[start : start + batch])
        found |= set(zip(newer.tolist(), older.tolist(), strict=True))
    expected = set()
    for key in range(1, 7):
        block = [k for k, row in enumerate(rows) if key in row]
        expected |= {(n, o) for n in block for o in block[:MAX_COMPARED_PER_BLOCK] if o < n}
    assert found == expected
