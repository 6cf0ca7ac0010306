"""Sizes drawn for headers whose layout has changes only."""

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.training.layout_completion import complete_layout

LINES = st.lists(
    st.tuples(
        st.sampled_from([-1, 0, 1, None]),
        st.booleans(),
        st.sampled_from(["title", "author", "note", "abstract", "address"]),
    )
)


@given(LINES, st.integers())
def test_sizes_change_as_the_layout_says(rows, seed):
    lines = [HeaderLine("x", size_change=c, new_block=b) for c, b, _ in rows]
    found = complete_layout(lines, [label for *_, label in rows], random.Random(seed))
    assert [line.size_change for line in found] == [line.size_change for line in lines]
    for above, line in pairwise(found):
        assert 0.5 <= line.size <= 4.0
        if line.size_change == 0:
            assert line.size == above.size
        elif line.size_change and 0.5 < line.size < 4.0:
            assert (line.size - above.size) * line.size_change > 0
    assert all(line.gap > 1.3 for line in found if line.new_block)


def test_a_title_is_mostly_larger_than_its_abstract():
    lines = [HeaderLine("Web", size_change=1), HeaderLine("We hunt", size_change=-1)]
    drawn = [complete_layout(lines, ["title", "abstract"], random.Random(n)) for n in range(50)]
    assert sum(title.size > 1.15 for title, _ in drawn) > 30
