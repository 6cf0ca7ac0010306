from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.search.bounded_cache import BoundedCache


@given(st.lists(st.integers(0, 9)), st.integers(1, 5))
def test_never_exceeds_its_size_and_keeps_the_latest(keys, size):
    cache = BoundedCache(size)
    for key in keys:
        cache[key] = -key
        assert cache[key] == -key
        assert len(cache) <= size


def test_replacing_a_value_keeps_the_others():
    cache = BoundedCache(2)
    cache["a"] = 1
    cache["b"] = 2
    cache["a"] = 3
    assert cache == {"a": 3, "b": 2}
