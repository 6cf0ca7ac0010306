from hypothesis import given
from hypothesis import strategies as st

from lycosa.crawler.politeness.host_state import UrlQueue

SCORES = st.sampled_from([0.0, -0.5, -1.0, float("-inf")])


@given(st.lists(st.one_of(SCORES, st.none())))
def test_a_line_gives_the_least_key_first_and_then_the_oldest(moves):
    line, plain = UrlQueue(), []
    for serial, score in enumerate(moves):
        if score is not None:
            line.add((score, serial), 3 * serial)
            plain.append(((score, serial), 3 * serial))
        elif plain:
            assert line.first == min(plain)[0]
            assert line.pop() == min(plain)
            plain.remove(min(plain))
        assert len(line) == len(plain)
    assert line.clear() == [number for _, number in sorted(plain)]
    assert not len(line)
