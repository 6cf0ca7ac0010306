from hypothesis import given
from hypothesis import strategies as st

from lycosa.crawler.politeness.host_state import UrlQueue

SCORES = st.sampled_from([0.0, -0.5, -1.0, float("-inf")])


@given(st.lists(st.one_of(SCORES, st.none())))
def test_the_queue_is_ordered_by_key_then_age(moves):
    queue, plain = UrlQueue(), []
    for serial, score in enumerate(moves):
        if score is not None:
            queue.add((score, serial), 3 * serial)
            plain.append(((score, serial), 3 * serial))
        elif plain:
            assert queue.first == min(plain)[0]
            assert queue.pop() == min(plain)
            plain.remove(min(plain))
        assert len(queue) == len(plain)
    assert queue.clear() == [number for _, number in sorted(plain)]
    assert not len(queue)
