from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import Table
from lycosa.spiders.published import tag_paths
from lycosa.spiders.published.tag_paths import TagPaths

PATHS = st.lists(
    st.lists(st.sampled_from(["html", "ul", "li", "p", "a", ""]), max_size=6).map("/".join),
    min_size=1,
    max_size=20,
)


@given(PATHS)
def test_paths_keep_their_group_and_numbers_have_no_gaps(texts):
    table, groups = Table(), TagPaths()
    numbers = np.array(table.numbers(texts), np.int32)
    first = groups.groups(table, numbers)
    assert set(first.tolist()) == set(range(groups.count))
    assert groups.groups(table, numbers[::-1]).tolist() == first[::-1].tolist()


def test_only_similar_paths_share_a_group():
    table, groups = Table(), TagPaths()
    like = ["html/body/div/ul/li/a", "html/body/div/div/ul/li/a"]
    other = ["html/body/table/tr/td/a"]
    one, two, three = groups.groups(table, np.array(table.numbers(like + other), np.int32))
    assert one == two != three


def test_number_of_groups_is_bounded():
    table, groups = Table(), TagPaths()
    texts = [f"{n}/{n + 1}/{n + 2}" for n in range(0, 2000, 3)]
    found = groups.groups(table, np.array(table.numbers(texts), np.int32))
    assert groups.count == found.max() + 1 <= tag_paths._MAX_GROUPS < len(texts)
