from __future__ import annotations

from math import log1p

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.spiders.default.folders import Folders

URLS = [f"http://{host}/{path}" for host in "ab" for path in ("", "x", "d/", "d/y", "d/z?q=/e/")]
FOLDERS = [url.partition("?")[0].rpartition("/")[0] for url in URLS]
numbers = st.integers(0, len(URLS) - 1)


@given(st.lists(st.tuples(numbers, st.booleans())), st.lists(numbers, min_size=1))
def test_features_count_the_fetched_pages_of_the_folder(fetched, asked):
    folders = Folders()
    for number, target in fetched:
        folders.add(number, URLS, float(target))
    at_once = folders.features_of(np.array(asked), URLS)
    looked = [folders.features(number, URLS) for number in asked]
    for number, found in zip(asked, looked, strict=True):
        mine = [target for other, target in fetched if FOLDERS[other] == FOLDERS[number]]
        assert found == (log1p(len(mine)), log1p(sum(mine)))
    assert at_once == pytest.approx(np.array(looked))


@given(st.lists(numbers), st.lists(st.booleans(), min_size=1, max_size=40))
def test_returns_the_folder_when_a_count_doubles(met, rewards):
    folders = Folders()
    for number in met:
        folders.features(number, URLS)
    beside = [number for number in dict.fromkeys([*met, 1]) if FOLDERS[number] == FOLDERS[1]]
    for n, target in enumerate(rewards, 1):
        count = sum(rewards[:n]) if target else n
        again = folders.add(1, URLS, float(target)).tolist()
        assert again == (beside if count in (1, 2, 4, 8, 16, 32) else [])
