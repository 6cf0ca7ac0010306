from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.spiders.yields.estimate import GrowingColumn

NUMBERS = st.integers(0, 5000)
VALUES = st.integers(-9, 9).map(float)


@given(st.lists(st.tuples(st.lists(NUMBERS, min_size=1, max_size=4, unique=True), VALUES)), NUMBERS)
def test_column_behaves_like_a_dictionary_with_default_0(written, other):
    column = GrowingColumn()
    expected: dict[int, float] = {}
    for numbers, value in written:
        if len(numbers) == 1:
            column.put(numbers[0], value)
        else:
            column[np.array(numbers)] = np.full(len(numbers), value)
        expected |= dict.fromkeys(numbers, value)
    looked_up = [*expected, other]
    assert [column.at(number) for number in looked_up] == [expected.get(n, 0.0) for n in looked_up]
    assert column[np.array(looked_up)].tolist() == [expected.get(n, 0.0) for n in looked_up]


def test_reading_a_distant_number_grows_the_column():
    column = GrowingColumn()
    before = column.nbytes
    assert column.at(10**6) == 0.0
    assert column.nbytes == before
    assert column[np.array([10**6])].tolist() == [0.0]
    assert 4 * 10**6 < column.nbytes < 6 * 10**6
