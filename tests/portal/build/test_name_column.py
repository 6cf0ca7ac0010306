"""Names of members in a column are found as a search through all of them finds them."""

from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.build.packed_members import NameColumn

NAMES = st.text("abc/", min_size=1, max_size=4)


@given(st.lists(NAMES, max_size=20), st.lists(NAMES, max_size=8))
def test_names_are_found_at_their_first_places(names, wanted):
    column = NameColumn()
    column.extend(names)
    expected = {name: names.index(name) for name in wanted if name in names}
    assert column.numbers_of(wanted) == expected
