from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.spiders.yields.estimate import Column

NUMBERS = st.integers(0, 5000)
VALUES = st.integers(-9, 9).map(float)


@given(st.lists(st.tuples(st.lists(NUMBERS, min_size=1, max_size=4, unique=True), VALUES)), NUMBERS)
def test_a_column_is_a_dictionary_with_zeros(written, other):
    column = Column()
    expected: dict[int, float] = {}
    for numbers, value in written:
        if len(numbers) == 1:
            column.put(numbers[0], value)
        else:
            column[np.array(numbers)] = np.full(len(numbers), value)
        expected |= dict.fromkeys(numbers, value)
    asked = [*expected, other]
    assert [column.at(number) for number in asked] == [expected.get(n, 0.0) for n in asked]
    assert column[np.array(asked)].tolist() == [expected.get(n, 0.0) for n in asked]


def test_looking_at_a_number_far_off_makes_room_for_it():
    column = Column()
    before = column.nbytes
    assert column.at(10**6) == 0.0
    assert column.nbytes == before
    assert column[np.array([10**6])].tolist() == [0.0]
    assert 4 * 10**6 < column.nbytes < 6 * 10**6
